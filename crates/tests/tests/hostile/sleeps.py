# Never ends, and closes its streams so that nobody may notice.
# echo: limit wall
# file: limit wall
# secret: limit wall
import os
import time

os.closerange(0, 3)
time.sleep(60)
