#!/usr/bin/env python3
"""Seed 000's cliff: with the block rule of round 0 the search for free blocks takes over; the counters say why.

Purecap: block_rule=word against cap. Hybrid: 16-byte blocks show the same; 64-byte blocks stay near 32."""
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../support"))
from caplab import ROOT, Failures, report  # noqa: E402

SIZES = {"nqueens": [6], "fannkuch": [6]}


def ones_share(heap):
    return heap["allocs_by_blocks"].get("1", 0) / heap["allocs"]


def main():
    f = Failures()
    for name, args in SIZES.items():
        path = os.path.join(ROOT, "bench/py", name + ".py")

        def run(abi, *knobs):
            _, _, r, _ = report(path, "--abi", abi, *[w for k in knobs for w in ("--set", k)], guest_args=args)
            return r

        word, cap = run("purecap", "vm.block_rule=word"), run("purecap", "vm.block_rule=cap")
        factor = word["insns"] / cap["insns"]
        f.expect(factor > 20, f"{name} {args}: purecap word/cap = {factor:.1f}, want > 20")
        extra = word["heaps"][0]["search_steps"] - cap["heaps"][0]["search_steps"]
        f.expect(extra > 0.1 * (word["insns"] - cap["insns"]), f"{name}: {extra} more search steps do not explain the difference")
        f.expect(ones_share(cap["heaps"][0]) > 0.5, f"{name}: one-block share with cap {ones_share(cap['heaps'][0]):.2f}")
        f.expect(ones_share(word["heaps"][0]) <= 0.10, f"{name}: one-block share with word {ones_share(word['heaps'][0]):.2f}")
        b16, b32, b64 = (run("hybrid", f"vm.block_bytes={n}")["insns"] for n in (16, 32, 64))
        f.expect(b16 > 20 * b32, f"{name}: hybrid 16/32 = {b16 / b32:.1f}, want > 20")
        f.expect(abs(b64 / b32 - 1) <= 0.15, f"{name}: hybrid 64/32 = {b64 / b32:.3f}, want within 15 %")
        print(f"{name} {args}: purecap word/cap {factor:.1f}, hybrid 16/32 {b16 / b32:.1f}, 64/32 {b64 / b32:.3f}")
    f.finish()


if __name__ == "__main__":
    main()
