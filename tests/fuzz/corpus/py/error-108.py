a = const(b)
