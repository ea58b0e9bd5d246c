a = list(range(10))
print(a[2:5], a[:3], a[7:], a[:], a[-3:], a[:-3], a[-5:-2])
print(a[::2], a[1::3], a[::-1], a[8:2:-2], a[2::-1], a[:3:-1])
print(a[5:2], a[20:], a[-20:3], a[3:100])
for i in range(-3, 4):
    print(a[i:i + 3], a[i:], a[:i])
