x = "module"
class C:
    x = "class"
    y = x
    def get(self):
        return x
print(C.x, C.y, C().get())
def f():
    x = "function"
    class D:
        z = x
    return D.z, x
print(f(), x)
del x
try:
    x
except NameError:
    print("gone")
def unbound():
    print(v)
    v = 1
try:
    unbound()
except NameError:
    print("unbound")
def star(a, *rest):
    return a, rest
print(star(1), star(1, 2, 3), star(*[4, 5]), star(*"ab"))
if (n := len("abcd")) > 3:
    print(n, [last := k for k in range(3)], last)
