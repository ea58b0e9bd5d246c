print(True, False, None)
print(not True, not False, not None, not 0, not 1, not "", not "a", not [], not [0])
print(True and False, True or False, None or 5, 0 and 5, 3 and 4, "" or "default")
print(bool(0), bool(1), bool(""), bool("x"), bool([]), bool([1]), bool(None), bool(0.0), bool({}), bool(()))
print(True == 1, False == 0, None == None, None is None, None != 0)
x = None
print(x is None, x is not None)
print([True, None, False])
