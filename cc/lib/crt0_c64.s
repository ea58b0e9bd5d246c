// crt0_c64.s: start of a purecap program: x0 = argc, C1 = argv, C2 = envp, C3 = auxv (Morello Linux PCuABI).
//
// No global may be used before its capability exists. Each 40-byte entry of the table between __cap_relocs_start and
// __cap_relocs_end says: at `location` belongs a capability to [base, base + size), address base + offset, without the
// permissions in `mask`. Data comes from the root AT_CHERI_EXEC_RW_CAP (60), code (mask bit 63) from
// AT_CHERI_EXEC_RX_CAP (61); code pointers become sentries.
        .text
        .globl  _start
        .type   _start, %function
        .p2align 2
_start:
        mov     x29, #0
        mov     x30, #0
        mov     c4, c3
        mov     x5, #0
        mov     x6, #0
.Lauxv:
        ldr     x7, [c4]
        cbz     x7, .Lroots
        cmp     x7, #60
        b.ne    .Lnot_rw
        ldr     c5, [c4, #16]
.Lnot_rw:
        cmp     x7, #61
        b.ne    .Lnot_rx
        ldr     c6, [c4, #16]
.Lnot_rx:
        add     c4, c4, #32
        b       .Lauxv
.Lroots:
        adrp    c7, __cap_relocs_start
        add     c7, c7, :lo12:__cap_relocs_start
        adrp    c8, __cap_relocs_end
        add     c8, c8, :lo12:__cap_relocs_end
        scvalue c4, c5, x7              // the table lies in data: read it through the data root
.Lentry:
        cmp     x4, x8
        b.hs    .Lrun
        ldp     x9, x10, [c4]           // location, base
        ldp     x11, x12, [c4, #16]     // offset, size
        ldr     x13, [c4, #32]          // permissions to clear
        mov     x14, #0
        cbz     x10, .Lstore
        tbnz    x13, #63, .Lcode
        scvalue c14, c5, x10
        scbnds  c14, c14, x12
        add     c14, c14, x11
        clrperm c14, c14, x13
        b       .Lstore
.Lcode:
        scvalue c14, c6, x10
        scbnds  c14, c14, x12
        add     c14, c14, x11
        clrperm c14, c14, x13
        seal    c14, c14, rb
.Lstore:
        scvalue c15, c5, x9
        str     c14, [c15]
        add     c4, c4, #40
        b       .Lentry
.Lrun:
        mov     x5, #0                  // main needs no roots
        mov     x6, #0
        mov     x15, #0
        bl      __libc_start
        brk     #1
        .size   _start, . - _start

// In a section of its own: a program with another _start takes this without the one above.
        .section .text.__syscall
// uintptr_t __syscall(long number, a, b, c, d, e, f): pointers travel as capabilities
        .globl  __syscall
        .type   __syscall, %function
        .p2align 2
__syscall:
        mov     x8, x0
        mov     c0, c1
        mov     c1, c2
        mov     c2, c3
        mov     c3, c4
        mov     c4, c5
        mov     c5, c6
        svc     #0
        ret     c30
        .size   __syscall, . - __syscall
