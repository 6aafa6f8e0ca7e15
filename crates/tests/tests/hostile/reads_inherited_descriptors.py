# Reads from, and writes to, whatever descriptor it was started with.
# echo: pass
# file: pass
# secret: fail stdout
import os

from honest import answer, cheat

for descriptor in range(3, 1024):
    for use in (lambda d: os.read(d, 1), lambda d: os.write(d, b"x")):
        try:
            use(descriptor)
        except OSError:
            continue
        cheat(descriptor)
answer()
