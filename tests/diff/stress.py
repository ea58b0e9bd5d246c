#!/usr/bin/env python3
"""Every build of the Python machine keeps alive what it still uses: it collects at every allocation, junk fills what was freed, and the
programs of tests/guest print what they should. Built by caplab cc for both ABIs and with no optimisation, and by gcc for AArch64 (the host's
build is in tests/guest). A compiler is free to keep only a pointer into the middle of an object: this finds a collector that does not see it."""
import glob
import os
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../support"))
from caplab import ROOT, Failures, caplab, python_output  # noqa: E402

GCC_STRESS_VM = os.environ["CAPLAB_VM_GCC_STRESS"]
VARIANTS = {"hybrid": ("--abi", "hybrid"), "purecap": ("--abi", "purecap"), "hybrid-O0": ("--abi", "hybrid", "-O0")}
# More objects than this small heap holds; a program with arguments; minutes of collections (under ASan it runs in tests/vm_py).
NOT_HERE = {"many_objects", "sys_module", "changing"}


def programs(folder, f):
    """Compiled programs: name, .mpy, expected output."""
    for source in sorted(glob.glob(os.path.join(ROOT, "tests/guest/*/*.py"))):
        name = os.path.basename(source)[:-3]
        expected = source[:-3] + ".exp"
        if name in NOT_HERE:
            continue
        f.equal(caplab("py", source, "-o", os.path.join(folder, name + ".mpy"))[0], 0, f"caplab py {name}")
        if os.path.exists(expected):
            with open(expected) as text:
                yield name, text.read()
        else:
            yield name, python_output(source)


def main():
    f = Failures()
    with tempfile.TemporaryDirectory() as folder:
        vms = {"gcc": GCC_STRESS_VM}
        for variant, options in VARIANTS.items():
            vms[variant] = os.path.join(folder, variant + ".elf")
            sources = sorted(glob.glob(os.path.join(ROOT, "vm/guest/*.c")))
            status, _, err = caplab("cc", *options, "-DSTRESS", "-DVM_HEAP_BYTES=262144", "-o", vms[variant], *sources)
            f.equal(status, 0, f"caplab cc {variant}: {err}")
        for name, want in programs(folder, f):
            for variant, vm in vms.items():
                status, out, err = caplab("run", "--stats", "none", "--root", ".", vm, "--", name + ".mpy", cwd=folder)
                f.equal(out, want, f"{name}, {variant}")
                f.expect(status < 128, f"{name}, {variant}: exit status {status}: {err}")
    f.finish()


if __name__ == "__main__":
    main()
