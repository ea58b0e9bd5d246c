// Pointers: arithmetic, arrays of arrays, pointers to pointers and functions, comparisons, strings.
#include <stddef.h>
#include <stdio.h>
#include <string.h>

typedef int (*Op)(int, int);
static int add(int a, int b) { return a + b; }
static int sub(int a, int b) { return a - b; }
static int mul(int a, int b) { return a * b; }
static Op ops[] = {add, sub, mul};
static Op choose(char c) { return c == '+' ? add : c == '-' ? sub : mul; }

static int sum2(int m[][4], int rows)
{
    int s = 0;
    for (int i = 0; i < rows; i++)
        for (int j = 0; j < 4; j++) s += m[i][j] * (i + 1);
    return s;
}

static void swap(int **a, int **b) { int *t = *a; *a = *b; *b = t; }

struct Node { int v; struct Node *next; };

static struct Node *reverse(struct Node *n)
{
    struct Node *r = NULL;
    while (n) {
        struct Node *next = n->next;
        n->next = r;
        r = n;
        n = next;
    }
    return r;
}

int main(void)
{
    int a[10];
    for (int *p = a; p < a + 10; p++) *p = (int)(p - a) * 3;
    int *q = &a[7];
    int first = *q--, second = *--q;
    printf("%d %d %d %d\n", first, second, q[-1], (int)(&a[9] - q));
    printf("%d %d %d\n", q > a, q == &a[5], a <= q);
    int m[3][4] = {{1, 2, 3, 4}, {5, 6, 7, 8}, {9, 10, 11, 12}};
    printf("%d %d %d\n", sum2(m, 3), *(*(m + 1) + 2), (int)(&m[2][1] - &m[0][3]));
    int (*row)[4] = m + 1;
    row++;
    printf("%d %d\n", (*row)[3], row[-2][0]);
    for (unsigned i = 0; i < 3; i++) printf("%d ", ops[i](7, 3));
    printf("%d %d\n", choose('-')(1, 2), (*choose('*'))(6, 7));
    printf("%d\n", ops[0] == add && choose('+') != sub);
    int x = 1, y = 2, *px = &x, *py = &y;
    swap(&px, &py);
    printf("%d %d\n", *px, *py);
    struct Node n[4] = {{1, &n[1]}, {2, &n[2]}, {3, &n[3]}, {4, NULL}};
    for (struct Node *p = reverse(n); p; p = p->next) printf("%d ", p->v);
    printf("\n");
    const char *s = "hello, world", *c = strchr(s, 'w');
    printf("%s %d %zu\n", c, (int)(c - s), strlen(c + 2));
    char buf[32] = "abc";
    char *e = buf + strlen(buf);
    *e++ = '-';
    *e = 0;
    strcat(buf, "def");
    printf("%s %d\n", buf, strcmp(buf, "abc-deg") < 0);
    char **argvish = (char *[]){"one", "two", NULL};
    while (*argvish) printf("%s ", *argvish++);
    printf("\n");
    void *v = &a[3];
    printf("%d %d\n", *(int *)v, ((unsigned char *)v)[0]);
    ptrdiff_t d = (char *)&a[4] - (char *)&a[1];
    printf("%d %d\n", (int)d, (int)((unsigned long)d % sizeof(int)));
    int *null = 0;
    printf("%d %d %d\n", !null, null == NULL, px != null);
    return 0;
}
// expect: 21 15 12 4
// expect: 1 1 1
// expect: 188 7 6
// expect: 12 1
// expect: 10 4 21 -1 42
// expect: 1
// expect: 2 1
// expect: 4 3 2 1 
// expect: world 7 3
// expect: abc-def 1
// expect: one two 
// expect: 9 9
// expect: 12 0
// expect: 1 1 1
