"""Online segmentation of time series by contested summaries, with uncertainty."""
