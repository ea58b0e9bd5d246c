#!/usr/bin/env python3
"""Probes cost nothing: the Python machine built with -fno-probes has the same .text, byte for byte, in both ABIs and both profiles."""
import os
import struct
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../support"))
from caplab import Failures, caplab  # noqa: E402


def sections(path):
    """name → (address, bytes) of an ELF64 file."""
    with open(path, "rb") as f:
        data = f.read()
    shoff, = struct.unpack_from("<Q", data, 40)
    count, names_index = struct.unpack_from("<HH", data, 60)
    headers = [struct.unpack_from("<IIQQQQ", data, shoff + 64 * i) for i in range(count)]
    names = data[headers[names_index][4]:]
    out = {}
    for name, _, _, addr, offset, size in headers:
        out[names[name:names.index(b"\0", name)].decode()] = (addr, data[offset:offset + size])
    return out


def main():
    f = Failures()
    with tempfile.TemporaryDirectory() as folder:
        for abi in ("hybrid", "purecap"):
            for profile in ("ideal", "llvm-morello"):
                built = []
                for flags in ([], ["-fno-probes"]):
                    path = os.path.join(folder, "vm.elf")
                    f.equal(caplab("cc", "--vm", "--abi", abi, "--set", f"cc.profile={profile}", *flags, "-o", path)[0], 0, "caplab cc --vm")
                    built.append(sections(path))
                what = f"{abi} {profile}"
                f.expect(len(built[0][".text"][1]) > 50000, f"{what}: .text of {len(built[0]['.text'][1])} bytes")
                f.equal(built[0][".text"][0], built[1][".text"][0], f"{what}: address of .text")
                f.expect(built[0][".text"][1] == built[1][".text"][1], f"{what}: .text differs")
                notes = [[n for n in b if n.startswith(".note.caplab")] for b in built]
                f.expect(sum(len(built[0][n][1]) for n in notes[0]) > sum(len(built[1][n][1]) for n in notes[1]), f"{what}: no probe notes")
    f.finish()


if __name__ == "__main__":
    main()
