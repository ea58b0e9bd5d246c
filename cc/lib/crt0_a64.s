// crt0_a64.s: start of a hybrid program. SP points at argc, argv, NULL, envp, NULL, auxv (AArch64 Linux).
        .text
        .globl  _start
        .type   _start, %function
        .p2align 2
_start:
        mov     x29, #0
        mov     x30, #0
        ldr     x0, [sp]
        add     x1, sp, #8
        add     x2, x1, x0, lsl #3
        add     x2, x2, #8
        bl      __libc_start
        brk     #1
        .size   _start, . - _start

// In a section of its own: a program with another _start takes this without the one above.
        .section .text.__syscall
// uintptr_t __syscall(long number, a, b, c, d, e, f)
        .globl  __syscall
        .type   __syscall, %function
        .p2align 2
__syscall:
        mov     x8, x0
        mov     x0, x1
        mov     x1, x2
        mov     x2, x3
        mov     x3, x4
        mov     x4, x5
        mov     x5, x6
        svc     #0
        ret
        .size   __syscall, . - __syscall
