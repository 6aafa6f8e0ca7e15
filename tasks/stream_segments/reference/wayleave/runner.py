"""The method over a whole stream."""

from wayleave.segmenter import OnlineSegmenter


def segment_stream(observations, settings, seed=0):
    """Runs a fresh segmenter over a whole stream; the first `settings.warmup` rows are its warm-up."""
    segmenter = OnlineSegmenter(settings, seed)
    segmenter.fit_warmup(observations[: settings.warmup])
    for row in observations[settings.warmup :]:
        segmenter.step(row)
    segmenter.finish()
    return segmenter
