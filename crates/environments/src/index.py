"""Asks pip where packages come from, and fetches wheels and sources as `pip download` would: with its index, proxies, certificates
and retries. Nothing of a package runs, and none is unpacked.

Arguments: `where`, or `fetch` and the most bytes to fetch. `where` prints pip's options as one JSON object. `fetch` reads a JSON list of
`{"file", "sha256", "path"}` from standard input: a file's name, its digest in hexadecimal or null, and the file to write.

Exit codes of `fetch`: 1 a file cannot be had, 4 there are more bytes.
"""

import json
import os
import re
import sys

from pip._internal.commands.download import DownloadCommand
from pip._internal.models.format_control import FormatControl
from pip._internal.models.target_python import TargetPython
from pip._vendor.packaging.utils import parse_sdist_filename, parse_wheel_filename

CHUNK = 1 << 20


class Exactly(TargetPython):
    """An interpreter that takes wheels of these tags, whatever runs here."""

    def __init__(self, tags):
        super().__init__()
        self.tags = tags

    def get_sorted_tags(self):
        return list(self.tags)

    def get_unsorted_tags(self):
        return set(self.tags)

    # What pip before 23.3 asks for.
    get_tags = get_sorted_tags


def package_of(file):
    """Its name, and the tags that it is for: none if it is a source distribution."""
    if file.endswith(".whl"):
        name, _, _, tags = parse_wheel_filename(file)
        return name, tags
    return parse_sdist_filename(file)[0], frozenset()


def is_there(place):
    return re.match(r"[a-z]+://", place) is not None or os.path.exists(place)


class Where(DownloadCommand):
    def run(self, options, args):
        places = [place if "://" in place else os.path.abspath(place) for place in options.find_links if is_there(place)]
        print(json.dumps({
            "index": None if options.no_index else options.index_url,
            "more": [] if options.no_index else options.extra_index_urls,
            "places": places,
            "certificates": options.cert or None,
            "proxy": options.proxy or None,
        }))
        return 0


class Fetch(DownloadCommand):
    def run(self, options, args):
        session = self.get_default_session(options)
        left = int(sys.argv[2])
        # Whatever pip's configuration would build or not: these are files by their names.
        options.format_control = FormatControl()
        for wanted in json.load(sys.stdin):
            name, tags = package_of(wanted["file"])
            finder = self._build_package_finder(
                options=options, session=session, target_python=Exactly(tags), ignore_requires_python=True
            )
            # Not every index says hashes, and not everybody knows one; whoever called us computes it anyway.
            known = (None, wanted["sha256"])
            links = [candidate.link for candidate in finder.find_all_candidates(name)]
            links = [link for link in links if link.filename == wanted["file"]]
            link = next((link for link in links if wanted["sha256"] is None or link.hash in known), None)
            if link is None:
                print(f"it offers no {wanted['file']} with the locked digest, or cannot be reached", file=sys.stderr)
                return 1
            response = session.get(link.url_without_fragment, headers={"Accept-Encoding": "identity"}, stream=True)
            response.raise_for_status()
            with open(wanted["path"], "wb") as file:
                while chunk := response.raw.read(CHUNK):
                    left -= len(chunk)
                    if left < 0:
                        return 4
                    file.write(chunk)
        return 0


COMMANDS = {"where": Where, "fetch": Fetch}
sys.exit(COMMANDS[sys.argv[1]]("download", "").main(["--quiet", "--retries", "2"]))
