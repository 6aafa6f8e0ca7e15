# Forks without end.
# echo: limit processes
# file: limit processes
# secret: limit processes
import os

while True:
    try:
        os.fork()
    except OSError:
        pass
