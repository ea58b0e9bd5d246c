// linux.c: takes system calls from the core, hands them to their handlers by number, and serves those about the process itself.
//
//     svc #0 with x8 = 64   →  lnx_sys_write(c)  →  x0 = bytes written, or minus the error number
//
// A number without a handler answers ENOSYS and warns once.
#include "sim/linux.h"
#include "base/bits.h"
#include "sim/machine_int.h"
#include <stdlib.h>

typedef struct CallInfo {
    const char *name;
    i64 (*handler)(LnxCall *c);
} CallInfo;

static const CallInfo calls[LNX_MAX_CALL] = {
#define X(number, name) [number] = {#name, lnx_sys_##name},
    LNX_CALLS(X)
#undef X
};

void lnx_init(Machine *m)
{
    Linux *l = &m->linux_;
    l->rng = m->cfg.seed;
    l->fds[0] = (LnxFd){.kind = LNX_FD_INPUT};
    l->fds[1] = (LnxFd){.kind = LNX_FD_OUTPUT, .output_fd = 1};
    l->fds[2] = (LnxFd){.kind = LNX_FD_OUTPUT, .output_fd = 2};
}

void lnx_free(Linux *l)
{
    for (u32 i = 0; i < l->nodes.len; i++) {
        free(l->nodes.at[i].name);
        free(l->nodes.at[i].bytes);
    }
    vec_free(&l->nodes);
    for (u32 i = 0; i < l->output.len; i++) buf_free(&l->output.at[i].bytes);
    vec_free(&l->output);
    vec_free(&l->reservations);
    buf_free(&l->input);
    free(l->root);
    free(l->exe_name);
}

CpuSvc lnx_svc(void *machine, Cpu *cpu, u32 imm)
{
    (void)imm; // Linux ignores it
    Machine *m = machine;
    Linux *l = &m->linux_;
    LnxCall c = {.m = m, .l = l, .cpu = cpu, .svc = CPU_SVC_DONE};
    for (u32 i = 0; i < 6; i++) {
        c.c[i] = cpu_get_cap(cpu, (CpuReg)i);
        c.x[i] = c.c[i].value;
    }
    u64 number = cpu_get_x(cpu, 8);
    i64 result = -LNX_ENOSYS;
    if (number < LNX_MAX_CALL && calls[number].handler) {
        result = calls[number].handler(&c);
    } else {
        bool *warned = &l->warned[number < LNX_MAX_CALL ? number : LNX_MAX_CALL];
        if (!*warned) mac_warn(m, "unknown system call %llu: answered ENOSYS", (unsigned long long)number);
        *warned = true;
    }
    if (c.svc == CPU_SVC_RETRY) return CPU_SVC_RETRY;
    if (c.is_cap_result) cpu_set_cap(cpu, CPU_C0, c.cap_result);
    else cpu_set_x(cpu, 0, (u64)result);
    return c.svc;
}

// ---- access to guest memory

const Cap *lnx_auth(const LnxCall *c, u32 i) { return c->l->is_purecap ? &c->c[i] : NULL; }

int lnx_read(const LnxCall *c, u32 i, u64 at, void *out, size_t len)
{
    return mem_read_guest(c->m->mem, lnx_auth(c, i), c->x[i] + at, out, len) == MEM_OK ? 0 : LNX_EFAULT;
}

int lnx_write(const LnxCall *c, u32 i, u64 at, const void *bytes, size_t len)
{
    return mem_write_guest(c->m->mem, lnx_auth(c, i), c->x[i] + at, bytes, len) == MEM_OK ? 0 : LNX_EFAULT;
}

int lnx_read_path(const LnxCall *c, u32 i, char *out, size_t size)
{
    for (size_t n = 0; n < size; n++) {
        if (lnx_read(c, i, n, &out[n], 1)) return LNX_EFAULT;
        if (!out[n]) return 0;
    }
    return LNX_ENAMETOOLONG;
}

// SplitMix64: every seed gives a good sequence, also 0 and 1.
u64 lnx_random(Linux *l)
{
    u64 z = l->rng += 0x9E3779B97F4A7C15;
    z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9;
    z = (z ^ z >> 27) * 0x94D049BB133111EB;
    return z ^ z >> 31;
}

// ---- the process

static i64 end_process(LnxCall *c, int status)
{
    c->l->exit_status = status;
    c->cpu->stop = EV_STOP_EXIT;
    c->svc = CPU_SVC_STOP;
    return 0;
}

i64 lnx_sys_exit(LnxCall *c) { return end_process(c, (int)(c->x[0] & 255)); }
i64 lnx_sys_exit_group(LnxCall *c) { return end_process(c, (int)(c->x[0] & 255)); }

// There are no signal handlers: a signal to oneself ends the process as the shell reports it.
static i64 send_signal(LnxCall *c, u64 number)
{
    if (!number) return 0;
    if (number > 64) return -LNX_EINVAL;
    return end_process(c, 128 + (int)number);
}
i64 lnx_sys_kill(LnxCall *c) { return send_signal(c, c->x[1]); }
i64 lnx_sys_tkill(LnxCall *c) { return send_signal(c, c->x[1]); }
i64 lnx_sys_tgkill(LnxCall *c) { return send_signal(c, c->x[2]); }
i64 lnx_sys_rt_sigaction(LnxCall *c)
{
    static const u8 none[32];
    if (!c->x[2]) return 0;
    return -lnx_write(c, 2, 0, none, c->l->is_purecap ? 32 : 24);
}
i64 lnx_sys_rt_sigprocmask(LnxCall *c)
{
    static const u8 empty[8];
    if (!c->x[2]) return 0;
    return -lnx_write(c, 2, 0, empty, sizeof empty);
}
i64 lnx_sys_sigaltstack(LnxCall *c)
{
    (void)c;
    return 0;
}

enum { THE_PID = 1000, THE_USER = 1000 };
i64 lnx_sys_getpid(LnxCall *c) { return (void)c, THE_PID; }
i64 lnx_sys_gettid(LnxCall *c) { return (void)c, THE_PID; }
i64 lnx_sys_getppid(LnxCall *c) { return (void)c, 1; }
i64 lnx_sys_getuid(LnxCall *c) { return (void)c, THE_USER; }
i64 lnx_sys_geteuid(LnxCall *c) { return (void)c, THE_USER; }
i64 lnx_sys_getgid(LnxCall *c) { return (void)c, THE_USER; }
i64 lnx_sys_getegid(LnxCall *c) { return (void)c, THE_USER; }
i64 lnx_sys_set_tid_address(LnxCall *c)
{
    c->l->tid_address = c->x[0];
    return THE_PID;
}

// One thread: nobody waits and nobody wakes. A wait that would block for ever says so.
i64 lnx_sys_futex(LnxCall *c)
{
    enum { FUTEX_WAIT = 0, FUTEX_WAKE = 1, FUTEX_PRIVATE = 128, FUTEX_CLOCK = 256, LNX_EAGAIN = 11 };
    u64 op = c->x[1] & ~(u64)(FUTEX_PRIVATE | FUTEX_CLOCK);
    return op == FUTEX_WAKE ? 0 : op == FUTEX_WAIT ? -LNX_EAGAIN : -LNX_ENOSYS;
}
i64 lnx_sys_set_robust_list(LnxCall *c) { return (void)c, -LNX_ENOSYS; }
i64 lnx_sys_rseq(LnxCall *c) { return (void)c, -LNX_ENOSYS; }
i64 lnx_sys_sched_yield(LnxCall *c) { return (void)c, 0; }
i64 lnx_sys_prctl(LnxCall *c) { return (void)c, -LNX_EINVAL; }

i64 lnx_sys_getcwd(LnxCall *c)
{
    if (c->x[1] < 2) return -LNX_EINVAL;
    return lnx_write(c, 0, 0, "/", 2) ? -LNX_EFAULT : 2;
}

i64 lnx_sys_uname(LnxCall *c)
{
    static const char *const fields[6] = {"Linux", "caplab", "6.1.0", "#1", "aarch64", "(none)"};
    char text[6][65] = {{0}};
    for (u32 i = 0; i < 6; i++) memcpy(text[i], fields[i], strlen(fields[i]));
    return -lnx_write(c, 0, 0, text, sizeof text);
}

i64 lnx_sys_prlimit64(LnxCall *c)
{
    enum { RLIMIT_STACK = 3, RLIMIT_NOFILE = 7 };
    u64 limit = c->x[1] == RLIMIT_STACK    ? c->l->stack_high - c->l->stack_low
                : c->x[1] == RLIMIT_NOFILE ? LNX_MAX_FDS
                                           : ~0ULL;
    u64 both[2] = {limit, limit};
    if (c->x[2]) return -LNX_EPERM; // limits are fixed
    return c->x[3] ? -lnx_write(c, 3, 0, both, sizeof both) : 0;
}

i64 lnx_sys_getrandom(LnxCall *c)
{
    u8 bytes[256];
    u64 len = c->x[1] < sizeof bytes ? c->x[1] : sizeof bytes;
    u64 saved_rng = c->l->rng; // an EFAULT must not use up random numbers
    for (u64 i = 0; i < len; i += 8) {
        u64 r = lnx_random(c->l);
        memcpy(bytes + i, &r, len - i < 8 ? len - i : 8);
    }
    if (lnx_write(c, 0, 0, bytes, len)) {
        c->l->rng = saved_rng;
        return -LNX_EFAULT;
    }
    return (i64)len;
}

// ---- time: one instruction is one nanosecond

static const u64 EPOCH_SECONDS = 1767225600; // CLOCK_REALTIME at instruction 0: 2026-01-01 00:00 UTC
enum { NS = 1000000000 };

i64 lnx_sys_clock_gettime(LnxCall *c)
{
    if (c->x[0] > 11) return -LNX_EINVAL;
    bool is_real = c->x[0] == 0 || c->x[0] == 5;
    u64 now = c->cpu->icount;
    u64 t[2] = {now / NS + (is_real ? EPOCH_SECONDS : 0), now % NS};
    return -lnx_write(c, 1, 0, t, sizeof t);
}
i64 lnx_sys_clock_getres(LnxCall *c)
{
    u64 t[2] = {0, 1};
    return c->x[1] ? -lnx_write(c, 1, 0, t, sizeof t) : 0;
}
i64 lnx_sys_gettimeofday(LnxCall *c)
{
    u64 t[2] = {c->cpu->icount / NS + EPOCH_SECONDS, c->cpu->icount % NS / 1000};
    return c->x[0] ? -lnx_write(c, 0, 0, t, sizeof t) : 0;
}
// Sleeping would let no instruction pass, so no time either: it returns at once.
i64 lnx_sys_nanosleep(LnxCall *c) { return (void)c, 0; }
i64 lnx_sys_clock_nanosleep(LnxCall *c) { return (void)c, 0; }
