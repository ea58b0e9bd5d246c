// only: guest
// A program with its own _start: the library's start-up code is left out, and nothing asks for main. In purecap nobody has written the
// capabilities of globals and string literals then, so this keeps to the stack.
#include <unistd.h>

void _start(void)
{
    volatile char text[8];
    for (int i = 0; i < 7; i++) text[i] = (char)('A' + i);
    text[7] = '\n';
    write(1, (const char *)text, sizeof text);
    _exit(0);
}
// expect: ABCDEFG
