"""Write parity."""

from snaparchive import forgetting, inspection, parity
from snaparchive.arguments import number_from
from snaparchive.errors import Failure
from snaparchive.output import emit


def add_arguments(parser):
    parser.add_argument("archive")
    parser.add_argument("--group", required=True, type=number_from(1, parity.MOST_MEMBERS))


def run(options):
    archive = forgetting.open_archive(options.archive)
    state = inspection.inspect(archive)
    for finding in inspection.findings(archive, state):
        if finding.is_defect and finding.file not in state.broken_parity:
            raise Failure(finding.finding, file=finding.file)
    groups = parity.protect(archive, sorted(state.files), options.group)
    emit({"files": len(state.files), "groups": groups})
