def check(f, *args):
    try:
        return f(*args)
    except ZeroDivisionError:
        return "division"
    except (KeyError, IndexError) as e:
        return "lookup"
    except TypeError:
        return "type"
    except Exception as e:
        return "other"
print(check(lambda: 1 // 0), check(lambda: {}["a"]), check(lambda: [][1]), check(lambda: 1 + "a"), check(lambda: 5))
def order(x):
    try:
        print("try")
        if x == 1:
            raise ValueError("one")
        if x == 2:
            return "returned"
    except ValueError as e:
        print("except", e)
    else:
        print("else")
    finally:
        print("finally")
    return "end"
for i in range(3):
    print(order(i))
class MyError(Exception):
    pass
try:
    raise MyError("mine", 5)
except MyError as e:
    print(e.args)
def nested():
    try:
        try:
            raise KeyError("k")
        finally:
            print("inner")
    except KeyError:
        print("outer")
nested()
for i in range(3):
    try:
        if i == 1:
            continue
        if i == 2:
            break
        print("body", i)
    finally:
        print("cleanup", i)
