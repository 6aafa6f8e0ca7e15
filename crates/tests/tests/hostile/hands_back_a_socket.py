# Hands back a socket in place of a file.
# echo: pass
# file: fail file out.txt
# secret: fail stdout
import socket
import sys

from honest import answer

if len(sys.argv) > 2:
    socket.socket(socket.AF_UNIX).bind(sys.argv[2])
else:
    answer()
