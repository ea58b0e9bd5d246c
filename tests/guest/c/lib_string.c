// The library's memory and string functions: every length and alignment against a byte-by-byte model; pointers survive copies.
#include <stdint.h>
#include <stdio.h>
#include <string.h>

static unsigned char a[200], b[200], model[200];

static int same(void)
{
    for (unsigned i = 0; i < sizeof a; i++) {
        if (a[i] != model[i]) return 0;
    }
    return 1;
}

static void fill(void)
{
    for (unsigned i = 0; i < sizeof a; i++) a[i] = model[i] = (unsigned char)(i * 7 + 3), b[i] = (unsigned char)(i * 13 + 1);
}

static int copies(void)
{
    for (unsigned to = 0; to < 20; to++) {
        for (unsigned from = 0; from < 20; from++) {
            for (unsigned n = 0; n < 70; n += 1 + n / 20) {
                fill();
                memcpy(a + to, b + from, n);
                for (unsigned i = 0; i < n; i++) model[to + i] = b[from + i];
                if (!same()) return 0;
                fill();
                memmove(a + to, a + from, n);
                unsigned char old[200];
                for (unsigned i = 0; i < sizeof old; i++) old[i] = model[i];
                for (unsigned i = 0; i < n; i++) model[to + i] = old[from + i];
                if (!same()) return 0;
                fill();
                memset(a + to, (int)(from ? from + 0x180 : 0), n);
                for (unsigned i = 0; i < n; i++) model[to + i] = (unsigned char)(from ? from + 0x80 : 0);
                if (!same()) return 0;
            }
        }
    }
    return 1;
}

struct Pair {
    char c;
    int *p;
};

int main(void)
{
    int x = 1, y = 2;
    printf("copies %d\n", copies());
    struct Pair s = {'s', &x}, t[3];
    memcpy(&t[0], &s, sizeof s);
    memmove(&t[1], &t[0], sizeof s * 2);
    memmove(&t[2], &t[1], sizeof s);
    s.p = &y;
    memmove(&t[0], &t[2], sizeof s);
    printf("%d %d %d %c\n", *t[0].p, *t[2].p, *s.p, t[0].c);
    printf("%zu %zu %zu\n", strlen(""), strlen("four"), strnlen("four", 3));
    printf("%d %d %d\n", strcmp("a", "b") < 0, strcmp("ab", "a") > 0, strcmp("x", "x"));
    printf("%d %d\n", strncmp("abc", "abd", 2), strncmp("abc", "abd", 3) < 0);
    printf("%s %s %s\n", strchr("caplab", 'l'), strrchr("abab", 'a'), strstr("capability", "bil"));
    printf("%d %d\n", strchr("abc", 'z') == NULL, strstr("abc", "zz") == NULL);
    char buf[16];
    strcpy(buf, "one");
    strcat(buf, "two");
    printf("%s %d\n", buf, memcmp(buf, "onetw0", 6) > 0);
    strncpy(buf, "xy", 5);
    printf("%s %d %d\n", buf, buf[3], buf[4]);
    printf("%s\n", (char *)memchr("find me", 'm', 7));
    printf("%d\n", memcmp("\x80", "\x7f", 1) > 0);
    return 0;
}
// expect: copies 1
// expect: 1 1 2 s
// expect: 0 4 3
// expect: 1 1 0
// expect: 0 1
// expect: lab ab bility
// expect: 1 1
// expect: onetwo 1
// expect: xy 0 0
// expect: me
// expect: 1
