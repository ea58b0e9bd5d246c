# An own sort, to have nested loops, swaps and comparisons.
def bubble(a):
    n = len(a)
    for i in range(n):
        for j in range(n - 1 - i):
            if a[j] > a[j + 1]:
                a[j], a[j + 1] = a[j + 1], a[j]
    return a
def quick(a):
    if len(a) < 2:
        return a
    p = a[0]
    return quick([x for x in a[1:] if x < p]) + [p] + quick([x for x in a[1:] if x >= p])
data = []
x = 12345
for i in range(60):
    x = (x * 1103515245 + 12345) % 2147483648
    data.append(x % 1000)
print(bubble(data[:]) == sorted(data), quick(data) == sorted(data))
print(quick(data)[:10])
