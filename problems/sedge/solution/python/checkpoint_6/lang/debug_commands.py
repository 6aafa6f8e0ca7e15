"""The commands of the debugger, as they are read."""

import re

NUMBER = re.compile(r"[1-9][0-9]{0,8}")
LINE = re.compile(r"(.+):([1-9][0-9]{0,8})")


class Quit(Exception):
    """There are no more commands."""


class Usage(Exception):
    """A command with words that it does not take."""


def nothing(words):
    if words:
        raise Usage
    return ()


def number(words):
    if len(words) != 1 or not NUMBER.fullmatch(words[0]):
        raise Usage
    return (int(words[0]),)


def optional_number(words):
    return number(words) if words else (1,)


def source_line(words):
    match = LINE.fullmatch(words[0]) if len(words) == 1 else None
    if not match:
        raise Usage
    return ((match.group(1), int(match.group(2))),)


def end(debugger):
    raise Quit


COMMANDS = {
    "step": (optional_number, lambda debugger, times: debugger.step(times)),
    "back": (optional_number, lambda debugger, times: debugger.back(times)),
    "goto": (number, lambda debugger, count: debugger.go_to(count)),
    "next": (nothing, lambda debugger: debugger.ending or debugger.next()),
    "finish": (nothing, lambda debugger: debugger.ending or debugger.finish()),
    "continue": (nothing, lambda debugger: debugger.ending or debugger.proceed()),
    "reverse": (nothing, lambda debugger: debugger.reverse()),
    "break": (source_line, lambda debugger, line: debugger.set_breakpoint(line)),
    "clear": (source_line, lambda debugger, line: debugger.clear_breakpoint(line)),
    "stack": (nothing, lambda debugger: debugger.stack()),
    "vars": (nothing, lambda debugger: debugger.variables()),
    "quit": (nothing, end),
}


def read_command(debugger):
    """Reads and obeys one command; true if the program is to go on."""
    line = debugger.commands.readline()
    if not line:
        raise Quit
    words = [word for word in line.decode("utf-8", "replace").rstrip("\n").split(" ") if word]
    if not words:
        return False
    name = words.pop(0)
    if name not in COMMANDS:
        debugger.reply("error command")
        return False
    read, obey = COMMANDS[name]
    try:
        arguments = read(words)
    except Usage:
        debugger.reply("error usage")
        return False
    return obey(debugger, *arguments)
