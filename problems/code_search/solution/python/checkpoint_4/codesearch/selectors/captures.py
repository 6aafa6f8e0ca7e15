"""Captures that are absent when they would be empty."""


def token_captures(code, **runs):
    """Return captures of runs of tokens, each given by its first token and its end."""
    return {
        f"${name}": (code.span(first, end),) for name, (first, end) in runs.items() if first < end
    }


def text_captures(**spans):
    return {f"${name}": (span,) for name, span in spans.items() if span[0] < span[1]}
