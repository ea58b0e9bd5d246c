#!/usr/bin/env python3
"""Random C programs by csmith print the same when built by our compiler (both ABIs, -O0 and -O2) and by aarch64-linux-gnu-gcc.

    tests/diff/csmith.py [FIRST_SEED [COUNT]]     default 1 12; programs that gcc's build cannot finish in time do not count
A difference leaves its program in the current folder as csmith-SEED.c."""
import os
import shutil
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../support"))
from caplab import Failures, caplab  # noqa: E402

HEADERS = "/usr/include/csmith"
# Bit-fields of packed structs may not cross their container here (docs/compiler.md).
VARIANTS = [["--no-packed-struct"], ["--no-packed-struct", "--max-struct-fields", "20", "--max-funcs", "15"],
            ["--no-packed-struct", "--inline-function", "--max-pointer-depth", "4"], ["--no-packed-struct", "--no-volatiles", "--no-unions"]]
MODES = [(abi, level) for abi in ("hybrid", "purecap") for level in ("-O2", "-O0")]


def reference(source, folder):
    """What gcc's build prints, or None if it does not end in time."""
    exe = os.path.join(folder, "gcc.elf")
    subprocess.run(["aarch64-linux-gnu-gcc", "-w", "-O1", "-static", "-ffp-contract=off", "-I" + HEADERS, source, "-lm", "-o", exe], check=True)
    try:
        p = subprocess.run(["qemu-aarch64", exe], capture_output=True, timeout=5)
    except subprocess.TimeoutExpired:
        return None
    return p.stdout.decode() if p.returncode == 0 else None


def check(f, seed, source, folder):
    want = reference(source, folder)
    if want is None:
        return False
    before = f.count
    for abi, level in MODES:
        what = f"seed {seed}, {abi} {level}"
        exe = os.path.join(folder, "ours.elf")
        status, _, errors = caplab("cc", "--abi", abi, level, "-I" + HEADERS, source, "-o", exe)
        f.equal(status, 0, f"{what}: caplab cc: {errors.strip().splitlines()[:1]}")
        if status == 0:
            status, out, errors = caplab("run", "--stats", "none", "--abi", abi, exe)
            f.equal((status, out), (0, want), what)
    if f.count > before:
        shutil.copy(source, f"csmith-{seed}.c")
    return True


def main():
    first, count = (int(a) for a in (sys.argv[1:] + ["1", "12"][len(sys.argv) - 1:])[:2])
    f, n = Failures(), 0
    for tool in ("csmith", "aarch64-linux-gnu-gcc", "qemu-aarch64"):
        if not shutil.which(tool):
            print(f"{tool} is not installed (tools/setup installs it)")
            sys.exit(1)
    with tempfile.TemporaryDirectory() as folder:
        for seed in range(first, first + count):
            source = os.path.join(folder, "t.c")
            with open(source, "wb") as to:
                subprocess.run(["csmith", "--seed", str(seed), *VARIANTS[seed % len(VARIANTS)]], stdout=to, check=True)
            n += check(f, seed, source, folder)
    print(f"{n} of {count} programs compared")
    f.finish()


main()
