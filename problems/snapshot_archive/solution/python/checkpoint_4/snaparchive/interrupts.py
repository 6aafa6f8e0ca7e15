"""Waiting at a point for a signal, to try out what becomes of an interrupted command."""

import signal
import time

from snaparchive import jsontext


class Interrupted(Exception):
    """A signal has ended a command that waited."""

    exit_code = 4


class Pauses:
    """Where a command waits: at one point, or nowhere (None)."""

    def __init__(self, wanted=None):
        self.wanted = wanted

    def at(self, point):
        if point != self.wanted:
            return
        for number in (signal.SIGTERM, signal.SIGINT):
            signal.signal(number, interrupt)
        print(jsontext.line({"paused": point}), flush=True)
        while True:
            time.sleep(0.1)


def interrupt(number, frame):
    raise Interrupted
