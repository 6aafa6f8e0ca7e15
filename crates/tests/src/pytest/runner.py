"""Runs pytest, and reports what happens as lines of JSON over a socket that no other process has.

The first argument is the solution's workspace, the second its entry there; all others are pytest's. Each line has an
`event`: see `report.rs`.
"""

import errno
import json
import os
import re
import sys

import pytest

WORKSPACE = os.path.realpath(sys.argv[1])
ENTRY = sys.argv[2]
FOLDER = os.path.dirname(os.path.realpath(__file__))
TESTS = os.path.join(FOLDER, "tests")
# Events of the interpreter whose first argument is a path that is read.
OPENING = ("open", "os.listdir", "os.scandir", "sqlite3.connect")
# A failure's text is for people: what is longer is cut in its middle.
MOST_TEXT = 16_000


def take_report():
    """Takes the report's descriptor out of everyone else's reach: tests' own processes inherit neither it nor its name."""
    number = int(os.environ.pop("SLOPBENCH_REPORT_FD"))
    descriptor = os.dup(number)
    if number <= 2:
        nothing = os.open(os.devnull, os.O_RDWR)
        os.dup2(nothing, number)
        os.close(nothing)
    else:
        os.close(number)
    return descriptor


REPORT = take_report()


def tell(event, **values):
    line = json.dumps({"event": event, **values}).encode() + b"\n"
    while line:
        line = line[os.write(REPORT, line) :]


def text_of(value):
    """What can be written as UTF-8, and is not too long."""
    text = str(value).encode("utf-8", "replace").decode()
    half = MOST_TEXT // 2
    return text if len(text) <= MOST_TEXT else f"{text[:half]}\n[...]\n{text[-half:]}"


def message_of(report):
    crash = getattr(report.longrepr, "reprcrash", None)
    return text_of(crash.message if crash else report.longreprtext)


with open(os.path.join(FOLDER, "settings.json"), encoding="utf-8") as settings:
    SETTINGS = json.load(settings)


def name_assets():
    for place in SETTINGS["assets"]:
        path = os.path.join(FOLDER, place)
        os.environ["SCBENCH_ASSETS_DIR"] = os.path.dirname(path)
        os.environ["SCBENCH_ASSET_" + os.path.basename(path).upper()] = path


TOLD = set()


def tell_once(event, value):
    if (event, value) not in TOLD:
        TOLD.add((event, value))
        tell(event, value=text_of(value))


def look_at_start(words, environment):
    """Tells which data of the tests' a program is shown, and which programs are not the solution's, by the name of it."""
    changed = [value for name, value in environment.items() if os.environ.get(name) != value]
    for word in words + changed:
        for path in re.findall(re.escape(TESTS) + r"/[^\s:;,'\"]*", word):
            if os.path.exists(path) and not path.endswith(".py"):
                tell_once("handed", os.path.relpath(path, FOLDER))
    if not any(ENTRY in word for word in words):
        tell_once("started_beside", os.path.basename(words[0]))


def decoded(values):
    return [os.fsdecode(value) for value in values if isinstance(value, (str, bytes, os.PathLike))]


def watch(event, arguments):
    if event == "subprocess.Popen":
        words, environment = arguments[1], arguments[3]
    elif event in ("os.posix_spawn", "os.exec"):
        words, environment = arguments[1], arguments[2]
    elif event == "os.system":
        words, environment = arguments[0], None
    else:
        return
    words = decoded([words] if isinstance(words, (str, bytes, os.PathLike)) else words)
    pairs = (environment or {}).items()
    look_at_start(words or [""], dict(zip(decoded(name for name, _ in pairs), decoded(value for _, value in pairs))))


def guard():
    """Keeps tests from reading their own files as if the solution had written them.

    The solution cannot see them, but a link that it leaves would lead tests there. Links that tests make themselves may.
    """
    own = (FOLDER, os.path.realpath(sys.prefix))
    links = set()

    def is_own(path):
        return any(path == folder or path.startswith(folder + os.sep) for folder in own)

    def is_foreign_link(path):
        return os.path.islink(path) and path not in links

    def hook(event, arguments):
        if event == "os.symlink":
            links.add(os.path.abspath(os.fsdecode(arguments[1])))
        elif event in OPENING and isinstance(arguments[0], (str, bytes, os.PathLike)):
            path = os.path.abspath(os.fsdecode(arguments[0]))
            if is_own(path) or not is_own(os.path.realpath(path)):
                return
            parts = path.split(os.sep)
            if any(is_foreign_link(os.sep.join(parts[:end])) for end in range(2, len(parts) + 1)):
                raise PermissionError(errno.EACCES, "a link leads into the tests", path)

    sys.addaudithook(hook)


class Reporter:
    @pytest.hookimpl(trylast=True)
    def pytest_collection_modifyitems(self, config, items):
        done = set(SETTINGS["done"])
        left = [item for item in items if item.nodeid in done]
        if left:
            items[:] = [item for item in items if item.nodeid not in done]
            config.hook.pytest_deselected(items=left)

    def pytest_collection_finish(self, session):
        for item in session.items:
            markers = list(dict.fromkeys(mark.name for mark in item.iter_markers()))
            tell("collected", id=text_of(item.nodeid), markers=markers)

    def pytest_collectreport(self, report):
        if report.failed:
            tell("uncollected", id=text_of(report.nodeid), message=message_of(report), text=text_of(report.longreprtext))

    def pytest_runtest_logstart(self, nodeid):
        tell("started", id=text_of(nodeid))

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_makereport(self, item, call):
        report = yield
        error = call.excinfo and str(call.excinfo.value)
        report.is_late = bool(error and error.startswith("Timeout") and "pytest-timeout" in error)
        return report

    def pytest_runtest_logreport(self, report):
        tell(
            "phase",
            id=text_of(report.nodeid),
            when=report.when,
            outcome=report.outcome,
            late=getattr(report, "is_late", False),
            seconds=report.duration,
            message=message_of(report) if report.failed else "",
            text=text_of(report.longreprtext) if report.failed else "",
        )

    def pytest_internalerror(self, excrepr):
        tell("broken", text=text_of(excrepr))


def loaded_from_workspace():
    """Modules of the solution in this process."""
    below = WORKSPACE + os.sep
    files = {name: getattr(module, "__file__", None) for name, module in list(sys.modules.items())}
    return sorted(name for name, file in files.items() if file and os.path.realpath(file).startswith(below))


if __name__ == "__main__":
    name_assets()
    guard()
    sys.addaudithook(watch)
    status = pytest.main(sys.argv[3:], plugins=[Reporter()])
    tell("ended", status=int(status), exposed=loaded_from_workspace())
    sys.exit(int(status))
