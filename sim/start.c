// start.c: from a parsed ELF to a process about to run its first instruction: segments mapped, the first stack written, registers set,
// as Linux/AArch64 does it for hybrid programs and as PCuABI does it for purecap ones.
//
//     high  strings, AT_RANDOM bytes          argc argv[] envp[] auxv[] are words of 8 bytes in hybrid, and
//           auxv  envp  argv  argc            of 16 bytes (capabilities) in purecap
//     low   … cfg.stack_bytes of stack …
#include "base/bits.h"
#include "sim/machine_int.h"
#include <stdlib.h>

enum { MAX_STRINGS = 4096, MAX_STRING_BYTES = 1 << 20 };
static const u64 STACK_HIGH = 0x7FFFFF000000; // 16 MiB aligned, so that the stack's bounds are exact

enum {
    AT_NULL = 0, AT_PHDR = 3, AT_PHENT = 4, AT_PHNUM = 5, AT_PAGESZ = 6, AT_BASE = 7, AT_FLAGS = 8, AT_ENTRY = 9, AT_UID = 11, AT_EUID = 12,
    AT_GID = 13, AT_EGID = 14, AT_PLATFORM = 15, AT_HWCAP = 16, AT_CLKTCK = 17, AT_SECURE = 23, AT_RANDOM = 25, AT_HWCAP2 = 26,
    AT_EXECFN = 31, AT_CHERI_EXEC_RW_CAP = 60, AT_CHERI_EXEC_RX_CAP = 61, AT_CHERI_INTERP_RW_CAP = 62, AT_CHERI_INTERP_RX_CAP = 63,
    AT_CHERI_STACK_CAP = 64, AT_ARGC = 80, AT_ARGV = 81, AT_ENVC = 82, AT_ENVP = 83,
};
// What this build executes: FP and ASIMD. (Bit 31 of HWCAP2 tells Morello, as trees since 5.18 have it.)
enum { HWCAP = 3 };
static const u64 HWCAP2 = 1ULL << 31;

typedef struct Stack {
    Machine *m;
    bool is_purecap;
    u64 word;      // 8 or 16
    u64 strings;   // next free byte at the top, growing down
    u64 at;        // next word to write, growing up
    bool is_ok;    // all writes were in mapped memory
} Stack;

static Cap bounded(u64 base, u64 len, u32 perms)
{
    bool exact;
    Cap c = cap_set_bounds(cap_set_value(CAP_ALMIGHTY, base), len, &exact);
    return cap_clear_perms(c, ~perms & 0x3FFFF);
}

// A range padded until its bounds are exact, as linkers do it.
static Cap bounded_range(u64 low, u64 high, u32 perms)
{
    u64 mask = cap_representable_mask(high - low), base = low & mask;
    return bounded(base, bits_align_up(high - base, ~mask + 1), perms);
}

static Cap number(u64 v) { return (Cap){.value = v}; }

static void put(Stack *s, Cap c)
{
    s->is_ok &= s->is_purecap ? mem_write_cap(s->m->mem, s->at, c) : mem_write(s->m->mem, s->at, &c.value, 8);
    s->at += s->word;
}

// An auxv entry is two words; purecap types take a whole word too.
static void put_aux(Stack *s, u64 type, Cap value)
{
    put(s, number(type));
    put(s, value);
}

static Cap push_bytes(Stack *s, const void *bytes, size_t len, u32 perms)
{
    s->strings -= len;
    s->is_ok &= mem_write(s->m->mem, s->strings, bytes, len);
    return bounded(s->strings, len, perms);
}

static Cap push_string(Stack *s, const char *text)
{
    return push_bytes(s, text, strlen(text) + 1, CAP_PERM_GLOBAL | CAP_PERM_LOAD | CAP_PERM_STORE);
}

static bool map_segments(Machine *m, const u8 *elf, Err *err)
{
    const LdrImage *img = &m->image;
    for (u32 i = 0; i < img->segments.len; i++) {
        const LdrSegment *s = &img->segments.at[i];
        u64 low = bits_align_down(s->vaddr, LDR_PAGE), high = bits_align_up(s->vaddr + s->memsz, LDR_PAGE);
        u64 prot = (s->flags & ELF_PF_R ? LNX_PROT_READ : 0) | (s->flags & ELF_PF_W ? LNX_PROT_WRITE : 0) |
                   (s->flags & ELF_PF_X ? LNX_PROT_EXEC : 0);
        if (high - low > m->cfg.memory_bytes)
            return err_set(err, CAPLAB_EX_DATA, "the program needs more than the %llu bytes of guest memory",
                           (unsigned long long)m->cfg.memory_bytes);
        // Two segments may share a page; the page then has the rights of both.
        MemPage *shared = mem_page(m->mem, low);
        if (shared) {
            mem_protect(m->mem, low, LDR_PAGE, shared->prot | lnx_mem_prot(prot));
            low += LDR_PAGE;
        }
        if (high > low && !mem_map(m->mem, low, high - low, lnx_mem_prot(prot))) {
            err_set(err, CAPLAB_EX_DATA, "the program does not fit into %llu bytes of guest memory",
                    (unsigned long long)m->cfg.memory_bytes);
            err_hint(err, "--memory BYTES gives more");
            return false;
        }
        CHECK(!s->filesz || mem_write(m->mem, s->vaddr, elf + s->offset, s->filesz), "segment just mapped");
    }
    return true;
}

static void put_auxv(Stack *s, const Cap *exec_name, const Cap *platform, const Cap *random)
{
    const LdrImage *img = &s->m->image;
    u32 read_only = CAP_PERM_GLOBAL | CAP_PERM_LOAD;
    Cap phdr = img->phdr ? bounded(img->phdr, (u64)img->phnum * sizeof(ElfProgram), read_only) : number(0);
    u64 entry = img->entry | img->entry_c64;
    Cap code = cap_seal(cap_set_value(bounded_range(img->rx_low, img->rx_high, LNX_CAP_ROOT | LNX_CAP_READ | LNX_CAP_EXEC), entry),
                        CAP_OTYPE_RB);
    put_aux(s, AT_HWCAP, number(HWCAP));
    put_aux(s, AT_PAGESZ, number(LNX_PAGE));
    put_aux(s, AT_CLKTCK, number(100));
    put_aux(s, AT_PHDR, phdr);
    put_aux(s, AT_PHENT, number(sizeof(ElfProgram)));
    put_aux(s, AT_PHNUM, number(img->phnum));
    put_aux(s, AT_BASE, number(0));
    put_aux(s, AT_FLAGS, number(0));
    put_aux(s, AT_ENTRY, s->is_purecap ? code : number(entry));
    put_aux(s, AT_UID, number(1000));
    put_aux(s, AT_EUID, number(1000));
    put_aux(s, AT_GID, number(1000));
    put_aux(s, AT_EGID, number(1000));
    put_aux(s, AT_SECURE, number(0));
    put_aux(s, AT_RANDOM, *random);
    put_aux(s, AT_HWCAP2, number(HWCAP2));
    put_aux(s, AT_EXECFN, *exec_name);
    put_aux(s, AT_PLATFORM, *platform);
}

static void put_cheri_auxv(Stack *s, Cap stack_cap, u64 argc, Cap argv, u64 envc, Cap envp)
{
    const LdrImage *img = &s->m->image;
    put_aux(s, AT_CHERI_EXEC_RW_CAP, bounded_range(img->low, img->high, LNX_CAP_ROOT | LNX_CAP_READ | LNX_CAP_WRITE | CAP_PERM_BRANCH_SEALED_PAIR));
    put_aux(s, AT_CHERI_EXEC_RX_CAP, bounded_range(img->rx_low, img->rx_high, LNX_CAP_ROOT | LNX_CAP_READ | LNX_CAP_EXEC | CAP_PERM_BRANCH_SEALED_PAIR));
    put_aux(s, AT_CHERI_INTERP_RW_CAP, number(0));
    put_aux(s, AT_CHERI_INTERP_RX_CAP, number(0));
    put_aux(s, AT_CHERI_STACK_CAP, stack_cap);
    put_aux(s, AT_ARGC, number(argc));
    put_aux(s, AT_ARGV, argv);
    put_aux(s, AT_ENVC, number(envc));
    put_aux(s, AT_ENVP, envp);
}

static u32 count_strings(const char *const *strings, size_t *bytes)
{
    u32 n = 0;
    for (; strings && strings[n] && n <= MAX_STRINGS; n++) *bytes += strlen(strings[n]) + 1;
    return n;
}

static void set_registers(Machine *m, u64 sp, u64 argc, Cap argv, Cap envp, Cap auxv)
{
    const LdrImage *img = &m->image;
    Cpu *cpu = m->cpu;
    if (img->abi == MAC_HYBRID) {
        cpu_set_cap(cpu, CPU_CSP, cap_set_value(CAP_ALMIGHTY, sp));
        cpu_jump(cpu, cap_set_value(CAP_ALMIGHTY, img->entry), false);
        return;
    }
    Cap stack = bounded(m->linux_.stack_low, m->cfg.stack_bytes, CAP_PERM_GLOBAL | LNX_CAP_READ | LNX_CAP_WRITE);
    cpu_set_cap(cpu, CPU_CSP, cap_set_value(stack, sp));
    cpu_set_cap(cpu, CPU_DDC, CAP_NULL);
    cpu_set_x(cpu, 0, argc);
    cpu_set_cap(cpu, CPU_C0 + 1, argv);
    cpu_set_cap(cpu, CPU_C0 + 2, envp);
    cpu_set_cap(cpu, CPU_C0 + 3, auxv);
    Cap pcc = bounded_range(img->rx_low, img->rx_high, CAP_PERM_GLOBAL | LNX_CAP_READ | LNX_CAP_EXEC);
    cpu_jump(cpu, cap_set_value(pcc, img->entry), img->entry_c64);
}

// Writes strings and vectors; false if they do not fit.
static bool make_stack(Machine *m, const char *name, const MacArgs *args, Err *err)
{
    Linux *l = &m->linux_;
    size_t bytes = 0;
    u32 argc = count_strings(args ? args->argv : NULL, &bytes), envc = count_strings(args ? args->envp : NULL, &bytes);
    u64 quarter = m->cfg.stack_bytes / 4;
    if (argc > MAX_STRINGS || envc > MAX_STRINGS || bytes > MAX_STRING_BYTES || bytes > quarter || (argc + envc) * 16ULL > quarter)
        return err_set(err, CAPLAB_EX_USAGE, "too many or too long program arguments");
    bool is_purecap = m->image.abi == MAC_PURECAP;
    Stack s = {.m = m, .is_purecap = is_purecap, .word = is_purecap ? 16 : 8, .strings = l->stack_high - 16, .is_ok = true};
    Cap *strings = xalloc(((size_t)argc + envc) * sizeof(Cap));
    u8 random_bytes[16];
    for (u32 i = 0; i < 16; i++) random_bytes[i] = (u8)lnx_random(l);
    Cap exec_name = push_string(&s, name), platform = push_string(&s, "aarch64");
    for (u32 i = envc; i-- > 0;) strings[argc + i] = push_string(&s, args->envp[i]);
    for (u32 i = argc; i-- > 0;) strings[i] = push_string(&s, args->argv[i]);
    s.strings &= ~15ULL;
    Cap random = push_bytes(&s, random_bytes, sizeof random_bytes, CAP_PERM_GLOBAL | CAP_PERM_LOAD);

    u64 n_aux = 19 + (is_purecap ? 9 : 0);
    u64 n_words = 1 + (argc + 1) + (envc + 1) + 2 * n_aux;
    u64 sp = (s.strings - n_words * s.word) & ~15ULL;
    u32 perms = CAP_PERM_GLOBAL | LNX_CAP_READ | LNX_CAP_WRITE;
    u64 argv_at = sp + s.word, envp_at = argv_at + (argc + 1) * s.word, auxv_at = envp_at + (envc + 1) * s.word;
    Cap argv = bounded(argv_at, (argc + 1) * s.word, perms), envp = bounded(envp_at, (envc + 1) * s.word, perms);
    Cap auxv = bounded(auxv_at, 2 * n_aux * s.word, perms);
    s.at = sp;
    put(&s, number(argc));
    for (u32 i = 0; i < argc; i++) put(&s, strings[i]);
    put(&s, number(0));
    for (u32 i = 0; i < envc; i++) put(&s, strings[argc + i]);
    put(&s, number(0));
    put_auxv(&s, &exec_name, &platform, &random);
    if (is_purecap)
        put_cheri_auxv(&s, bounded(l->stack_low, m->cfg.stack_bytes, perms | LNX_CAP_VMEM), argc, argv, envc, envp);
    put_aux(&s, AT_NULL, number(0));
    CHECK(s.is_ok && s.at == sp + n_words * s.word, "first stack");
    free(strings);
    set_registers(m, sp, argc, argv, envp, auxv);
    return true;
}

bool start_process(Machine *m, const u8 *elf, const char *name, const MacArgs *args, Err *err)
{
    Linux *l = &m->linux_;
    if (!map_segments(m, elf, err)) return false;
    l->is_purecap = m->image.abi == MAC_PURECAP;
    l->exe_name = xstrdup(name);
    l->brk_start = l->brk = m->image.high;
    l->stack_high = STACK_HIGH;
    l->stack_low = STACK_HIGH - m->cfg.stack_bytes;
    if (!mem_map(m->mem, l->stack_low, m->cfg.stack_bytes, lnx_mem_prot(LNX_PROT_READ | LNX_PROT_WRITE)))
        return err_set(err, CAPLAB_EX_DATA, "no room for the stack of %llu bytes in guest memory", (unsigned long long)m->cfg.stack_bytes);
    return make_stack(m, name, args, err);
}
