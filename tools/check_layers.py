#!/usr/bin/env python3
"""Checks that every #include "..." obeys tools/layers.txt. Prints each offence as file:line and exits 1 if there is one."""
import os
import re
import sys

ROOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..")


def read_layers():
    """layers.txt: folder : allowed folders and single headers. Longest folder name wins for a file."""
    layers = {}
    with open(os.path.join(ROOT, "tools/layers.txt")) as f:
        for line in f:
            line = line.split("#")[0].strip()
            if line:
                folder, allowed = line.split(":")
                layers[folder.strip()] = allowed.split()
    return layers


def layer_of(path, layers):
    fits = [l for l in layers if path == l or path.startswith(l + "/")]
    return max(fits, key=len) if fits else None


def is_allowed(target, layer, layers):
    if layer_of(target, layers) == layer:
        return True
    for item in layers[layer]:
        if target == item:
            return True
        if not item.endswith(".h") and layer_of(target, layers) == item:
            return True
        if not item.endswith(".h") and target.startswith(item + "/"):
            return True
    return False


def main():
    layers = read_layers()
    offences = 0
    guest = ("vm/guest/", "cc/lib/")
    for top in sorted({l.split("/")[0] for l in layers}):
        for folder, _, names in os.walk(os.path.join(ROOT, top)):
            for name in sorted(names):
                path = os.path.relpath(os.path.join(folder, name), ROOT)
                layer = layer_of(path, layers)
                if not name.endswith((".c", ".h", ".def")) or layer is None or path.startswith(guest):
                    continue
                with open(os.path.join(ROOT, path)) as f:
                    for number, line in enumerate(f, 1):
                        m = re.match(r'\s*#\s*include\s+"([^"]+)"', line)
                        if m and "/" in m.group(1) and not is_allowed(m.group(1), layer, layers):
                            print(f'{path}:{number}: {layer} may not include "{m.group(1)}" (tools/layers.txt)')
                            offences += 1
                        elif m and "/" not in m.group(1):
                            print(f'{path}:{number}: include "{m.group(1)}" by its path from the top folder')
                            offences += 1
    return 1 if offences else 0


if __name__ == "__main__":
    sys.exit(main())
