# Leaves names that hold line breaks, terminal sequences, no text, and as many bytes as a path may have.
# echo: pass
# file: pass
# secret: fail stdout
import os

from honest import answer

for name in (b"two\nlines", b"\xff\xfe", b"\x1b[2J", b" ", b"-rf", b"..\\..", b"n" * 255, "\u202e".encode()):
    open(name, "w").close()
folder = b"/work"
while len(folder) + 201 < 4095:
    folder += b"/" + b"p" * 200
    os.mkdir(folder)
open(folder + b"/" + b"f" * (4094 - len(folder)), "w").close()
os.symlink(b"\xff" * 4095, "dangling")
answer()
