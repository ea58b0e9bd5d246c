// only: purecap
// cheriintrin.h: what capabilities the compiler, the linker and malloc give, and what the intrinsics do.
#include <cheriintrin.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int global[10];
static const char text[] = "constant";
static int function(int x) { return x + 1; }

static void show(const char *what, const void *p)
{
    printf("%s: %d %d offset %lu sealed %d write %d exec %d\n", what, cheri_tag_get(p), (int)cheri_length_get(p), cheri_offset_get(p),
           cheri_is_sealed(p), (cheri_perms_get(p) & CHERI_PERM_STORE) != 0, (cheri_perms_get(p) & CHERI_PERM_EXECUTE) != 0);
}

struct Holder { char c; void *p; long n; };

int main(void)
{
    int local[6];
    long scalar = 5, *ps = &scalar;
    char *heap = malloc(25);
    show("global", &global[2]);
    show("text", text);
    show("local", local);
    show("scalar", ps);
    show("heap", heap);
    show("string", "four");
    printf("function: %d sealed %d %d\n", cheri_tag_get((void *)function), cheri_is_sealed((void *)function), function(1));
    char *n = cheri_bounds_set(heap + 4, 8);
    show("narrowed", n);
    show("read only", cheri_perms_and(n, CHERI_PERM_LOAD | CHERI_PERM_GLOBAL));
    show("untagged", cheri_tag_clear(n));
    printf("%d %d\n", cheri_is_equal_exact(n, heap + 4), n == heap + 4);
    printf("%d %d\n", (int)(cheri_address_get(n) - (ptraddr_t)heap), cheri_tag_get((void *)(long)cheri_address_get(n)));
    struct Holder h = {'a', local, 3}, copy;
    memcpy(&copy, &h, sizeof h);
    printf("%d", cheri_tag_get(copy.p));
    copy = h;
    printf(" %d", cheri_tag_get(copy.p));
    memmove(&copy.n, &h.n, sizeof(long));
    unsigned char *bytes = (unsigned char *)&copy.p;
    bytes[0] = bytes[0]; // a byte store clears the tag
    printf(" %d\n", cheri_tag_get(copy.p));
    uintptr_t u = (uintptr_t)local;
    printf("%d %d\n", cheri_tag_get((void *)(u + 4)), cheri_tag_get((void *)((long)u + 4)));
    void *far = (void *)(u + (1L << 40));
    printf("%d\n", cheri_tag_get(far));
    printf("%lu %lx\n", cheri_representable_length(0x100001), cheri_representable_alignment_mask(0x100001));
    return 0;
}
// expect: global: 1 40 offset 8 sealed 0 write 1 exec 0
// expect: text: 1 9 offset 0 sealed 0 write 0 exec 0
// expect: local: 1 24 offset 0 sealed 0 write 1 exec 0
// expect: scalar: 1 8 offset 0 sealed 0 write 1 exec 0
// expect: heap: 1 25 offset 0 sealed 0 write 1 exec 0
// expect: string: 1 5 offset 0 sealed 0 write 0 exec 0
// expect: function: 1 sealed 1 2
// expect: narrowed: 1 8 offset 0 sealed 0 write 1 exec 0
// expect: read only: 1 8 offset 0 sealed 0 write 0 exec 0
// expect: untagged: 0 8 offset 0 sealed 0 write 1 exec 0
// expect: 0 1
// expect: 4 0
// expect: 1 1 0
// expect: 1 0
// expect: 0
// expect: 1049088 fffffffffffffe00
