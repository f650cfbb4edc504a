#pragma once
/* Linux headers that Swift's Glibc module leaves out, and calls behind _GNU_SOURCE. */
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/signalfd.h>
#include <pthread.h>

void clinux_set_thread_name(pthread_t thread, const char *name);
