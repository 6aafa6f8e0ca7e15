import os
import shlex
import subprocess
from pathlib import Path

import pytest


def pytest_addoption(parser):
    parser.addoption("--entrypoint", required=True)
    parser.addoption("--checkpoint", required=True)


@pytest.fixture
def lengths(request, tmp_path):
    command = shlex.split(request.config.getoption("--entrypoint"))

    def run(*arguments, text=None):
        return subprocess.run(
            [*command, *arguments], input=text, cwd=tmp_path, capture_output=True, text=True, timeout=4
        )

    return run


@pytest.fixture
def units():
    assert Path(os.environ["SCBENCH_ASSET_UNITS"]).parent == Path(os.environ["SCBENCH_ASSETS_DIR"])
    return Path(os.environ["SCBENCH_ASSET_UNITS"])


@pytest.fixture
def dry_place(lengths):
    if lengths("0", "m", "m").stdout != "0\n":
        raise RuntimeError("nothing is not said to be nothing")
    yield
    if lengths("1", "m", "m").stdout == "wet\n":
        raise RuntimeError("it leaks")
