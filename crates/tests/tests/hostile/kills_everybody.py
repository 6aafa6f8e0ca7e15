# Kills, stops and renices whoever it can name.
# echo: pass
# file: pass
# secret: fail stdout
import os
import signal

from honest import answer

for number in (signal.SIGSTOP, signal.SIGTERM, signal.SIGKILL):
    for process in [-1, 1, *(int(name) for name in os.listdir("/proc") if name.isdigit())]:
        if process != os.getpid():
            try:
                os.kill(process, number)
            except OSError:
                pass
answer()
