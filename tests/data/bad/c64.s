// A line of C64: an error in hybrid.
        .globl _start
_start: stp     x0, x1, [c2]
