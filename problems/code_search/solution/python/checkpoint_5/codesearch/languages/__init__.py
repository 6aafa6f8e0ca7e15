"""The languages that are searched."""

import os

from codesearch.languages.cpp import CPP
from codesearch.languages.go import GO
from codesearch.languages.java import JAVA
from codesearch.languages.javascript import JAVASCRIPT
from codesearch.languages.python import PYTHON
from codesearch.languages.rust import RUST

LANGUAGES = {
    language.name: language for language in (PYTHON, JAVASCRIPT, CPP, GO, RUST, JAVA)
}
BY_EXTENSION = {
    extension: language for language in LANGUAGES.values() for extension in language.extensions
}


def language_of(file_name):
    """Return the file's language, or None."""
    return BY_EXTENSION.get(os.path.splitext(file_name)[1])
