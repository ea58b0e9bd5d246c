def kind(x):
    if x < 0:
        return "negative"
    elif x == 0:
        return "zero"
    elif x < 10:
        return "small"
    else:
        return "large"
for x in (-1, 0, 5, 50):
    print(kind(x), "even" if x % 2 == 0 else "odd")
a, b, c = 1, 2, 3
print(a < b < c, a < c < b, a < b > c, a == 1 != b, 1 < 2 < 3 < 4, 3 > 2 > 2)
def side(v):
    print("side", v)
    return v
print(side(0) and side(1), side(1) and side(2), side(0) or side(3), side(4) or side(5))
print(side(1) < side(0) < side(9))
if (a or b) and not (a and not b):
    print("yes")
if not a or not b:
    print("no")
