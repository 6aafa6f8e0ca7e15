# Stops, and waits to be continued.
# echo: limit wall
# file: limit wall
# secret: limit wall
import os
import signal

os.kill(os.getpid(), signal.SIGSTOP)
