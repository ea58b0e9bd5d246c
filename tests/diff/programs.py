#!/usr/bin/env python3
"""The five programs print what python3 prints: in both ABIs, under each block rule and frame rule, with both engines; every report adds up.

Sizes are small here so that the whole product of settings stays within a minute."""
import itertools
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../support"))
from caplab import ROOT, Failures, python_output, report  # noqa: E402

PROGRAMS = {"fannkuch": [6], "nqueens": [5], "pystone": [50], "pi": [40], "slices": [50]}


def check_report(f, r, what):
    ops = sum(o["insns"] for o in r["opcodes"])
    f.equal(ops + r["insns_gc"] + r["insns_outside_opcodes"], r["insns"], f"{what}: sum of opcodes, gc and outside")
    f.equal(sum(o["count"] for o in r["opcodes"]), r["bytecodes"], f"{what}: sum of opcode counts")
    f.equal(r["insns_a64"] + r["insns_c64"], r["insns"], f"{what}: A64 and C64")
    heap = r["heaps"][0]
    f.equal(sum(heap["allocs_by_blocks"].values()), heap["allocs"], f"{what}: allocations by size")
    f.equal(heap["live_blocks"] + heap["free_blocks"], heap["blocks"], f"{what}: blocks")
    f.equal(r["exit"]["reason"], "exit", f"{what}: exit")
    for o in r["opcodes"]:
        f.expect(o["insns_min"] * o["count"] <= o["insns"] <= o["insns_max"] * o["count"], f"{what}: min and max of {o['name']}")


def main():
    f = Failures()
    for name, args in PROGRAMS.items():
        path = os.path.join(ROOT, "bench/py", name + ".py")
        want = python_output(path, *args)
        for abi, block, frame, engine in itertools.product(("hybrid", "purecap"), ("word", "cap"), ("word", "cap"), ("fast", "loop")):
            what = f"{name} {abi} block={block} frame={frame} {engine}"
            status, out, r, _ = report(path, "--abi", abi, "--engine", engine, "--set", f"vm.block_rule={block}",
                                       "--set", f"vm.frame_rule={frame}", guest_args=args)
            f.equal((status, out), (0, want), what)
            check_report(f, r, what)
    f.finish()


if __name__ == "__main__":
    main()
