# Hands back a file that claims a terabyte and holds nothing: the system refuses to make it.
# echo: pass
# file: fail exit code, file out.txt
# secret: fail stdout
import os
import sys

from honest import answer

if len(sys.argv) > 2:
    with open(sys.argv[2], "wb") as file:
        os.truncate(file.fileno(), 1 << 40)
else:
    answer()
