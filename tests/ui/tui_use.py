#!/usr/bin/env python3
"""What a student does in `caplab tui`: steps by line, endless loops, programs that are not Python, long output, lines that are too long.

The screens are driven as in tui.py; here it is what happens that is tested, not each column."""
import os
import re
import sys
import tempfile
import unicodedata

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from tui import EXE, Failures, Screen, caplab, number  # noqa: E402

LOOP = """\
def twice(number_to_double):
    result = number_to_double + number_to_double    # a line that is longer than its column
    return result


# nothing on this line runs
i = 0
while i < 40:
    i += 1
    print("line", i, twice(i))
for k in range(2):
    i += 1
while True: pass
"""
CALLS = """\
#include <stdio.h>

// n!
__attribute__((noinline))
static int fact(int n) {
    if (n <= 1) return 1;
    return n * fact(n - 1);
}
int (*volatile f)(int) = fact; // not computed at compile time

int main(void)

{
    int n = f(5);
    printf("%d\\n", n);
    return n != 120;
}
"""


BRANCHES = """\
x = 0
y = 3
def f(a):
    if a == 1:
        return 1
    elif a == 2:
        if x:
            return 5
    elif y:
        for i in range(a):
            if i == 1:
                continue
            if i > 99:
                break
        else:
            a = 5
        while a > 3:
            a -= 1
            if a == 4 and x:
                a -= 100
    else:
        a = 7
    if x:
        a = 9
for k in [1, 2, 3]:
    f(k)
    if x:
        f(9)
while x < 2:
    x += 1
    if x == 9:
        f(x)
try:
    z = 1
    if x == 2:
        z = 3
finally:
    z = 4
if not x:
    z = 5
"""


def lines_of(screen, key, count):
    """The line after each of `count` steps."""
    seen = []
    for _ in range(count):
        before = number(r"insn ([\d,]+)", screen.text())
        screen.keys(key)
        text = screen.wait(rf"(?s)^(?!.*insn {before:,} ).*step done")
        seen.append(number(r"  line (\d+)", text))
    return seen


def check_lines(f, path):
    """The arrow stands where the program is, at loops' heads, too; y goes into calls, n does not; a breakpoint stops once a line."""
    screen = Screen(f"{EXE} tui {path}")
    try:
        screen.wait("ready: y goes to the first Python line")
        f.equal(lines_of(screen, "y", 9), [1, 7, 8, 9, 10, 2, 3, 10, 8], "lines of y")
        f.equal(lines_of(screen, "n", 4), [9, 10, 8, 9], "lines of n")
        f.expect("▸  9     i += 1" in screen.text(), "the arrow is at line 9")
        for command, answer in (("break 5", "line 5 has no code to stop at; the nearest line with code is 7"),
                                ("break 999", "line 999 has no code to stop at; the nearest line with code is 13")):
            screen.type(":" + command)
            screen.keys("Enter")
            screen.wait(re.escape(answer))
        f.expect(not re.search("^●", screen.text(), re.M), "no breakpoint was set")
        for line in (10, 2):
            screen.type(f":break {line}")
            screen.keys("Enter")
            screen.wait(f"breakpoint at line {line}")
        for line, where in ((10, "<module>"), (2, "twice"), (10, "<module>")):
            screen.keys("c")
            screen.wait(f"stopped by a breakpoint at line {line} of {where}")
        screen.keys("n")
        screen.wait("stopped by a breakpoint at line 2 of twice")  # n does not go in, a breakpoint there stops
        screen.keys("q")
    finally:
        screen.close()


def python_lines(path):
    """The lines that python3 itself says it runs."""
    seen = set()

    def trace(frame, event, _):
        if frame.f_code.co_filename == path:
            if event == "line":
                seen.add(frame.f_lineno)
            return trace

    with open(path) as source:
        code = compile(source.read(), path, "exec")
    sys.settrace(trace)
    exec(code, {})
    sys.settrace(None)
    return seen


def check_arrow(f, path):
    """The arrow is never at a line that python3 does not run, whatever is not taken: branches, loops, else."""
    screen = Screen(f"{EXE} tui --abi hybrid {path}")
    seen = set()
    try:
        text = screen.wait("ready")
        while "ended with" not in text:
            insns = re.search(r"insn ([\d,]+)", text).group(1)
            screen.keys("y")
            screen.wait(rf"(?s)^(?!.*insn {insns} )")
            text = screen.wait("step done|ended with status 0")
            seen.add(number(r"  line (\d+)", text))
        screen.keys("q")
    finally:
        screen.close()
    want = python_lines(path)
    f.equal(sorted(seen - want - {None}), [], "lines that do not run")
    f.equal(sorted(want - seen), [9], "lines that run unseen")  # `elif y:` has no bytecode with a line of its own


def check_endless(f, path):
    """A step that never arrives keeps the screen alive, with breakpoints and without, says that it runs, and ends by a key."""
    screen = Screen(f"{EXE} tui --abi hybrid {path}")
    try:
        screen.wait("ready")
        screen.type(":break 13")
        screen.keys("Enter")
        screen.wait("breakpoint at line 13")
        screen.keys("c")
        screen.wait("stopped by a breakpoint at line 13 of <module>")
        for key, answer in (("y", "stopped by a key, still at line 13"), ("n", "stopped by a key, still at line 13"), ("c", "stopped by a key")):
            before = number(r"insn ([\d,]+)", screen.text())
            screen.keys(key)
            screen.wait(r"(?s)RUNNING.*running.*space stops")
            seen = number(r"insn ([\d,]+)", screen.wait(rf"(?s)^(?!.*insn {before:,} )"))
            more = number(r"insn ([\d,]+)", screen.wait(rf"(?s)^(?!.*insn {seen:,} )"))
            f.expect(more > seen > before, f"{key}: the count does not move: {before}, {seen}, {more}")
            screen.keys("3", "1")
            screen.wait("reg ")
            screen.keys("Space")
            screen.wait(answer)
            f.expect("RUNNING" not in screen.text(), f"{key}: still running")
        screen.keys("c")
        screen.wait("RUNNING")
        screen.keys("C-c")
        screen.wait("stopped by a key")
        screen.keys("C-c")
        screen.wait("nothing runs; q quits")
        screen.type(":break 13")
        screen.keys("Enter")
        screen.wait("removed")
        screen.type(":until 400M")
        screen.keys("Enter")
        text = screen.wait("insn 419,430,400 .*stepped")
        f.expect(re.search("  line 13 +stepped$", text.split("\n")[0]), "large counts leave the line and the stop readable")
        screen.keys("q")
    finally:
        screen.close()


def check_output(f, path):
    """All output can be read: scrolled while the program stands, and after the screen is gone."""
    screen = Screen(f"sh -c '{EXE} tui {path}; echo DONE; sleep 60'")
    try:
        screen.wait("ready")
        screen.type(":break 11")
        screen.keys("Enter")
        screen.wait("breakpoint at line 11")
        screen.keys("c", "5")
        f.expect("line 40 80" in screen.wait("lines 24-40 of 40"), "the end of the output")
        screen.keys("PPage", "PPage", "PPage", "PPage")
        f.expect("line 1 2\n" in screen.wait("lines 1-17 of 40"), "the beginning of the output")
        screen.keys("Down")
        screen.wait("lines 2-18 of 40")
        screen.keys("f")
        screen.wait("lines 24-40 of 40")
        screen.keys("q")
        text = screen.wait("DONE")
        f.expect("line 40 80\n" in text, "output after the end")
        text = screen.tmux("capture-pane", "-p", "-S", "-200").stdout
        f.equal(re.findall(r"^line (\d+) \d+", text, re.M), [str(i) for i in range(1, 41)], "lines after the end")
        f.expect(f"---- output of {path} ----\n" in text, "what the lines are")
    finally:
        screen.close()


def check_cut(f, path):
    """What is cut says so and can be read."""
    screen = Screen(f"{EXE} tui {path}")
    try:
        f.expect(re.search(r"^   2     result = number_to_double…│", screen.wait("ready"), re.M), "a cut line is marked")
        screen.keys("Right", "Right")
        screen.wait(r"\n   2 …")
        screen.keys("Right", "Right", "Right", "Right", "Right", "Right", "Right", "Right")
        screen.wait(r"than its column│")
        screen.keys("Left", "Left", "Left", "Left", "Left", "Left", "Left", "Left", "Left", "Left")
        screen.wait(r"\n   2     result")
        screen.type(":until 100000")
        screen.keys("Enter", "4")
        text = screen.wait("opcode +count")
        f.expect(re.search(r"LOAD_CONST_SMALL_INT_MULTI +[\d,]+ +[\d,]+ +[\d.]+$", text, re.M), "the longest opcode and its numbers")
        screen.keys("q")
    finally:
        screen.close()


def check_wide(f, path):
    """Wide characters take two columns and combining marks none: the line between the columns stays straight."""
    with open(path, "w") as out:
        out.write('s = "\u65e5\u672c\u8a9e" * 20 # \u65e5\u672c\u8a9e\u65e5\u672c\u8a9e\n'
                  'print("e\\u0301", s, "\u00e4\u00f6\u00fc")\n\tprint("a tab")\n'.replace("\n\tprint", "\nif s:\n\tprint"))
    text = caplab("tui", "--text", "-", path)[1]
    for row in text.split("\n")[1:19]:
        left = row.partition("\u2502")[0]
        f.equal(sum(2 if unicodedata.east_asian_width(c) == "W" else 1 for c in left), 35, f"columns of {left!r}")
    text = caplab("tui", "--pane", "output", "--until", 400000, "--text", "-", path)[1]
    f.equal(text.count("\u8a9e") >= 20, True, "all of the output, in several rows")


def check_c(f, abi, path):
    """A C program: its lines, by its line table."""
    screen = Screen(f"{EXE} tui --abi {abi} {path}")
    try:
        screen.wait("ready: y goes to the first line")
        f.equal(lines_of(screen, "y", 4), [11, 14, 5, 6], f"{abi}: lines of y")
        f.expect(re.search("^▸  6     if", screen.text(), re.M), f"{abi}: the arrow is at line 6")
        screen.type(":break 4")
        screen.keys("Enter")
        screen.wait("line 4 has no code to stop at; the nearest line with code is 5")
        screen.type(":break 15")
        screen.keys("Enter")
        screen.wait("breakpoint at line 15")
        screen.keys("c")
        screen.wait("(?m)^● 15▸ (?s:.*)stopped by a breakpoint at line 15 of main")
        f.equal(lines_of(screen, "n", 1), [16], f"{abi}: lines of n")
        f.expect("120\n" in screen.text(), f"{abi}: what the line printed")
        screen.keys("b")
        screen.wait("no Python program, no bytecodes")
        screen.keys("c")
        screen.wait("ended with status 0")
        screen.keys("q")
    finally:
        screen.close()


def check_no_lines(f, abi, path):
    """A program without source: keys for lines say so and run nothing; n goes over a whole call, recursion included."""
    elf = path + "." + abi
    f.equal(caplab("cc", "--abi", abi, "-o", elf, path)[0], 0, "cc")
    screen = Screen(f"{EXE} tui {elf}")
    try:
        screen.wait("ready: s steps")
        for key, answer in (("b", "no Python program, no bytecodes"), ("y", "no Python program, no line table")):
            screen.keys(key)
            screen.wait(answer)
            f.equal(number(r"insn ([\d,]+)", screen.text()), 0, f"{abi} {key}: instructions")
            screen.keys("1")
            screen.wait("─ output ─")
        screen.type(":break fact")
        screen.keys("Enter")
        screen.wait("breakpoint at 0x")
        screen.keys("c")
        screen.wait("(?m)^fact.*\n●.*▸")
        screen.type(":break fact")
        screen.keys("Enter")
        screen.wait("removed")
        while "▸" in screen.text():
            before = screen.text()
            if re.search(r"^▸ *[0-9a-f]+ blr? .*fact", before, re.M):
                break
            screen.keys("s")
            screen.wait(r"(?s)^(?!.*insn " + re.search(r"insn ([\d,]+)", before).group(1) + " )")
        count = number(r"insn ([\d,]+)", before)
        frame = re.search(r"c?sp *\*?.* ([0-9a-f]{12,16})", before).group(1)
        screen.keys("n")
        text = screen.wait("step done")
        f.expect(re.search(r"^fact\+", text, re.M), f"{abi}: after the call it is in fact again")
        f.expect(re.search(r"c?sp *\*?.* ([0-9a-f]{12,16})", text).group(1) == frame, f"{abi}: in the same frame")
        f.expect(number(r"insn ([\d,]+)", text) > count + 20, f"{abi}: the whole call")
        screen.keys("c")
        screen.wait("ended with status 0")
        screen.keys("q")
    finally:
        screen.close()


def main():
    f = Failures()
    with tempfile.TemporaryDirectory() as folder:
        loop, calls, branches = (os.path.join(folder, name) for name in ("loop.py", "calls.c", "branches.py"))
        for path, text in ((loop, LOOP), (calls, CALLS), (branches, BRANCHES)):
            with open(path, "w") as out:
                out.write(text)
        check_lines(f, loop)
        check_arrow(f, branches)
        check_endless(f, loop)
        check_output(f, loop)
        check_cut(f, loop)
        check_wide(f, os.path.join(folder, "wide.py"))
        for abi in ("hybrid", "purecap"):
            check_c(f, abi, calls)
            check_no_lines(f, abi, calls)
    f.finish()


if __name__ == "__main__":
    main()
