// The library's printf: flags, widths, precisions, lengths; snprintf cuts and counts.
#include <stdio.h>

int main(void)
{
    char small[5];
    printf("[%d|%5d|%-5d|%05d|%+d|% d|%.3d|%5.2d]\n", 42, 42, 42, 42, 42, 42, 7, 7);
    printf("[%x|%X|%#x|%#o|%o|%u|%08x]\n", 255, 255, 255, 8, 8, 4000000000u, 0xbeef);
    printf("[%ld|%lu|%lld|%zu|%hd|%hhd|%hhu]\n", -5L, 18446744073709551615UL, 1LL << 40, sizeof(int), 70000, 300, 300);
    printf("[%s|%10s|%-10s|%.2s|%*s|%.*s|%c|%%]\n", "ab", "ab", "ab", "abcdef", 4, "x", 1, "yz", 'q');
    printf("[%d|%x|%.0d|%i]\n", -2147483647 - 1, 0, 0, -1);
    printf("[%p|%5c|%-3c|%s]\n", (void *)0x1234, 'r', 'l', (const char *)NULL);
    int n = snprintf(small, sizeof small, "%d", 1234567);
    printf("%d %s\n", n, small);
    n = snprintf(NULL, 0, "%s-%s", "abc", "de");
    printf("%d\n", n);
    printf("%d\n", printf("%s", "count") + sprintf(small, "%d", 12));
    fprintf(stdout, "%s %s\n", small, "end");
    puts("puts");
    putchar('p');
    fputs("ut\n", stdout);
    return 0;
}
// expect: [42|   42|42   |00042|+42| 42|007|   07]
// expect: [ff|FF|0xff|010|10|4000000000|0000beef]
// expect: [-5|18446744073709551615|1099511627776|4|4464|44|44]
// expect: [ab|        ab|ab        |ab|   x|y|q|%]
// expect: [-2147483648|0||-1]
// expect: [0x1234|    r|l  |(null)]
// expect: 7 1234
// expect: 6
// expect: count7
// expect: 12 end
// expect: puts
// expect: put
