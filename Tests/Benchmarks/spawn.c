/* Whole-process cost of two commands, run in turn on one core; prints both medians in microseconds and their ratio.
   spawn RUNS COMMAND ARG... -- COMMAND ARG...        (output of the commands is dropped; each must end with 0) */
#define _GNU_SOURCE
#include <fcntl.h>
#include <sched.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>

extern char **environ;

static int ascending(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static double run(char **command)
{
    struct timespec from, to;
    posix_spawn_file_actions_t files;
    pid_t child;
    int status;
    posix_spawn_file_actions_init(&files);
    posix_spawn_file_actions_addopen(&files, 1, "/dev/null", O_WRONLY, 0);
    clock_gettime(CLOCK_MONOTONIC, &from);
    int failed = posix_spawnp(&child, command[0], &files, NULL, command, environ);
    if (failed) { fprintf(stderr, "spawn: %s: %s\n", command[0], strerror(failed)); exit(1); }
    waitpid(child, &status, 0);
    clock_gettime(CLOCK_MONOTONIC, &to);
    posix_spawn_file_actions_destroy(&files);
    if (status != 0) { fprintf(stderr, "spawn: %s ended with %#x\n", command[0], status); exit(1); }
    return (to.tv_sec - from.tv_sec) * 1e6 + (to.tv_nsec - from.tv_nsec) / 1e3;
}

int main(int argc, char **argv)
{
    int runs = argc > 1 ? atoi(argv[1]) : 0, split = 2;
    while (split < argc && strcmp(argv[split], "--") != 0) split++;
    if (runs < 1 || split < 3 || split >= argc - 1) { fprintf(stderr, "spawn: RUNS COMMAND... -- COMMAND...\n"); return 2; }
    argv[split] = NULL;
    cpu_set_t one;
    CPU_ZERO(&one);
    CPU_SET(0, &one);
    sched_setaffinity(0, sizeof one, &one); /* inherited by the commands */

    char **commands[2] = {argv + 2, argv + split + 1};
    double *cost[2];
    for (int c = 0; c < 2; c++) { cost[c] = calloc(runs, sizeof(double)); for (int i = 0; i < 3; i++) run(commands[c]); }
    for (int i = 0; i < runs; i++)
        for (int c = 0; c < 2; c++) cost[c][i] = run(commands[c]);
    for (int c = 0; c < 2; c++) qsort(cost[c], runs, sizeof(double), ascending);
    printf("%.0f %.0f %.2f\n", cost[0][runs / 2], cost[1][runs / 2], cost[0][runs / 2] / cost[1][runs / 2]);
    return 0;
}
