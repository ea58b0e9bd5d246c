#!/usr/bin/env python3
"""Prints the tables of docs/figures.md from runs of this build (CAPLAB_EXE, default build/release/caplab). All counts are exact.

    tools/figures.py [vectors] [rounds] [cliff] [blocks]      these tables, or all
    tools/figures.py --check                                  prints those that docs/figures.md has otherwise; status 1 if there are any
    tools/figures.py --update                                 and writes them there"""
import glob
import os
import re
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../tests/support"))
from caplab import ROOT, caplab, report  # noqa: E402

PROGRAMS = ("fannkuch", "nqueens", "pystone", "pi", "slices")


def run(name, *args, guest_args=()):
    return report(os.path.join(ROOT, "bench/py", name + ".py"), *args, guest_args=guest_args)[2]


def one_block_share(r):
    heap = r["heaps"][0]
    return 100 * heap["allocs_by_blocks"].get("1", 0) / heap["allocs"]


def table(head, rows):
    lines = ["| " + " | ".join(head) + " |", "|---" * len(head) + "|", *("| " + " | ".join(row) + " |" for row in rows)]
    return "\n".join(lines) + "\n"


def rounds():
    """Seed 000's rounds: instructions of purecap as a multiple of hybrid's."""
    knobs = (("before", ["vm.block_rule=word", "vm.frame_rule=word", "cc.profile=llvm-morello"]),
             ("round 1: block by pointer", ["vm.block_rule=cap", "vm.frame_rule=word", "cc.profile=llvm-morello"]),
             ("round 2: frame by pointer", ["vm.block_rule=cap", "vm.frame_rule=cap", "cc.profile=llvm-morello"]),
             ("round 3: compiler", ["vm.block_rule=cap", "vm.frame_rule=cap", "cc.profile=ideal"]))
    rows = []
    for name in PROGRAMS:
        base = run(name, "--abi", "hybrid")["insns"]
        row = [name, f"{base:,}"]
        for _, settings in knobs:
            r = run(name, "--abi", "purecap", *[w for s in settings for w in ("--set", s)])
            row.append(f"{r['insns'] / base:.3f}")
        rows.append(row)
    return table(["program", "hybrid instructions", *[k[0] for k in knobs]], rows)


def cliff():
    rows = []
    for name, size in (("nqueens", 4), ("nqueens", 5), ("nqueens", 6), ("fannkuch", 5), ("fannkuch", 6)):
        word, cap = (run(name, "--abi", "purecap", "--set", f"vm.block_rule={rule}", guest_args=[size]) for rule in ("word", "cap"))
        rows.append([f"{name} {size}", f"{cap['insns']:,}", f"{word['insns']:,}", f"{word['insns'] / cap['insns']:.1f}",
                     f"{cap['heaps'][0]['search_steps']:,}", f"{word['heaps'][0]['search_steps']:,}",
                     f"{one_block_share(cap):.1f} %", f"{one_block_share(word):.1f} %"])
    return table(["program, size", "insns cap", "insns word", "word / cap", "search steps cap", "word", "1-block allocations cap", "word"], rows)


def blocks():
    rows = []
    for name, size in (("nqueens", 6), ("fannkuch", 6)):
        n = [run(name, "--abi", "hybrid", "--set", f"vm.block_bytes={b}", guest_args=[size])["insns"] for b in (16, 32, 64)]
        rows.append([f"{name} {size}", *[f"{x:,}" for x in n], f"{n[0] / n[1]:.1f}", f"{n[2] / n[1]:.3f}"])
    return table(["program, size", "16-byte blocks", "32", "64", "16 / 32", "64 / 32"], rows)


def vectors():
    """What `caplab isa vectors FILE` says of each file of golden vectors."""
    rows = []
    for path in sorted(glob.glob(os.path.join(ROOT, "tests/data/vectors/**/*.vec.zst"), recursive=True)):
        out = caplab("isa", "vectors", path)[1]
        skipped = re.search(r"skipped: (\d+) without a row.*?, (\d+) use a feature", out).groups()
        passed, failed = re.search(r"(\d+) passed, (\d+) failed", out).groups()
        stxp = re.search(r"(\d+) of the passed cases show STXP", out)
        name = os.path.relpath(path, os.path.join(ROOT, "tests/data/vectors"))
        rows.append([name, *(f"{int(n):,}" for n in (passed, failed, *skipped, stxp.group(1) if stxp else 0))])
    return table(["file", "passed", "failed", "skipped: no row", "feature", "passed by the reference's STXP"], rows)


def replaced(page, part, text):
    """The page with the table below the command of a part replaced."""
    start = page.index("\n| ", page.index(f"`tools/figures.py {part}`")) + 1
    return page[:start] + text + page[page.index("\n\n", start) + 1:]


def main(words):
    compares = "--check" in words or "--update" in words
    path = os.path.join(ROOT, "docs/figures.md")
    with open(path) as f:
        page = f.read()
    stale = 0
    for part in [w for w in words if not w.startswith("--")] or ("vectors", "rounds", "cliff", "blocks"):
        text = globals()[part]()
        if compares and text in page:
            continue
        print(f"docs/figures.md is out of date: {part}\n{text}" if compares else text)
        if compares:
            stale += 1
            page = replaced(page, part, text)
    if "--update" in words:
        with open(path, "w") as f:
            f.write(page)
    return 1 if stale and "--update" not in words else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
