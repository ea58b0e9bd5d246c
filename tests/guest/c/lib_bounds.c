// In purecap malloc's bounds are those of the request, exactly, without the right to unmap; %#p shows a capability.
// only: purecap
#include <cheriintrin.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int x;

int main(void)
{
    int exact = 0, based = 0, n = 0;
    for (size_t k = 1; k <= 16000; k = k * 5 / 4 + 1, n++) {
        char *p = malloc(k);
        exact += cheri_length_get(p) == k;
        based += cheri_base_get(p) == cheri_address_get(p) && cheri_tag_get(p);
        memset(p, 1, k);
    }
    printf("%d %d\n", exact == n, based == n);
    char *big = malloc(5000001);
    printf("%d %d\n", cheri_length_get(big) == cheri_representable_length(5000001), (int)(cheri_length_get(big) - 5000001 < 4096));
    printf("%d\n", (cheri_perms_get(big) & CHERI_PERM_SW_VMEM) == 0);
    char *grown = realloc(malloc(10), 12);
    printf("%d\n", (int)cheri_length_get(grown));
    char text[80], want[80];
    snprintf(text, sizeof text, "%#p", (void *)&x);
    unsigned long a = cheri_address_get(&x);
    snprintf(want, sizeof want, "0x%lx [rwRW,0x%lx-0x%lx]", a, a, a + 4);
    printf("%d\n", strcmp(text, want) == 0);
    snprintf(text, sizeof text, "%#p", cheri_tag_clear((void *)&x));
    printf("%s\n", strchr(text, '('));
    snprintf(text, sizeof text, "%#p", (void *)main);
    printf("%s\n", strchr(text, '('));
    printf("%#p %p\n", (void *)0x55, (void *)0x55);
    return 0;
}
// expect: 1 1
// expect: 1 1
// expect: 1
// expect: 12
// expect: 1
// expect: (invalid)
// expect: (sentry)
// expect: 0x55 0x55
