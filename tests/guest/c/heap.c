// The library: malloc and friends, string functions, qsort, strtol.
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct Item { char name[8]; int value; };
static int by_value(const void *a, const void *b) { return ((const struct Item *)a)->value - ((const struct Item *)b)->value; }
static int by_string(const void *a, const void *b) { return strcmp(*(char *const *)a, *(char *const *)b); }

struct Tree { struct Tree *l, *r; int key; };
static struct Tree *insert(struct Tree *t, int key)
{
    if (!t) {
        t = malloc(sizeof *t);
        *t = (struct Tree){0, 0, key};
    } else if (key < t->key) {
        t->l = insert(t->l, key);
    } else {
        t->r = insert(t->r, key);
    }
    return t;
}
static int walk(struct Tree *t, int depth) { return t ? walk(t->l, depth + 1) + t->key * depth + walk(t->r, depth + 1) : 0; }
static void drop(struct Tree *t) { if (t) { drop(t->l); drop(t->r); free(t); } }

int main(void)
{
    char *p = malloc(10);
    strcpy(p, "growing");
    for (int n = 20; n < 3000; n *= 3) {
        p = realloc(p, n);
        memset(p + 7, '.', n - 8);
        p[n - 1] = 0;
    }
    printf("%d %.10s %d\n", (int)strlen(p), p, (int)((uintptr_t)p % 16));
    free(p);
    int *z = calloc(100, sizeof *z), s = 0;
    for (int i = 0; i < 100; i++) s |= z[i];
    printf("%d\n", s);
    free(z);
    struct Tree *t = 0;
    unsigned seed = 1;
    for (int i = 0; i < 500; i++) t = insert(t, (int)((seed = seed * 1103515245u + 12345u) >> 16) % 1000);
    printf("%d\n", walk(t, 1));
    drop(t);
    struct Item items[] = {{"c", 3}, {"a", 1}, {"e", 5}, {"b", 2}, {"d", 4}};
    qsort(items, 5, sizeof *items, by_value);
    for (int i = 0; i < 5; i++) printf("%s", items[i].name);
    char *words[] = {"pear", "apple", "fig", "banana"};
    qsort(words, 4, sizeof *words, by_string);
    printf(" %s %s %s %s\n", words[0], words[1], words[2], words[3]);
    void *blocks[200];
    for (int i = 0; i < 200; i++) {
        blocks[i] = malloc((size_t)(i * 37 % 500));
        if (blocks[i] && i * 37 % 500) memset(blocks[i], i, (size_t)(i * 37 % 500));
    }
    for (int i = 0; i < 200; i += 2) free(blocks[i]);
    for (int i = 0; i < 200; i += 2) blocks[i] = malloc(100);
    int bad = 0;
    for (int i = 1; i < 200; i += 2)
        for (int k = 0; k < i * 37 % 500; k++) bad += ((unsigned char *)blocks[i])[k] != i;
    printf("%d\n", bad);
    for (int i = 0; i < 200; i++) free(blocks[i]);
    printf("%ld %ld %d %d\n", strtol("-123x", NULL, 10), strtol("ff", NULL, 16), atoi("77"), abs(-4));
    return 0;
}
// expect: 1619 growing... 0
// expect: 0
// expect: 2432516
// expect: abcde apple banana fig pear
// expect: 0
// expect: -123 255 77 4
