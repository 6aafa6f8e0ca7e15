"""When a fork becomes the trunk."""


def choose_takeover(forks, threshold, settings):
    """The fork that takes over at this step, or none.

    The richest fork must have held the threshold for some steps, and be ahead of every rival that starts elsewhere;
    far above the threshold the lead is waived.
    """
    for fork in forks:
        fork.held = fork.held + 1 if fork.evidence() >= threshold else 0
    if not forks:
        return None
    leader = max(forks, key=lambda fork: (fork.evidence(), fork.start))
    if leader.held < settings.hold:
        return None
    if leader.evidence() >= settings.waiver * threshold:
        return leader
    for rival in forks:
        elsewhere = abs(rival.start - leader.start) > settings.gap
        if elsewhere and leader.evidence() < rival.evidence() + settings.dominance:
            return None
    return leader
