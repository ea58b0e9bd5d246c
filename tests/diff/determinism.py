#!/usr/bin/env python3
"""Two runs give the same report but for "host"; so do the two engines, and a run cut into pieces by --max-insns agrees with the whole."""
import json
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../support"))
from caplab import ROOT, Failures, report  # noqa: E402


def without_host(text):
    """The report's text with the host object cut out: byte for byte, not as values."""
    start = text.index('"host"')
    end = text.index("}", start)
    return text[:start] + text[end:]


def main():
    f = Failures()
    path = os.path.join(ROOT, "bench/py/nqueens.py")
    for abi in ("hybrid", "purecap"):
        first = report(path, "--abi", abi, guest_args=[5])[3]
        again = report(path, "--abi", abi, guest_args=[5])[3]
        f.expect(without_host(first) == without_host(again), f"{abi}: two reports differ")
        whole = json.loads(first)
        loop = report(path, "--abi", abi, "--engine", "loop", guest_args=[5])[2]
        for key in ("insns", "loads", "stores", "cap_loads", "cap_stores", "opcodes", "heaps", "insns_gc"):
            f.equal(loop[key], whole[key], f"{abi}: {key} with the other engine")
        for limit in (1, 777, 65537, whole["insns"] - 1, whole["insns"]):
            status, _, r, _ = report(path, "--abi", abi, "--max-insns", limit, guest_args=[5])
            f.equal(r["insns"], min(limit, whole["insns"]), f"{abi}: instructions with --max-insns {limit}")
            if limit < whole["insns"]:
                f.equal((status, r["exit"]["reason"]), (124, "limit"), f"{abi}: end with --max-insns {limit}")
    f.finish()


if __name__ == "__main__":
    main()
