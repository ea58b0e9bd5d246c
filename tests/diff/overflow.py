#!/usr/bin/env python3
"""One byte past an object: purecap stops with a card that names kind, instruction, register, bounds and symbol; hybrid sees nothing."""
import os
import re
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../support"))
from caplab import ROOT, Failures, caplab, report  # noqa: E402

# program: length of the object, what the card calls it
OBJECTS = {"heap": (20, "an object of 20 bytes in heap gc"), "stack": (16, "an object of 16 bytes on the stack"), "global": (16, "name (16 bytes)")}


def main():
    f = Failures()
    for name, (length, called) in OBJECTS.items():
        path = os.path.join(ROOT, "examples", f"overflow_{name}.c")
        status, out, err = caplab("run", "--abi", "hybrid", "--stats", "none", path)
        f.expect(status == 0 and "the end was reached" in out, f"{name} hybrid: status {status}, {out!r} {err!r}")
        status, out, err = caplab("run", "--abi", "purecap", "--stats", "none", path)
        f.equal((status, out), (139, ""), f"{name} purecap")
        f.expect("capability bounds" in err, f"{name}: kind: {err}")
        f.expect(re.search(r"in main\+0x[0-9a-f]+: strb w\d+, \[c\d+", err), f"{name}: symbol and instruction: {err}")
        m = re.search(r"store to 0x([0-9a-f]+)\n.*C\d+ = 0x[0-9a-f]+ \[rwRW,0x([0-9a-f]+)-0x([0-9a-f]+)\]", err)
        f.expect(m, f"{name}: address, register and bounds: {err}")
        if m:
            address, base, top = (int(x, 16) for x in m.groups())
            f.equal((top - base, address), (length, top), f"{name}: bounds and address")
        f.expect(called in err, f"{name}: the object: {err}")
        fault = report(path, "--abi", "purecap")[2]["exit"]
        f.equal((fault["reason"], fault["status"], fault["fault"]["kind"]), ("fault", 139, "capability bounds"), f"{name}: report")
        f.expect(fault["fault"]["symbol"].startswith("main"), f"{name}: symbol in the report {fault['fault']}")
    f.finish()


if __name__ == "__main__":
    main()
