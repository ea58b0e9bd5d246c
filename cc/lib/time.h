// time.h: the clock. Under caplab one executed instruction is one nanosecond.
#ifndef _TIME_H
#define _TIME_H
#include <sys/types.h>

#define CLOCK_REALTIME 0
#define CLOCK_MONOTONIC 1

struct timespec {
    time_t tv_sec;
    long tv_nsec;
};
int clock_gettime(clockid_t clock, struct timespec *out);

#endif
