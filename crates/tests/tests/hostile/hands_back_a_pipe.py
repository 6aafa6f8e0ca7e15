# Hands back a pipe in place of a file.
# echo: pass
# file: fail file out.txt
# secret: fail stdout
import os
import sys

from honest import answer

if len(sys.argv) > 2:
    os.mkfifo(sys.argv[2])
else:
    answer()
