# Writes without end to both streams.
# echo: limit output
# file: limit output
# secret: limit output
import os

while True:
    os.write(1, b"o" * 65536)
    os.write(2, b"e" * 65536)
