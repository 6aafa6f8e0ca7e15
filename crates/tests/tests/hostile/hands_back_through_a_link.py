# Replaces the folder that a file is handed back from by a link to another.
# echo: pass
# file: fail file out.txt
# secret: fail stdout
import os
import sys

from honest import answer

if len(sys.argv) > 2:
    os.mkdir("/tmp/elsewhere")
    open("/tmp/elsewhere/out.txt", "w").write(f"{sys.argv[1]}\n")
    os.symlink("/tmp/elsewhere/out.txt", sys.argv[2])
else:
    answer()
