from a import *
def f():
    from b import *
