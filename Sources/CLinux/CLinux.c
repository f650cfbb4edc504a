#define _GNU_SOURCE
#include "CLinux.h"

void clinux_set_thread_name(pthread_t thread, const char *name) { pthread_setname_np(thread, name); }
