"""Running caplab from test scripts: one call gives output, status and the JSON report."""
import json
import os
import subprocess
import sys
import tempfile

ROOT = os.path.realpath(os.path.join(os.path.dirname(os.path.abspath(__file__)), "../.."))
EXE = os.environ.get("CAPLAB_EXE", os.path.join(ROOT, "build/release/caplab"))


class Failures:
    """Collects what went wrong, so that one run shows all of it."""

    def __init__(self):
        self.count = self.checks = 0

    def expect(self, ok, what):
        self.checks += 1
        if not ok:
            self.count += 1
            print(f"FAIL {what}", flush=True)

    def equal(self, got, want, what):
        self.expect(got == want, f"{what}: got {got!r}, want {want!r}")

    def finish(self):
        print(f"{self.checks - self.count} passed, {self.count} failed")
        sys.exit(1 if self.count or not self.checks else 0)


def caplab(*args, timeout=600, **kw):
    """Runs caplab; returns (status, stdout, stderr)."""
    p = subprocess.run([EXE, *map(str, args)], capture_output=True, timeout=timeout, **kw)
    return p.returncode, p.stdout.decode(errors="replace"), p.stderr.decode(errors="replace")


def report(file, *args, guest_args=(), **kw):
    """caplab run with a JSON report: (status, stdout, report, report text)."""
    # The name stands in the report's "command": it is the same in every run.
    name = os.path.join(tempfile.gettempdir(), f"caplab-report-{os.getpid()}.json")
    status, out, err = caplab("run", *args, "--stats", "json", "--stats-file", name, file, "--", *guest_args, **kw)
    with open(name) as f:
        text = f.read()
    os.remove(name)
    if not text:
        raise RuntimeError(f"no report (status {status}): {err}")
    return status, out, json.loads(text), text


def python_output(file, *args):
    return subprocess.run([sys.executable, file, *map(str, args)], capture_output=True, text=True, check=True).stdout
