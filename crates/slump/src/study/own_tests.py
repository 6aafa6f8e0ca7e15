"""Runs the tests of the current folder with pytest, and reports what happens as lines of JSON.

They go to the standard output that this process was given; what tests print goes to standard error. Modules are found as by
`python -m pytest`, and in the folder `src`. Each line has an `event`: see `testing.rs`.
"""

import hashlib
import json
import os
import sys

REPORT = os.dup(1)
os.dup2(2, 1)
WORKSPACE = os.getcwd()
# In place of this program's own folder.
sys.path[0] = WORKSPACE
if os.path.isdir("src"):
    sys.path.insert(1, os.path.join(WORKSPACE, "src"))
os.environ["PATH"] = os.pathsep.join([os.path.dirname(sys.executable), os.environ.get("PATH", os.defpath)])

import pytest  # noqa: E402

MOST_TEXT = 2_000


def tell(event, **values):
    line = json.dumps({"event": event, **values}).encode() + b"\n"
    while line:
        line = line[os.write(REPORT, line) :]


def text_of(value):
    return str(value).encode("utf-8", "replace").decode()[:MOST_TEXT]


def id_of(nodeid):
    """Its text, and where that is cut, what still tells it from others."""
    text = text_of(nodeid)
    digest = hashlib.sha256(nodeid.encode("utf-8", "replace")).hexdigest()
    return text if len(nodeid) <= MOST_TEXT else f"{text}...{digest}"


class Reporter:
    def __init__(self):
        self.ends = {}

    def pytest_collection_finish(self, session):
        for item in getattr(session, "items", []):
            tell("collected", id=id_of(item.nodeid))

    def pytest_collectreport(self, report):
        if report.failed:
            tell("uncollected", place=text_of(report.nodeid), message=text_of(report.longreprtext))

    def pytest_runtest_logreport(self, report):
        # A part of a test (a subtest) is reported under the test's own id: one that skips itself does not skip the test.
        if hasattr(report, "context") and not report.failed:
            return
        end = self.ends.get(report.nodeid, "passed")
        if report.failed:
            end = "failed" if report.when == "call" else "error"
        elif report.skipped and end == "passed":
            end = "skipped"
        self.ends[report.nodeid] = end

    def pytest_runtest_logfinish(self, nodeid):
        tell("test", id=id_of(nodeid), end=self.ends.pop(nodeid, "error"))


if __name__ == "__main__":
    options = ["-q", "-p", "no:cacheprovider", "--continue-on-collection-errors", "--maxfail=0"]
    status = pytest.main(options, plugins=[Reporter()])
    tell("ended", status=int(status))
    sys.exit(int(status))
