// setjmp_c64.s: jmp_buf = c19..c30, CSP, unused, d8..d15 (setjmp.h); all 129 bits of each register.
        .text
        .globl  setjmp
        .type   setjmp, %function
        .p2align 2
setjmp:
        stp     c19, c20, [c0]
        stp     c21, c22, [c0, #32]
        stp     c23, c24, [c0, #64]
        stp     c25, c26, [c0, #96]
        stp     c27, c28, [c0, #128]
        stp     c29, c30, [c0, #160]
        mov     c2, csp
        str     c2, [c0, #192]
        stp     d8, d9, [c0, #224]
        stp     d10, d11, [c0, #240]
        stp     d12, d13, [c0, #256]
        stp     d14, d15, [c0, #272]
        mov     w0, #0
        ret     c30
        .size   setjmp, . - setjmp

        .globl  longjmp
        .type   longjmp, %function
        .p2align 2
longjmp:
        ldp     c19, c20, [c0]
        ldp     c21, c22, [c0, #32]
        ldp     c23, c24, [c0, #64]
        ldp     c25, c26, [c0, #96]
        ldp     c27, c28, [c0, #128]
        ldp     c29, c30, [c0, #160]
        ldr     c2, [c0, #192]
        mov     csp, c2
        ldp     d8, d9, [c0, #224]
        ldp     d10, d11, [c0, #240]
        ldp     d12, d13, [c0, #256]
        ldp     d14, d15, [c0, #272]
        cmp     w1, #0
        csinc   w0, w1, wzr, ne         // longjmp(env, 0) returns 1
        ret     c30
        .size   longjmp, . - longjmp

// void *__save_registers(void *out[12]): c19..c30 to out; returns CSP. For conservative collectors.
        .globl  __save_registers
        .type   __save_registers, %function
        .p2align 2
__save_registers:
        stp     c19, c20, [c0]
        stp     c21, c22, [c0, #32]
        stp     c23, c24, [c0, #64]
        stp     c25, c26, [c0, #96]
        stp     c27, c28, [c0, #128]
        stp     c29, c30, [c0, #160]
        mov     c0, csp
        ret     c30
        .size   __save_registers, . - __save_registers
