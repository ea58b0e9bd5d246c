class Manager:
    def __init__(self, name, swallow=False):
        self.name = name
        self.swallow = swallow
    def __enter__(self):
        print("enter", self.name)
        return self.name
    def __exit__(self, kind, value, trace):
        print("exit", self.name, kind is not None)
        return self.swallow
with Manager("a") as a:
    print("body", a)
with Manager("b"), Manager("c") as c:
    print("both", c)
with Manager("d", True):
    raise ValueError
def f():
    with Manager("e"):
        return "value"
print(f())
for i in range(2):
    with Manager(i):
        if i == 0:
            continue
        break
