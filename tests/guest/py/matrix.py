def multiply(a, b):
    out = []
    for i in range(len(a)):
        row = []
        for j in range(len(b[0])):
            s = 0
            for k in range(len(b)):
                s += a[i][k] * b[k][j]
            row.append(s)
        out.append(row)
    return out
m = [[1, 2], [3, 4]]
r = [[1, 0], [0, 1]]
for i in range(10):
    r = multiply(r, m)
print(r, multiply([[0.5, 1.5]], [[2], [4]]))
