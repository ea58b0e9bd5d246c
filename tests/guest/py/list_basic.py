a = [1, 2, 3]
print(a, len(a), a[0], a[-1], a[1])
a[1] = "two"
print(a, 3 in a, 4 in a, "two" in a)
b = a + [4, 5]
print(b, a * 2, [0] * 4, a == [1, "two", 3], a != b)
c = a
c.append(9)
print(a, c is a, a[:] is a, a[:] == a)
print([], [[1, 2], [3]], [[1, 2], [3]][0][1])
del a[0]
print(a)
print([1, 2] < [1, 3], [1] < [1, 0], [2] > [1, 9])
