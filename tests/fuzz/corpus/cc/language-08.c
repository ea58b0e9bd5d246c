2typedef struct N N; struct N { N *next; int (*cmp)(const N *, const N *); }; int f(N *a) { return a->next->cmp(a, a->next); }
