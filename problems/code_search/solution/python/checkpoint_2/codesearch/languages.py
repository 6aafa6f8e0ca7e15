"""The languages that are searched."""

import os

LANGUAGES = {
    "python": (".py",),
    "javascript": (".js", ".mjs", ".cjs"),
    "cpp": (".cc", ".cpp", ".cxx", ".hh", ".hpp", ".hxx"),
}
BY_EXTENSION = {extension: name for name, extensions in LANGUAGES.items() for extension in extensions}


def language_of(file_name):
    """Return the name of the file's language, or None."""
    return BY_EXTENSION.get(os.path.splitext(file_name)[1])
