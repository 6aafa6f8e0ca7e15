# Leaves a daemon that would answer the next case, and meddle with its files.
# echo: pass
# file: pass
# secret: fail stdout
import os
import signal
import socket
import time

from honest import answer, cheat

for family, address in ((socket.AF_INET, ("127.0.0.1", 4242)), (socket.AF_UNIX, b"\0slopbench")):
    try:
        socket.socket(family).connect(address)
    except OSError:
        continue
    cheat(address)
if os.path.exists("/work/daemon"):
    cheat("the daemon's file")
ready, tell = os.pipe()
if os.fork() == 0:
    os.setsid()
    if os.fork() == 0:
        for number in range(1, 65):
            try:
                signal.signal(number, signal.SIG_IGN)
            except (OSError, ValueError):
                pass
        socket.create_server(("127.0.0.1", 4242))
        abstract = socket.socket(socket.AF_UNIX)
        abstract.bind(b"\0slopbench")
        abstract.listen()
        servers = [abstract]
        os.write(tell, b"x")
        os.closerange(0, 3)
        while True:
            try:
                open("/work/daemon", "w").close()
            except OSError:
                pass
            time.sleep(0.001)
    os._exit(0)
os.read(ready, 1)
answer()
