#!/usr/bin/env python3
"""Drives `caplab tui` in a terminal (tmux) and reads the screen.

At three named stops of a Python program the numbers on the panes equal the JSON report of `caplab run --max-insns` at the same stop; its
screens are golden files without their numbers, which every change of compiler or interpreter moves. The screens of the assembler programs
in examples and tests/data/s are golden to the last digit: nothing but the views and the machine can change them.

After a wanted change: tests/ui/tui.py --update, then read the difference before committing it."""
import os
import re
import subprocess
import sys
import time

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../support"))
from caplab import EXE, ROOT, Failures, caplab, report  # noqa: E402

GOLDEN = os.path.join(ROOT, "tests/ui/golden")
PROGRAM = "bench/py/nqueens.py"
ARGS = ["4"]
STOPS = {"early": 150000, "middle": 400000, "end": None}


class Screen:
    """A caplab in a tmux of its own. Each has another server: the one before may still be ending."""

    count = 0

    def __init__(self, command, width=80, height=24):
        Screen.count += 1
        self.server = f"caplab-test-{os.getpid()}-{Screen.count}"
        env = dict(os.environ, LC_ALL="C.UTF-8", TERM="screen-256color")
        env.pop("TMUX", None)
        self.env = env
        self.tmux("-f", "/dev/null", "new-session", "-d", "-x", str(width), "-y", str(height), "-c", ROOT, command)

    def tmux(self, *args):
        return subprocess.run(["tmux", "-L", self.server, *args], env=self.env, capture_output=True, text=True)

    def text(self):
        lines = self.tmux("capture-pane", "-p").stdout.split("\n")
        return "\n".join(line.rstrip() for line in lines).rstrip("\n") + "\n"

    def keys(self, *keys):
        for k in keys:
            self.tmux("send-keys", k)

    def type(self, text):
        self.tmux("send-keys", "-l", text)

    def wait(self, pattern, seconds=60):
        end = time.time() + seconds
        while time.time() < end:
            text = self.text()
            if re.search(pattern, text):
                return text
            time.sleep(0.05)
        raise TimeoutError(f"no {pattern!r} on the screen:\n{self.text()}")

    def close(self):
        self.tmux("kill-server")


def number(pattern, text):
    m = re.search(pattern, text)
    return int(m.group(1).replace(",", "")) if m else None


def check_heap(f, where, text, heap):
    f.equal(number(r"live ([\d,]+) of", text), heap["live_blocks"], f"{where}: live blocks")
    f.equal(number(r"live [\d,]+ of ([\d,]+)", text), heap["blocks"], f"{where}: blocks")
    f.equal(number(r"free ([\d,]+),", text), heap["free_blocks"], f"{where}: free blocks")
    f.equal(number(r"largest run ([\d,]+)", text), heap["largest_free_run"], f"{where}: largest free run")
    f.equal(number(r"allocs ([\d,]+)", text), heap["allocs"], f"{where}: allocations")
    f.equal(number(r"search steps ([\d,]+)", text), heap["search_steps"], f"{where}: search steps")


def check_opcodes(f, where, text, r):
    f.equal(number(r"bytecodes +([\d,]+)", text), r["bytecodes"], f"{where}: bytecodes")
    f.equal(number(r"garbage collector +([\d,]+)", text), r["insns_gc"], f"{where}: collector")
    f.equal(number(r"outside Python +([\d,]+)", text), r["insns_outside_opcodes"], f"{where}: outside")
    rows = re.findall(r"│(\S.*?)\s+([\d,]+)\s+([\d,]+)\s+[\d.]+$", text, re.M)
    f.expect(len(rows) >= 8, f"{where}: only {len(rows)} opcode rows")
    known = {o["name"]: (o["count"], o["insns"]) for o in r["opcodes"]}
    for name, count, insns in rows:
        full = [k for k in known if k.startswith(name.strip())]
        shown = (int(count.replace(",", "")), int(insns.replace(",", "")))
        f.expect(shown in [known[k] for k in full], f"{where}: {name} shows {shown}, report {[known[k] for k in full]}")


def normal(text):
    """The screen without what every change of compiler or interpreter moves: counts become 9, the instruction section and the map go."""
    out, in_code = [], False
    for line in text.split("\n"):
        left, bar, right = line.partition("│")
        if re.match(r"\S+\+0x[0-9a-f]+ .*[AC]64$", left):
            in_code = True
        if in_code and bar:
            left = ""
        if re.fullmatch(r"[·░▒▓█■=M]+", right):
            right = "(map)"
        if not bar:
            left = re.sub(r"pc [0-9a-f]+", "pc 9", left)
        number = re.compile(r"[0-9][0-9,.]*")
        out.append((left.rstrip() if bar else number.sub("9", left)) + bar + number.sub("9", right))
    return re.sub(r" +", " ", "\n".join(out))


def check_golden(f, name, text, update):
    check_exact(f, name, normal(text), update)


def check_exact(f, name, text, update):
    path = os.path.join(GOLDEN, name + ".txt")
    if update:
        with open(path, "w") as out:
            out.write(text)
    want = open(path).read() if os.path.exists(path) else ""
    if text != want:
        f.expect(False, f"screen {name} differs from its golden file; it is now:\n{text}")
    else:
        f.expect(True, name)


def panes(f, screen, stop, r, update):
    for key, pane in (("1", "registers"), ("2", "memory"), ("3", "heap"), ("4", "opcodes")):
        screen.keys(key)
        text = screen.wait({"1": "reg tag", "2": "following", "3": "live ", "4": "opcode +count"}[key])
        if pane == "heap":
            check_heap(f, f"{stop} heap", text, r["heaps"][0])
        if pane == "opcodes":
            check_opcodes(f, f"{stop} opcodes", text, r)
        if stop == "end" and pane == "heap":
            check_golden(f, f"nqueens-{pane}", text, update)


def check_stops(f, update):
    screen = Screen(f"{EXE} tui {PROGRAM} -- {' '.join(ARGS)}")
    try:
        screen.wait("q quit")
        for stop, insns in STOPS.items():
            if insns:
                screen.type(f":until {insns}")
                screen.keys("Enter")
                screen.wait(rf"insn {insns:,} .*stepped")
                r = report(PROGRAM, "--max-insns", insns, guest_args=ARGS, cwd=ROOT)[2]
                f.equal(r["insns"], insns, f"{stop}: instructions in the report")
            else:
                screen.keys("c")
                screen.wait("the program ended with status 0")
                r = report(PROGRAM, guest_args=ARGS, cwd=ROOT)[2]
                f.equal(number(r"insn ([\d,]+)", screen.text()), r["insns"], "end: instructions")
            panes(f, screen, stop, r, update)
        screen.keys("?")
        check_golden(f, "help", screen.wait("caplab: keys and signs"), update)
        screen.keys("NPage")
        check_golden(f, "help-end", screen.wait("All counts are exact"), update)
        screen.keys("x", "q")
    finally:
        screen.close()


def check_steps(f, update):
    """One bytecode and one line forward; a line breakpoint stops there; bad commands say what is wrong and lose nothing."""
    screen = Screen(f"{EXE} tui --abi hybrid {PROGRAM} -- {' '.join(ARGS)}")
    try:
        screen.wait("q quit")
        screen.keys("n")
        f.equal(number(r"bytecode ([\d,]+) ", screen.wait("bytecode 1 ")), 1, "first bytecode")
        screen.keys("b")
        screen.wait("bytecode 2 ")
        before = number(r"insn ([\d,]+)", screen.text())
        screen.keys("s")
        screen.wait(rf"insn {before + 1:,} ")
        screen.type(":break 11")
        screen.keys("Enter")
        screen.wait("breakpoint at line 11")
        screen.keys("c")
        f.expect("● 11▸" in screen.wait(r"line 11 .*breakpoint"), "the breakpoint's line is marked")
        screen.keys("3")
        screen.wait("live ")
        check_golden(f, "nqueens-line", screen.text(), update)
        for command, answer in (("nonsense", "no command"), ("until x", "needs an instruction count"), ("until 1", "already"),
                                ("break nowhere", "no line, address or symbol"), ("memory 0xzz", "no address"), ("pane x", "no pane")):
            screen.type(":" + command)
            screen.keys("Enter")
            screen.wait(answer)
        f.expect(True, "bad commands")
        screen.keys("q")
    finally:
        screen.close()


OWN = {"purecap": "examples/own_start.s", "hybrid": "examples/own_start_hybrid.s"}


def check_own(f, abi, update):
    """Every pane before, in and after a program of a few instructions; the same screens as text without a terminal."""
    screen = Screen(f"{EXE} tui --abi {abi} {OWN[abi]}")
    try:
        check_exact(f, f"own-{abi}-start", screen.wait("q quit"), update)
        screen.type(":until 60")
        screen.keys("Enter")
        screen.wait("insn 60 .*stepped")
        for key, pane in (("1", "registers"), ("2", "memory"), ("3", "heap"), ("4", "opcodes")):
            screen.keys(key)
            text = screen.wait({"1": "reg +(tag|value)", "2": "following", "3": "no garbage", "4": "no bytecodes"}[key])
            check_exact(f, f"own-{abi}-{pane}", text, update)
            plain = caplab("tui", "--abi", abi, "--until", 60, "--pane", pane, "--text", "-", OWN[abi], cwd=ROOT)[1]
            f.equal(plain, text, f"{abi} {pane}: tui --text")
        # The granule that holds the address of the text: a capability in one ABI, a number in the other.
        stack, granule = {"purecap": ("csp", "7ffffefffbd0"), "hybrid": ("sp", "7ffffefffe40")}[abi]
        screen.type(f":memory {stack}")
        screen.keys("Enter", "Down", "Down")
        check_exact(f, f"own-{abi}-pointer", screen.wait(f"at {granule} "), update)
        screen.keys("f", "1")
        screen.type(":break fill")
        screen.keys("Enter")
        screen.wait("breakpoint at 0x")
        screen.keys("c")
        check_exact(f, f"own-{abi}-end", screen.wait("ended with status 3"), update)
        screen.keys("q")
    finally:
        screen.close()


def check_stepping(f, update):
    """A step marks what it changed; a breakpoint stops before its instruction."""
    screen = Screen(f"{EXE} tui {OWN['purecap']}")
    try:
        screen.wait("q quit")
        screen.type(":break fill")
        screen.keys("Enter")
        screen.wait("breakpoint at 0x")
        screen.keys("c")
        check_exact(f, "own-purecap-break", screen.wait("stopped by a breakpoint"), update)
        screen.keys("s", "s", "s")
        screen.wait("insn 9 .*stepped")
        screen.keys("Down", "Down", "Down", "m")  # c0
        check_exact(f, "own-purecap-step", screen.wait("following c0"), update)
        screen.keys("q")
    finally:
        screen.close()


def check_fault(f, update):
    """A fault tells what happened and selects the register it happened with."""
    screen = Screen(f"{EXE} tui tests/data/s/overrun.s")
    try:
        screen.wait("q quit")
        screen.keys("c")
        check_exact(f, "overrun-registers", screen.wait("Guest fault"), update)
        screen.keys("2")
        check_exact(f, "overrun-memory", screen.wait("following c0"), update)
        screen.keys("q")
    finally:
        screen.close()


def check_wide(f, update):
    text = caplab("tui", "--until", 60, "--pane", "memory", "--size", "132x43", "--text", "-", OWN["purecap"], cwd=ROOT)[1]
    check_exact(f, "own-purecap-wide", text, update)


def check_small(f):
    screen = Screen(f"{EXE} tui {PROGRAM} -- {' '.join(ARGS)}", 20, 5)
    try:
        f.expect("needs 80x24" in screen.wait("80x24"), "a terminal of 20x5")
        screen.keys("s", "q")
    finally:
        screen.close()


def main():
    f = Failures()
    check_stops(f, "--update" in sys.argv)
    check_steps(f, "--update" in sys.argv)
    for abi in OWN:
        check_own(f, abi, "--update" in sys.argv)
    check_stepping(f, "--update" in sys.argv)
    check_fault(f, "--update" in sys.argv)
    check_wide(f, "--update" in sys.argv)
    check_small(f)
    f.finish()


if __name__ == "__main__":
    main()
