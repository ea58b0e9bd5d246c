a = list(range(8))
a[2:4] = ["x", "y"]
print(a)
a[2:4] = []
print(a)
a[1:1] = [10, 11, 12]
print(a)
a[:3] = a[1:3] + a[:1]
print(a)
a[5:] = [99]
print(a)
a[:] = [1, 2, 3]
print(a)
a[1:] = a[2:] + a[1:2]
print(a)
a[3:] = range(3)
print(a)
del a[1:3]
print(a)
a[-1:] = [7, 8]
print(a)
