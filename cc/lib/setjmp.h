// setjmp.h: all callee-saved registers, as capabilities with their tags in purecap; setjmp_*.s knows the layout.
#ifndef _SETJMP_H
#define _SETJMP_H

typedef struct {
    void *__x[14];           // c19..c30, CSP, one to keep pairs even
    unsigned long __d[8];    // d8..d15
} jmp_buf[1];

int setjmp(jmp_buf env) __attribute__((returns_twice));
void longjmp(jmp_buf env, int value) __attribute__((noreturn));

#endif
