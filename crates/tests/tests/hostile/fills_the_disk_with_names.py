# Makes empty files until there is no room for another name.
# echo: limit disk
# file: limit disk
# secret: limit disk
import itertools

from honest import answer

for number in itertools.count():
    try:
        open(f"/tmp/{number}", "w").close()
    except OSError:
        break
answer()
