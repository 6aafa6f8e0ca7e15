# Fills every folder it may write to.
# echo: limit disk
# file: limit disk
# secret: limit disk
import itertools

for number in itertools.count():
    with open(f"/dev/shm/{number}" if number % 2 else f"/tmp/{number}", "wb") as file:
        file.write(b"x" * (1 << 20))
