#define _GNU_SOURCE
#include "CLinux.h"

#include <errno.h>
#include <fcntl.h>
#include <semaphore.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

void clinux_set_thread_name(pthread_t thread, const char *name) { pthread_setname_np(thread, name); }

int clinux_pipe(int ends[2]) { return pipe2(ends, O_CLOEXEC); }

struct start {
    const char *file;
    char *const *arguments;
    int output, error;
    pid_t parent;
    pid_t pid; /* or a negative errno value */
    sem_t started;
};

/* In the child of a process with many threads: async-signal-safe calls only. */
static void become(const struct start *start) {
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != start->parent) _exit(127); /* it ended before the line above */
    sigset_t none;
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, NULL); /* a blocked SIGTERM would be inherited */
    signal(SIGPIPE, SIG_DFL);
    if (dup2(start->output, STDOUT_FILENO) < 0 || dup2(start->error, STDERR_FILENO) < 0) _exit(127);
    close_range(STDERR_FILENO + 1, ~0U, 0);
    execv(start->file, start->arguments);
    _exit(127);
}

/* The kernel sends the death signal when the *thread* that forked ends, so that thread has to stay as long as the
   child does. It leaves the zombie, so that the pid is not given to another process before clinux_end_child. */
static void *keep(void *data) {
    struct start *start = data;
    sigset_t all;
    sigfillset(&all);
    pthread_sigmask(SIG_BLOCK, &all, NULL); /* signals are for the program's own threads */
    pid_t pid = fork();
    if (pid == 0) become(start);
    start->pid = pid < 0 ? -errno : pid;
    sem_post(&start->started); /* `start` is gone from here on */
    siginfo_t info;
    while (pid > 0 && waitid(P_PID, (id_t)pid, &info, WEXITED | WNOWAIT) < 0 && errno == EINTR) {}
    return NULL;
}

int clinux_start_child(struct clinux_child *child, const char *file, char *const arguments[], int output, int error) {
    struct start start = {
        .file = file, .arguments = arguments, .output = output, .error = error, .parent = getpid()};
    sem_init(&start.started, 0, 0);
    int failed = pthread_create(&child->keeper, NULL, keep, &start);
    if (failed == 0) {
        while (sem_wait(&start.started) < 0 && errno == EINTR) {}
        child->pid = start.pid;
        if (start.pid < 0) {
            failed = -start.pid;
            pthread_join(child->keeper, NULL);
        }
    }
    sem_destroy(&start.started);
    return failed;
}

void clinux_end_child(struct clinux_child *child) {
    kill(child->pid, SIGKILL);
    pthread_join(child->keeper, NULL);
    while (waitpid(child->pid, NULL, 0) < 0 && errno == EINTR) {}
}
