#!/usr/bin/env python3
"""Checks habits over all files of the project: size of sources, links in docs, forbidden words. Exits 1 on an offence."""
import os
import re
import subprocess
import sys

ROOT = os.path.realpath(os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
MAX_LINES = 800
# Paths of a developer's machine have no place in the project.
FORBIDDEN = re.compile(r"(?<![\w/.])/(?:home|root|work)/\w")

# A file of the project named from its root, in backquotes; a pattern (cc/lower*.c) names none.
NAMED_FILE = re.compile(r"`((?:base|bench|cc|docs|driver|examples|isa|mem|sim|tests|tools|ui|vm)/[\w/.-]*\.(?:c|h|def|py|s|md|txt|sh))`")


def tracked():
    out = subprocess.run(["git", "ls-files", "-co", "--exclude-standard"], cwd=ROOT, capture_output=True, text=True)
    if out.returncode:  # an unpacked archive has no history: take what lies there
        return [os.path.relpath(os.path.join(d, n), ROOT) for d, _, names in os.walk(ROOT) for n in names
                if not os.path.relpath(d, ROOT).startswith(("build", ".git"))]
    return [p for p in out.stdout.splitlines() if os.path.exists(os.path.join(ROOT, p))]


def check_text(path, text):
    for number, line in enumerate(text.splitlines(), 1):
        if FORBIDDEN.search(line) and path != "tools/check_files.py":
            yield f"{path}:{number}: a path of one machine"
    if path.endswith((".c", ".h")) and not path.startswith("tests/data"):
        lines = text.count("\n")
        if lines > MAX_LINES:
            yield f"{path}: {lines} lines; the cap is {MAX_LINES} (tables go into .def files)"
    for number, line in enumerate(text.splitlines(), 1):  # a page named in words: docs/cli.md
        for target in re.findall(r"(?<![\w/.-])(?:docs|tests)/[\w/.-]*\.md\b", line):
            if not os.path.exists(os.path.join(ROOT, target)):
                yield f"{path}:{number}: there is no {target}"
    if path.endswith(".md"):
        for number, line in enumerate(text.splitlines(), 1):
            for target in re.findall(r"\]\(([^)#\s]+)", line):
                if "://" not in target and not os.path.exists(os.path.join(ROOT, os.path.dirname(path), target)):
                    yield f"{path}:{number}: dead link {target}"
            for target in re.findall(NAMED_FILE, line):  # `cc/lower.c` in the text
                if not os.path.exists(os.path.join(ROOT, target)):
                    yield f"{path}:{number}: there is no {target}"


def main():
    offences = []
    for path in tracked():
        with open(os.path.join(ROOT, path), "rb") as f:
            raw = f.read()
        if b"\0" not in raw:
            offences += check_text(path, raw.decode("utf-8", "replace"))
    print("\n".join(offences))
    return 1 if offences else 0


if __name__ == "__main__":
    sys.exit(main())
