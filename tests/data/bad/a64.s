// A line of A64: an error in purecap.
        .globl _start
_start: stp     x0, x1, [x2]
