// The library's malloc: no overlap, contents kept by realloc, memory reused after free, large blocks given back.
// only: guest
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { N = 300 };
static unsigned char *block[N];
static size_t size[N];

static int holds(int i)
{
    for (size_t k = 0; k < size[i]; k++) {
        if (block[i][k] != (unsigned char)i) return 0;
    }
    return 1;
}

int main(void)
{
    unsigned seed = 1;
    int bad = 0;
    for (int round = 0; round < 3000; round++) {
        seed = seed * 1103515245 + 12345;
        int i = (int)(seed >> 16) % N;
        size_t n = (seed >> 8) % 900 * (round % 50 == 0 ? 60 : 1);
        if (block[i] && !holds(i)) bad++;
        if (round % 3 == 0 && block[i]) {
            unsigned char *p = realloc(block[i], n);
            size_t kept = n < size[i] ? n : size[i];
            for (size_t k = 0; k < kept; k++) bad += p[k] != (unsigned char)i;
            block[i] = p;
        } else {
            free(block[i]);
            block[i] = malloc(n);
        }
        bad += !block[i] || (ptraddr_t)block[i] % 16 != 0;
        size[i] = n;
        memset(block[i], i, n);
    }
    for (int i = 0; i < N; i++) bad += block[i] && !holds(i);
    printf("bad %d\n", bad);
    for (int i = 0; i < N; i++) free(block[i]);
    void *p = malloc(100), *q;
    ptraddr_t old = (ptraddr_t)p;
    free(p);
    q = malloc(100);
    printf("reused %d\n", (ptraddr_t)q == old);
    int *zeros = calloc(50, sizeof(int)), sum = 0;
    for (int i = 0; i < 50; i++) sum |= zeros[i];
    printf("zeros %d, too much %d %d\n", sum, calloc(SIZE_MAX, 2) == NULL, malloc(SIZE_MAX / 2) == NULL);
    void **holder = malloc(40 * sizeof *holder); // pointers inside survive a move
    holder[0] = zeros;
    holder = realloc(holder, 4000 * sizeof *holder);
    ((int *)holder[0])[1] = 7;
    printf("inside %d\n", zeros[1]);
    for (int i = 0; i < 20; i++) free(malloc(3000000)); // would not fit if it stayed
    printf("usable %zu\n", malloc_usable_size(q));
    return 0;
}
// expect: bad 0
// expect: reused 1
// expect: zeros 0, too much 1 1
// expect: inside 7
// expect: usable 100
