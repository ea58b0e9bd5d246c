// linux.h: the Linux/AArch64 personality: open files, memory layout, system calls. For purecap programs the Morello Linux
// PCuABI: arguments in C0–C5, memory reached only through the capability that was passed, mmap gives owning capabilities.
//
// The state is machine state: the clock is the instruction count, random bytes come from the seed, input and output are buffers.
// What comes from the host (standard input, files below the root) goes through the journal. Private to sim/.
#ifndef CAPLAB_SIM_LINUX_H
#define CAPLAB_SIM_LINUX_H

#include "sim/cpu.h"
#include "sim/machine.h"

enum {
    LNX_MAX_FDS = 64,
    LNX_MAX_CALL = 512, // system call numbers are below
    LNX_PAGE = 4096,
};

// Error numbers and constants of Linux that guests see (they are those of any host of ours, but the guest's are meant).
enum {
    LNX_EPERM = 1, LNX_ENOENT = 2, LNX_EIO = 5, LNX_EBADF = 9, LNX_ENOMEM = 12, LNX_EACCES = 13, LNX_EFAULT = 14, LNX_EISDIR = 21,
    LNX_EINVAL = 22, LNX_EMFILE = 24, LNX_ENOTTY = 25, LNX_EFBIG = 27, LNX_ESPIPE = 29, LNX_EROFS = 30, LNX_ENAMETOOLONG = 36,
    LNX_ENOSYS = 38, LNX_EOPNOTSUPP = 95, LNX_ERESERVATION = 192,
};
enum { LNX_PROT_READ = 1, LNX_PROT_WRITE = 2, LNX_PROT_EXEC = 4, LNX_PROT_CAP_INVOKE = 0x2000 };
enum { LNX_MAP_SHARED = 1, LNX_MAP_PRIVATE = 2, LNX_MAP_FIXED = 0x10, LNX_MAP_ANONYMOUS = 0x20, LNX_MAP_GROWSDOWN = 0x100,
       LNX_MAP_FIXED_NOREPLACE = 0x100000 };

// Permission sets of Morello Linux.
enum {
    LNX_CAP_READ = CAP_PERM_LOAD | CAP_PERM_LOAD_CAP | CAP_PERM_MUTABLE_LOAD,
    LNX_CAP_WRITE = CAP_PERM_STORE | CAP_PERM_STORE_CAP | CAP_PERM_STORE_LOCAL,
    LNX_CAP_EXEC = CAP_PERM_EXECUTE | CAP_PERM_SYSTEM | CAP_PERM_EXECUTIVE,
    LNX_CAP_VMEM = CAP_PERM_USER0, // SW_VMEM: may change the mappings of its range
    LNX_CAP_ROOT = CAP_PERM_GLOBAL | LNX_CAP_VMEM,
};

// The bytes of a file, kept as long as the machine: a file that is open cannot change under the guest.
typedef struct LnxNode {
    char *name; // owned
    u8 *bytes;  // owned
    size_t len;
    bool is_host; // came from the host's file system (not offered by name to later opens)
} LnxNode;

typedef enum LnxFdKind { LNX_FD_CLOSED, LNX_FD_INPUT, LNX_FD_OUTPUT, LNX_FD_FILE } LnxFdKind;
typedef struct LnxFd {
    LnxFdKind kind;
    int output_fd; // 1 or 2
    u32 node;      // index into nodes
    u64 pos;
} LnxFd;

typedef struct LnxRange {
    u64 base, len;
} LnxRange;

typedef struct LnxOutput {
    int fd;
    Buf bytes;
} LnxOutput;

typedef struct Linux {
    bool is_purecap;
    LnxFd fds[LNX_MAX_FDS];
    VEC(LnxNode) nodes;
    char *root;     // owned; NULL = no host files
    char *exe_name; // owned
    u64 brk_start, brk;
    u64 stack_low, stack_high;
    VEC(LnxRange) reservations; // purecap: of mmap
    u64 rng;
    u64 tid_address;
    int exit_status;

    Buf input;
    size_t input_pos;
    bool input_eof;
    VEC(LnxOutput) output;      // not taken yet
    u64 output_total;           // bytes written so far (goes back when time does)
    u64 output_delivered;       // bytes handed out (never goes back)
    bool warned[LNX_MAX_CALL + 1];
} Linux;

// One system call being served.
typedef struct LnxCall {
    Machine *m;
    Linux *l;
    Cpu *cpu;
    u64 x[6];     // argument values
    Cap c[6];     // and the capabilities (purecap)
    bool is_cap_result;
    Cap cap_result;
    CpuSvc svc;   // how the SVC ends; set by the handlers that stop
} LnxCall;

void lnx_init(Machine *m);
void lnx_free(Linux *l);
CpuSvc lnx_svc(void *machine, Cpu *cpu, u32 imm); // CpuHooks.on_svc

// For handlers. Argument i is a pointer, `at` bytes behind it are meant; 0 or LNX_EFAULT.
int lnx_read(const LnxCall *c, u32 i, u64 at, void *out, size_t len);
int lnx_write(const LnxCall *c, u32 i, u64 at, const void *bytes, size_t len);
int lnx_read_path(const LnxCall *c, u32 i, char *out, size_t size); // NUL-terminated
// The authority for accesses through argument i: NULL in hybrid.
const Cap *lnx_auth(const LnxCall *c, u32 i);
u64 lnx_random(Linux *l);
u8 lnx_mem_prot(u64 prot); // PROT_* to MEM_*

// Handlers by file: linux_file.c, linux_mem.c, linux.c. LNX_CALLS(X): number, name
#define LNX_FILE_CALLS(X)                                                                                    \
    X(25, fcntl) X(29, ioctl) X(48, faccessat) X(56, openat) X(57, close) X(62, lseek) X(63, read) X(64, write)            \
    X(65, readv) X(66, writev) X(67, pread64) X(78, readlinkat) X(79, newfstatat) X(80, fstat)
#define LNX_MEM_CALLS(X) X(214, brk) X(215, munmap) X(222, mmap) X(226, mprotect) X(233, madvise)
#define LNX_PROCESS_CALLS(X)                                                                                 \
    X(17, getcwd) X(93, exit) X(94, exit_group) X(96, set_tid_address) X(98, futex) X(99, set_robust_list) X(101, nanosleep)      \
    X(113, clock_gettime) X(114, clock_getres) X(115, clock_nanosleep) X(124, sched_yield) X(129, kill) X(130, tkill)       \
    X(131, tgkill) X(132, sigaltstack) X(134, rt_sigaction) X(135, rt_sigprocmask) X(160, uname) X(167, prctl)         \
    X(169, gettimeofday) X(172, getpid) X(173, getppid) X(174, getuid) X(175, geteuid) X(176, getgid) X(177, getegid) X(178, gettid)  \
    X(261, prlimit64) X(278, getrandom) X(293, rseq)
#define LNX_CALLS(X) LNX_FILE_CALLS(X) LNX_MEM_CALLS(X) LNX_PROCESS_CALLS(X)
#define X(number, name) i64 lnx_sys_##name(LnxCall *c);
LNX_CALLS(X)
#undef X

#endif
