// own_start.s: a program without C: what the machine does from its first instruction on. For purecap (C64):
//
//     caplab run examples/own_start.s        prints ABCDEFGHIJKLMNO, status 3
//     caplab tui examples/own_start.s        s steps; 1 shows the registers, 2 the memory of the selected one
//
// The assembler's labels are local: .globl makes _start the program's entry, and the C library's start-up code stays out.
// At the start csp is a capability to the whole stack, pcc one to the code; x0 is argc, c1 argv, c2 envp.
        .globl  _start
        .type   _start, %function
_start:
        sub     csp, csp, #48           // room: 16 bytes of text, 16 of a neighbour, 16 for a capability
        mov     c0, csp
        scbnds  c0, c0, #16             // c0: the text and nothing else
        str     c0, [csp, #32]          // a capability in memory: its tag is kept beside it
        str     xzr, [csp, #16]         // the neighbour
        bl      fill                    // c30: a capability to the next instruction

        ldr     c1, [csp, #32]          // write(1, text, 16)
        mov     x0, #1
        mov     x2, #16
        mov     x8, #64
        svc     #0
        mov     x0, #3                  // exit(3)
        mov     x8, #93
        svc     #0
        .size   _start, . - _start

// Writes fifteen letters and a newline to c0. With 17 for 16 the last store meets the bounds: a fault card says so.
        .type   fill, %function
fill:
        mov     x2, #0
        mov     w1, #'A'
next:
        strb    w1, [c0, x2]
        add     w1, w1, #1
        add     x2, x2, #1
        cmp     x2, #16
        b.ne    next
        mov     w1, #'\n'
        strb    w1, [c0, #15]
        ret     c30
        .size   fill, . - fill
