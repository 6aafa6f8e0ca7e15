# Takes all the memory it can get.
# echo: limit memory
# file: limit memory
# secret: limit memory
pages = []
while True:
    pages.append(b"x" * (1 << 20))
