# Spends processor time in children of children that nobody waits for.
# echo: limit cpu
# file: limit cpu
# secret: limit cpu
import os

for _ in range(2):
    if os.fork() == 0:
        os.setsid()
        while True:
            pass
while True:
    pass
