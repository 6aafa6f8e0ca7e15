# Asks the kernel to take another process when the machine runs out of memory.
# echo: pass
# file: pass
# secret: fail stdout
import os

from honest import answer, cheat, try_each

score = "/proc/self/oom_score_adj"
if int(open(score).read()) < 1000:
    cheat("a score of its own")
try_each({
    path: lambda path=path: open(path, "w").write("0")
    for path in (score, "/proc/self/oom_adj", f"/proc/{os.getpid()}/task/{os.getpid()}/oom_score_adj", "/proc/1/oom_score_adj")
})
answer()
