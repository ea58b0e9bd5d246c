# pystone.py [LOOPS]: a synthetic mix of assignments, comparisons, calls and record accesses, after the idea of the old
# Dhrystone benchmark: typical statements of a program without much arithmetic. Prints what it computed, no times.
import sys

RED, AMBER, GREEN = 1, 2, 3


class Record:
    def __init__(self, link=None, kind=RED, colour=RED, number=0, text=""):
        self.link = link
        self.kind = kind
        self.colour = colour
        self.number = number
        self.text = text

    def copy(self):
        return Record(self.link, self.kind, self.colour, self.number, self.text)


class Shared:
    def __init__(self):
        self.counter = 0
        self.flag = False
        self.letter = "A"
        self.letter_two = "A"
        self.row = [0] * 51
        self.table = []
        for i in range(51):
            self.table.append([0] * 51)
        self.head = Record()
        self.tail = Record()


def next_colour(colour, shared):
    result = colour
    if not is_green(colour):
        result = AMBER
    if colour == RED:
        result = RED
    elif colour == AMBER:
        if shared.counter > 100:
            result = RED
        else:
            result = AMBER
    elif colour == GREEN:
        result = AMBER
    return result


def is_green(colour):
    local = colour
    return local == GREEN


def add_two(a, b):
    return a + 2 + b


def fill_row(row, table, at, value, shared):
    place = at + 5
    row[place] = value
    row[place + 1] = row[place]
    row[place + 30] = place
    for i in range(place, place + 2):
        table[place][i] = place
    table[place][place - 1] = table[place][place - 1] + 1
    table[place + 20][place] = row[place]
    shared.counter = 5


def same_letters(a, b):
    i = 2
    while i <= 2:
        if classify(a[i], b[i + 1]) == RED:
            letter = "A"
            i += 1
    if letter >= "W" and letter <= "Z":
        i = 7
    if letter == "X":
        return True
    return a > b


def classify(left, right):
    local = left
    if local != right:
        return RED
    return AMBER


def link_records(record, shared):
    following = record.copy()
    record.link = following
    record.number = 5
    following.number = record.number
    following.link = record.link
    following.link = head_link(following.link, shared)
    if following.kind == RED:
        following.number = 6
        following.colour = next_colour(record.colour, shared)
        following.link = shared.head.link
        following.number = add_two(following.number, 10)
    else:
        record = following.copy()
    following.link = None
    return record


def head_link(record, shared):
    if shared.head is not None:
        record = shared.head.link
    else:
        shared.counter = 100
    shared.head.number = add_two(10, shared.counter)
    return record


def adjust(number, shared):
    local = number + 10
    while True:
        if shared.letter == "A":
            local -= 1
            number = local - shared.counter
            colour = RED
        if colour == RED:
            break
    return number


def set_flag(shared):
    shared.flag = shared.flag or shared.letter == "A"
    shared.letter_two = "B"


def reset_letter(shared):
    shared.letter = "A"
    shared.flag = False


def run(loops):
    shared = Shared()
    shared.head.link = shared.tail
    shared.head.colour = GREEN
    shared.head.number = 40
    shared.head.text = "A RECORD WITH SOME TEXT"
    first = "THE FIRST OF TWO STRINGS"
    shared.table[8][7] = 10
    one = three = 0
    for i in range(loops):
        reset_letter(shared)
        set_flag(shared)
        one = 2
        two = 3
        second = "THE SECOND OF TWO STRINGS"
        colour = AMBER
        shared.flag = not same_letters(first, second)
        while one < two:
            three = 5 * one - two
            three = add_two(one, two)
            one += 1
        fill_row(shared.row, shared.table, one, three, shared)
        shared.head = link_records(shared.head, shared)
        letter = "A"
        while letter <= shared.letter_two:
            if colour == classify(letter, "C"):
                colour = next_colour(RED, shared)
            letter = "B" if letter == "A" else "C"
        three = two * one
        two = three // one
        two = 7 * (three - two) - one
        one = adjust(one, shared)
    return shared, one, two, three


n = int(sys.argv[1]) if len(sys.argv) > 1 else 400
state, int1, int2, int3 = run(n)
print("pystone(%d):" % n, int1, int2, int3)
print(state.counter, state.flag, state.letter, state.head.number, state.head.colour)
print(state.row[8], state.row[9], state.row[38], state.table[8][7], state.table[28][8], sum(state.row))
