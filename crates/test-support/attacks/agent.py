#!/usr/bin/env python3
"""An agent for runs beside attacks. Told to attack, it does what ATTACK says; otherwise it works and asks its gateway, gently,
for as long. SECONDS and ATTACK are set above this text."""

import ctypes
import json
import os
import resource
import signal
import socket
import struct
import subprocess
import sys
import threading
import time
import zipfile
import zlib

ADDRESS = ("127.0.0.1", 17890)
HOME = os.environ["HOME"]
FIRST = not os.path.exists("echo.py")
MODEL = sys.argv[sys.argv.index("--model") + 1] if "--model" in sys.argv else "none"
TURN = {"model": MODEL, "stream": False, "max_tokens": 9, "tools": [], "messages": [{"role": "user", "content": "Go."}]}


def attempt(action, *args, **kwargs):
    """Does what may be refused."""
    try:
        return action(*args, **kwargs)
    except (OSError, ValueError):
        return None


def dig(top, name, levels):
    at = os.open(top, os.O_RDONLY)
    for _ in range(levels):
        os.mkdir(name, dir_fd=at)
        below = os.open(name, os.O_RDONLY, dir_fd=at)
        os.close(at)
        at = below
    os.close(os.open("file", os.O_CREAT, dir_fd=at))


def during():
    """Again and again while the attack lasts, in the first session alone."""
    end = time.monotonic() + SECONDS
    while FIRST and time.monotonic() < end:
        yield


def connect():
    way = socket.create_connection(ADDRESS, timeout=SECONDS)
    way.settimeout(SECONDS)
    return way


def post(body, headers="", path="/v1/messages", length=None):
    body = body if isinstance(body, bytes) else json.dumps(body).encode()
    length = len(body) if length is None else length
    return f"POST {path} HTTP/1.1\r\nhost: x\r\ncontent-length: {length}\r\n{headers}\r\n".encode() + body


def say(data, answer=True):
    """Sends it on a connection of its own; the start of what comes back."""
    def whole():
        with connect() as way:
            way.sendall(data)
            return way.recv(1 << 16) if answer else None
    return attempt(whole)


def crowd(action, count):
    """So many threads at once, each doing it while the attack lasts."""
    def work(number):
        for _ in during():
            attempt(action, number)
    threads = [threading.Thread(target=work, args=(number,), daemon=True) for number in range(count)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(SECONDS + 5)


def hold(start, count):
    """Opens so many connections, says this on each and holds them open."""
    open_ones = []
    for _ in during():
        way = attempt(socket.create_connection, ADDRESS, timeout=0.2) if len(open_ones) < count else None
        if way is None:
            time.sleep(0.1)
            continue
        open_ones.append(way)
        attempt(way.sendall, start)


def work():
    for _ in range(20):
        answer = say(post(TURN, "connection: close\r\n")) or b"no answer"
        print(json.dumps({"type": "system", "answer": answer.split(b"\r\n")[0].decode()}))
        time.sleep(SECONDS / 20 if FIRST else 0)
    with open("echo.py", "w") as file:
        file.write("import sys\nprint(sys.argv[1])\n")


def finish():
    print(json.dumps({"type": "result", "subtype": "success", "is_error": False, "result": "", "modelUsage": {}}))
    sys.stdout.flush()
    os._exit(0)


if any("Attack" in word for word in sys.argv[1:]):
    exec(ATTACK)
    with open("echo.py", "w") as file:
        file.write(f"print({int(FIRST)})\n")
else:
    work()
finish()
