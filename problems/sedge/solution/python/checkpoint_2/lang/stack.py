"""Room for functions that call each other deeply."""

import sys
import threading

# Sources nest deeper than the host would let functions call each other.
CALLS = 1_000_000
# Up to Python 3.10 each call also takes some of the host's own stack, of which the first thread has little.
BYTES = 512 * 1024 * 1024


def deeply(function, *arguments):
    """What the function gives, called where there is room."""
    sys.setrecursionlimit(CALLS)
    threading.stack_size(BYTES)
    results = []
    thread = threading.Thread(target=lambda: results.append(function(*arguments)))
    thread.start()
    thread.join()
    return results[0]
