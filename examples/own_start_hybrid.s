// own_start_hybrid.s: own_start.s for hybrid (plain A64): addresses are numbers, nothing has bounds.
//
//     caplab run --abi hybrid examples/own_start_hybrid.s        prints ABCDEFGHIJKLMNO, status 3
//
// At the start sp points at argc, argv[] follows.
        .globl  _start
        .type   _start, %function
_start:
        sub     sp, sp, #48             // room: 16 bytes of text, 16 of a neighbour, 16 for an address
        mov     x0, sp
        str     x0, [sp, #32]           // an address in memory: eight bytes like any others
        str     xzr, [sp, #16]          // the neighbour
        bl      fill                    // x30: where to go on

        ldr     x1, [sp, #32]           // write(1, text, 16)
        mov     x0, #1
        mov     x2, #16
        mov     x8, #64
        svc     #0
        mov     x0, #3                  // exit(3)
        mov     x8, #93
        svc     #0
        .size   _start, . - _start

// Writes fifteen letters and a newline to x0. With 17 for 16 the last store changes the neighbour, and nobody notices.
        .type   fill, %function
fill:
        mov     x2, #0
        mov     w1, #'A'
next:
        strb    w1, [x0, x2]
        add     w1, w1, #1
        add     x2, x2, #1
        cmp     x2, #16
        b.ne    next
        mov     w1, #'\n'
        strb    w1, [x0, #15]
        ret
        .size   fill, . - fill
