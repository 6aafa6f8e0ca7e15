"""Fetch one source distribution as `pip download` would, with pip's own index, proxies, certificates and retries.

`pip download` itself also asks the package for its metadata, and so installs and runs its build system: slow where that
is a compiler, impossible where it is missing, and other people's code on this machine. Nothing of a package runs here.

Arguments: name, version, SHA-256 in hexadecimal, file to write. Exit code 1: the index has no such distribution.
"""

import sys
from pathlib import Path

from pip._internal.commands.download import DownloadCommand

name, version, sha256, destination = sys.argv[1:]


class Fetch(DownloadCommand):
    def run(self, options, args):
        session = self.get_default_session(options)
        finder = self._build_package_finder(options=options, session=session, ignore_requires_python=True)
        for candidate in finder.find_all_candidates(name):
            # Not every index says hashes; whoever called us computes it anyway.
            if str(candidate.version) == version and candidate.link.hash in (None, sha256):
                response = session.get(candidate.link.url_without_fragment)
                response.raise_for_status()
                Path(destination).write_bytes(response.content)
                return 0
        print(f"the package index offers no {name} {version} with this digest, or cannot be reached", file=sys.stderr)
        return 1


sys.exit(Fetch("download", "").main(["--no-binary", ":all:", "--quiet", "--retries", "2"]))
