// Sixteen bytes of the stack, seventeen stores: the last one meets the bounds.
        .globl  _start
        .type   _start, %function
_start:
        sub     csp, csp, #32
        mov     c0, csp
        scbnds  c0, c0, #16
        mov     x1, #0
1:      strb    w1, [c0, x1]
        add     x1, x1, #1
        b       1b
        .size   _start, . - _start
