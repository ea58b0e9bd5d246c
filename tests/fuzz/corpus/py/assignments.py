a = b = c = [1]
b.append(2)
print(a, c)
x = 5
x += 2; print(x)
x -= 3; print(x)
x *= 10; print(x)
x //= 3; print(x)
x %= 8; print(x)
x **= 2; print(x)
x /= 2; print(x)
s = "a"
s += "b"
s *= 2
print(s)
l = [1]
m = l
l += [2]
print(l, m, l is m)
l[0] += 10
print(l)
d = {"k": 1}
d["k"] += 5
print(d)
i, l[i] = 1, 99
print(i, l)
