"""Look for what is wrong with an archive."""

from snaparchive import forgetting, inspection
from snaparchive.output import emit


def add_arguments(parser):
    parser.add_argument("archive")


def run(options):
    archive = forgetting.open_archive(options.archive)
    state = inspection.inspect(archive)
    found = inspection.findings(archive, state)
    for finding in found:
        emit(finding.to_json())
    defects = sum(finding.is_defect for finding in found)
    emit({"files": len(state.files), "defects": defects, "remarks": len(found) - defects})
    return inspection.DEFECTS_STAY if defects else 0
