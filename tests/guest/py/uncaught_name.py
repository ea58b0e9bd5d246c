def f():
    return undefined_name
print("first")
f()
