# Hands back a link to the right answer in place of a file: what is asked for is a file.
# echo: pass
# file: fail file out.txt
# secret: fail stdout
import os
import sys

from honest import answer

if len(sys.argv) > 2:
    open("right", "w").write("hello\\n"), os.symlink("right", sys.argv[2])
else:
    answer()
