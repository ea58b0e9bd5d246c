// sys/prctl.h: per-thread switches: tagged addresses (MTE) and speculation (SSBS).
#ifndef _SYS_PRCTL_H
#define _SYS_PRCTL_H

#define PR_GET_SPECULATION_CTRL 52
#define PR_SET_SPECULATION_CTRL 53
#define PR_SET_TAGGED_ADDR_CTRL 55
#define PR_GET_TAGGED_ADDR_CTRL 56
#define PR_SPEC_STORE_BYPASS 0
#define PR_SPEC_ENABLE 2
#define PR_SPEC_DISABLE 4
#define PR_TAGGED_ADDR_ENABLE 1UL
#define PR_MTE_TCF_SYNC 2UL
#define PR_MTE_TCF_ASYNC 4UL
#define PR_MTE_TAG_SHIFT 3

int prctl(int option, unsigned long a, unsigned long b, unsigned long c, unsigned long d);

#endif
