import shlex
import socket
import subprocess
import time

import httpx
import pytest


def pytest_addoption(parser):
    parser.addoption("--entrypoint", required=True)
    parser.addoption("--checkpoint", required=True)


def free_port():
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return listener.getsockname()[1]


def start(request, port):
    command = shlex.split(request.config.getoption("--entrypoint"))
    server = subprocess.Popen([*command, "--port", str(port)])
    for _ in range(200):
        try:
            socket.create_connection(("127.0.0.1", port), timeout=1).close()
            return server
        except OSError:
            if server.poll() is not None:
                break
            time.sleep(0.02)
    server.kill()
    raise RuntimeError("the server does not answer")


@pytest.fixture(scope="module")
def tides(request):
    port = free_port()
    server = start(request, port)
    with httpx.Client(base_url=f"http://127.0.0.1:{port}", timeout=4, trust_env=False) as client:
        yield client
    server.terminate()
    server.wait()


@pytest.fixture
def server_of_my_own(request):
    port = free_port()
    server = start(request, port)
    yield server
    server.kill()
    server.wait()
