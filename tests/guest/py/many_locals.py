def f(a, b, c, d, e, f_, g, h):
    i = a + b; j = c + d; k = e + f_; l = g + h
    m = i * j; n = k * l; o = m - n; p = o + 1
    q = [a, b, c]; r = {"x": p}; s = "s" * a; t = (q, s)
    u = t[0][1]; v = len(s); w = r["x"] + u + v
    return i, j, k, l, m, n, o, p, q, r, s, t, u, v, w
print(f(1, 2, 3, 4, 5, 6, 7, 8))
def g(n):
    a = b = c = d = e = f = g_ = h = i = j = k = l = m = n
    return [x for x in (a, b, c, d, e, f, g_, h, i, j, k, l, m) if x == n]
print(len(g(4)))
