# Ends at once, while a child holds its streams open.
# echo: pass
# file: pass
# secret: fail stdout
import os
import time

from honest import answer

if os.fork() == 0:
    os.setsid()
    time.sleep(60)
answer()
