count = 0
def up():
    global count
    count += 1
def read():
    return count
def shadow():
    count = "local"
    return count
up(); up()
print(count, read(), shadow(), count)
def make():
    global created
    created = 5
make()
print(created)
def later():
    return defined_later
defined_later = "fine"
print(later(), __name__)
