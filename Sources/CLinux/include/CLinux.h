#pragma once
/* Linux headers that Swift's Glibc module leaves out, and calls behind _GNU_SOURCE. */
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/signalfd.h>
#include <sys/types.h>
#include <pthread.h>

void clinux_set_thread_name(pthread_t thread, const char *name);

/* pipe2 with O_CLOEXEC. */
int clinux_pipe(int ends[2]);

/* A child process that ends with this one, however this one ends. */
struct clinux_child {
    pid_t pid;
    pthread_t keeper;
};

/* Runs `file` (a path) with `arguments` (ends with NULL), its standard output and error going to `output` and `error`,
   no other descriptor but standard input inherited, and no signal blocked. Returns 0 or an errno value. */
int clinux_start_child(struct clinux_child *child, const char *file, char *const arguments[], int output, int error);

/* Kills the child and waits until it is gone. Exactly once for each started child; until then its pid stays ours. */
void clinux_end_child(struct clinux_child *child);
