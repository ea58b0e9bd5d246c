a, b = 5, "text"
print(f"{a} and {b}", f"{a + 1}{b.upper()}", f"{{}} {a!r} {b!r}")
print(f"{a:4d}|{b:>8}|{b:<8}|{3.14159:.2f}", f"{a=}")
print("{} {}".format(1, "x"), "{1} {0}".format(1, 2), "{:05d}".format(42), "{n}".format(n=3))
