# Fills sockets, which are the kernel's memory and no process's, and closes every other one.
# echo: limit memory
# file: limit memory
# secret: limit memory
import socket
import time

kept = []
try:
    while True:
        one, other = socket.socketpair()
        one.setblocking(False)
        kept.append(other)
        if len(kept) % 2:
            kept.append(one)
        try:
            while True:
                one.send(b"x" * 4000)
        except BlockingIOError:
            pass
except OSError:
    time.sleep(1)
print("cheated: a thousand full sockets")
