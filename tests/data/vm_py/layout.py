class Empty: pass
class Base():
    """Docs."""
    limit = 3
    def __init__(self, a, b=2):
        # comment
        self.a = a; self.b = b

    @property
    def both(self):
        return self.a + self.b
    @staticmethod
    def helper(x): return x
    @decorate(1, key="v")
    @module.wrap
    def twice(self, *args, **kwargs):
        return self.helper(*args, **kwargs) \
            + self.helper(2)


class Derived(Base, metaclass=Meta):
    x: int = 1

    def __init__(self):
        super().__init__(1)
        s = super()
        self.z = super().both

    class Inner:
        def get(self):
            return __class__


@decorated
class Third(Derived): y = 1


def far(a):











    if a:

        return a
    else:
        b = (a,
             a)


        return b


def long_jump(n):
    while n:
        if n == 1: print("aaaaaaaaaaaaaaa", 111111, 222222, 333333, 444444, 555555)
        if n == 2: print("bbbbbbbbbbbbbbb", 111111, 222222, 333333, 444444, 555555)
        if n == 3: print("ccccccccccccccc", 111111, 222222, 333333, 444444, 555555)
        if n == 4: print("ddddddddddddddd", 111111, 222222, 333333, 444444, 555555)
        if n == 5: print("eeeeeeeeeeeeeee", 111111, 222222, 333333, 444444, 555555)
        n -= 1
    return n


def many_locals(a0, a1, a2, a3, a4, a5, a6, a7):
    b0 = b1 = b2 = b3 = b4 = b5 = b6 = b7 = a0
    c0 = c1 = c2 = a7
    def use(): return c1 + a3
    del c2, b1
    return b7 + c0 + c1
def after(): return lambda: (yield)
if __name__ == "__main__":
	tabbed = 1
	if tabbed:
	        mixed = 2
pairs = {
    2: (1,
        3),
    4: (1,
        3,),
}
e = (1,
     2)
f = (1,
     2,)
g = (1,
     2,
     3)
h = (1,
     )
fold = (1 +
        2 * 70000 *
        70000)
