// only: guest
// asm statements: basic, operands, read-write operands, register variables, memory operands, system calls.
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>

static long add(long a, long b)
{
    long r;
    asm("add %0, %1, %2" : "=r"(r) : "r"(a), "r"(b));
    return r;
}

static unsigned rotate(unsigned x)
{
    asm("ror %w0, %w0, #8" : "+r"(x));
    return x;
}

static long count_ones_by_hand(unsigned long x)
{
    long n = 0, t;
    while (x) {
        asm volatile("sub %1, %0, #1\n\tand %0, %0, %1" : "+r"(x), "=&r"(t));
        n++;
    }
    return n;
}

static long id(void)
{
    register long x8 asm("x8") = 172; // getpid
    register long x0 asm("x0") = 0;
    asm volatile("svc #0" : "+r"(x0) : "r"(x8) : "memory", "cc");
    return x0;
}

int main(void)
{
    asm("nop");
    asm volatile("" ::: "memory");
    printf("%ld\n", add(40, 2));
    printf("%08x\n", rotate(0x12345678));
    printf("%ld\n", count_ones_by_hand(0xf0f0));
    long imm;
    asm("mov %0, %1" : "=r"(imm) : "i"(1234));
    printf("%ld\n", imm);
    printf("%d\n", id() > 0);
    return 0;
}
// expect: 42
// expect: 78123456
// expect: 8
// expect: 1234
// expect: 1
