#!/usr/bin/env python3
"""The hybrid VM prints the same under qemu-aarch64 and executes exactly as many instructions there.

Counted with qemu's own log: one translation block per instruction (-singlestep) and one "Trace" line per executed block (-d exec,nochain),
in an empty environment with the same argument vector."""
import os
import shutil
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../support"))
from caplab import ROOT, Failures, caplab, report  # noqa: E402

PROGRAMS = {"fannkuch": [5], "nqueens": [4], "pystone": [5], "pi": [10], "slices": [5]}


def qemu_insns(argv, folder):
    """Instructions that qemu executed, its output, its status."""
    with open(os.path.join(folder, "out"), "w+b") as out:
        p = subprocess.Popen(["qemu-aarch64", "-singlestep", "-d", "exec,nochain", "-D", "/dev/fd/2", *argv], env={},
                             stdout=out, stderr=subprocess.PIPE, cwd=folder)
        count = sum(line.startswith(b"Trace ") for line in p.stderr)
        status = p.wait()
        out.seek(0)
        return count, out.read().decode(), status


def main():
    f = Failures()
    if not shutil.which("qemu-aarch64"):
        print("qemu-aarch64 is not installed (tools/setup installs it)")
        sys.exit(1)
    with tempfile.TemporaryDirectory() as folder:
        vm = os.path.join(folder, "vm.elf")
        f.equal(caplab("cc", "--vm", "--abi", "hybrid", "-o", vm)[0], 0, "caplab cc --vm")
        for name, args in PROGRAMS.items():
            mpy = os.path.join(folder, name + ".mpy")
            source = os.path.join(ROOT, "bench/py", name + ".py")
            f.equal(caplab("py", source, "-o", mpy)[0], 0, f"caplab py {name}")
            os.chmod(vm, 0o755)
            count, out, status = qemu_insns(["vm.elf", name + ".mpy", *map(str, args)], folder)
            got_status, got_out, r, _ = report("vm.elf", "--root", ".", guest_args=[name + ".mpy", *args], cwd=folder)
            f.equal((got_status, got_out), (status, out), f"{name}: output")
            f.equal(r["insns"], count, f"{name}: instructions, caplab against qemu")
    f.finish()


if __name__ == "__main__":
    main()
