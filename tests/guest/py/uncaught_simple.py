# An exception nobody catches: the output so far, a traceback on standard error, status 1.
print("start")
def divide(a, b):
    return a // b
def middle():
    x = 5
    return divide(x, 0)
middle()
print("not reached")
