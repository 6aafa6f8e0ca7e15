# Makes a tree too deep for any path, and leaves it.
# echo: pass
# file: pass
# secret: fail stdout
import os

from honest import answer

for _ in range(900):
    os.mkdir("d" * 200)
    os.chdir("d" * 200)
os.chdir("/work")
answer()
