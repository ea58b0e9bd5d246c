#!/usr/bin/env python3
"""A damaged .mpy file is refused or does something else than it should, but never breaks the Python machine: neither the host's build, nor
the simulated one (a fault there is reported exactly, but the machine promises none), nor caplab itself.

One to four bytes of compiled programs are changed at a time: opcodes into other opcodes, operands and labels by a little, bits, runs of bytes."""
import os
import random
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../support"))
from caplab import EXE, ROOT, Failures, caplab  # noqa: E402

HOST_VM = os.environ["CAPLAB_VM_HOST"]
SOURCES = ["wide/exceptions", "wide/generators", "wide/functions", "wide/classes", "wide/mixture", "wide/mixture", "py/with_statement",
           "py/closures", "py/comprehensions"]
OPCODES = [*range(0x10, 0x1d), *range(0x20, 0x38), 0x40, *range(0x42, 0x4c), *range(0x50, 0x60), *range(0x62, 0x6a), 0x80, 0x81, 0xb0, 0xb1, 0xb2,
           0xc0, 0xc1, 0xd2, 0xd3, 0xd9, 0xf2]
INSNS_LIMIT, SECONDS_LIMIT = 3000000, 5


def damage(rng, good):
    bad = bytearray(good)
    for _ in range(rng.choice((1, 1, 2, 3))):
        at = rng.randrange(20, len(bad))
        how = rng.randrange(5)
        if how == 0:
            bad[at] = rng.choice(OPCODES)
        elif how == 1:
            bad[at] = (bad[at] + rng.choice((-2, -1, 1, 2, 4))) & 255
        elif how == 2:
            bad[at] ^= 1 << rng.randrange(8)
        elif how == 3:
            bad[at] = rng.randrange(256)
        else:
            source, n = rng.randrange(20, len(bad)), rng.randrange(1, 5)
            bad[at:at + n] = bad[source:source + n]
    return bytes(bad)


def status_of(command, folder):
    try:
        return subprocess.run(command, cwd=folder, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, timeout=SECONDS_LIMIT).returncode
    except subprocess.TimeoutExpired:
        return 124  # a changed jump may well make it run for ever


def main():
    n, seed = int(sys.argv[1]), int(sys.argv[2]) if len(sys.argv) > 2 else 1
    f, rng, seen = Failures(), random.Random(seed), {}
    with tempfile.TemporaryDirectory() as folder:
        files = []
        for name in SOURCES:
            f.equal(caplab("py", os.path.join(ROOT, "tests/guest", name + ".py"), "-o", os.path.join(folder, "good.mpy"))[0], 0, name)
            with open(os.path.join(folder, "good.mpy"), "rb") as good:
                files.append(good.read())
        run = [EXE, "run", "--stats", "none", "--max-insns", str(INSNS_LIMIT), "--root", "."]
        machines = {"host": ([HOST_VM, "bad.mpy"], 1), "whole run": (run + ["bad.mpy"], 20)}
        for abi in ("hybrid", "purecap"):
            f.equal(caplab("cc", "--vm", "--abi", abi, "-o", os.path.join(folder, abi + ".elf"))[0], 0, f"caplab cc --vm {abi}")
            machines[abi] = (run + [abi + ".elf", "--", "bad.mpy"], 5)
        for i in range(n):
            bad = damage(rng, rng.choice(files))
            with open(os.path.join(folder, "bad.mpy"), "wb") as out:
                out.write(bad)
            for machine, (command, every) in machines.items():
                if i % every:
                    continue
                status = status_of(command, folder)
                seen[machine, status] = seen.get((machine, status), 0) + 1
                # 3: what one of the programs exits with
                f.expect(status in (0, 1, 3, 65, 124), f"{machine}: file {i} of seed {seed}: exit status {status}")
    for (machine, status), count in sorted(seen.items()):
        print(f"{machine}: exit status {status}: {count}")
    f.expect(seen.get(("host", 0), 0) > n / 50 and seen.get(("host", 65), 0) > n / 50, "too few files of a kind: the damage is too light or too heavy")
    f.finish()


if __name__ == "__main__":
    main()
