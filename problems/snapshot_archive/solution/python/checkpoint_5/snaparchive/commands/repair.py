"""Make good what is missing or damaged."""

from snaparchive import forgetting, inspection, repair, sources
from snaparchive.output import emit


def add_arguments(parser):
    parser.add_argument("archive")
    for option, source in (("--from", sources.ArchiveSource), ("--tree", sources.TreeSource)):
        parser.add_argument(option, dest="sources", action="append", default=[], type=source_maker(source))


def source_maker(source):
    return lambda path: lambda archive: source(archive, path)


def run(options):
    archive = forgetting.open_archive(options.archive)
    repairing = repair.Repair(archive, [make(archive) for make in options.sources])
    left = repairing.run()
    for line in repairing.to_json(left):
        emit(line)
    return inspection.DEFECTS_STAY if left else 0
