#!/usr/bin/env python3
"""The Python machine by other compilers: built by gcc for AArch64 (under caplab and under qemu-aarch64) and for the host with ASan, the
five programs print what python3 prints; and the machine by caplab's compiler needs at most twice the instructions of gcc's."""
import os
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../support"))
from caplab import ROOT, Failures, caplab, python_output, report  # noqa: E402

PROGRAMS = {"fannkuch": [6], "nqueens": [5], "pystone": [100], "pi": [100], "slices": [100]}
GCC_VM, HOST_VM = os.environ["CAPLAB_VM_GCC"], os.environ["CAPLAB_VM_HOST"]


def main():
    f = Failures()
    with tempfile.TemporaryDirectory() as folder:
        for name, args in PROGRAMS.items():
            source = os.path.join(ROOT, "bench/py", name + ".py")
            want = python_output(source, *args)
            mpy = name + ".mpy"
            f.equal(caplab("py", source, "-o", os.path.join(folder, mpy))[0], 0, f"caplab py {name}")
            for what, command in (("host", [HOST_VM]), ("gcc under qemu", ["qemu-aarch64", GCC_VM])):
                p = subprocess.run([*command, mpy, *map(str, args)], cwd=folder, capture_output=True, text=True)
                f.equal((p.returncode, p.stdout), (0, want), f"{name}, {what} {p.stderr}")
            status, out, gcc, _ = report(GCC_VM, "--root", ".", guest_args=[mpy, *args], cwd=folder)
            f.equal((status, out), (0, want), f"{name}, gcc under caplab")
            ours = report(source, "--abi", "hybrid", guest_args=args)[2]
            ratio = ours["insns"] / gcc["insns"]
            f.expect(ratio <= 2.0, f"{name}: {ratio:.2f} times the instructions of gcc's, want at most 2.0")
            print(f"{name} {args}: caplab cc {ours['insns']}, gcc {gcc['insns']}, ratio {ratio:.3f}")
    f.finish()


if __name__ == "__main__":
    main()
