"""Which forks go on."""


def prune(forks, settings):
    """Splits the forks into those that stay and those that die: floor, age, dominance, cap, in this order."""
    dead = [fork for fork in forks if _sunk(fork, settings) or fork.age > settings.stale_age]
    alive = [fork for fork in forks if fork not in dead]
    dominated = [fork for fork in alive if any(_dominates(other, fork, settings) for other in alive)]
    alive = [fork for fork in alive if fork not in dominated]
    alive.sort(key=lambda fork: (-fork.evidence(), fork.start))
    surplus = alive[settings.fork_cap :]
    alive = sorted(alive[: settings.fork_cap], key=lambda fork: fork.start)
    return alive, dead + dominated + surplus


def _sunk(fork, settings):
    return fork.age >= settings.probation and fork.evidence() < -settings.floor


def _dominates(other, fork, settings):
    """A later fork with more evidence, though it had less time to gather it."""
    return other.start > fork.start and other.evidence() >= fork.evidence() + settings.dominance
