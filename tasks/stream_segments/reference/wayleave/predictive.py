"""Predictive scores: a Student density per channel, with a prior that a fork inherits."""

import math

import numpy as np

_VARIANCE_FLOOR = 1e-8


class Prior:
    """What is believed of a segment before its first step: a mean that weighs little, a spread that weighs more."""

    def __init__(self, mean, variance, settings):
        self.mean = np.asarray(mean, dtype=float)
        self.variance = np.maximum(variance, _VARIANCE_FLOOR)
        self.mean_weight = settings.prior_mean_weight
        self.shape = settings.prior_shape


def inherit(summary, prior, settings):
    """The prior of a fork: the trunk's mean and spread at this moment."""
    mean, variance = posterior_moments(summary, prior)
    return Prior(mean, variance, settings)


def posterior_moments(summary, prior):
    """Mean and spread of each channel, prior and summary taken together."""
    weight, mean, shape, scale = _posterior(summary, prior)
    return mean, np.maximum(scale / shape, _VARIANCE_FLOOR)


def log_scores(summary, prior, vectors):
    """Logarithm of the predictive density of each channel, for one vector or for a table of vectors."""
    weight, mean, shape, scale = _posterior(summary, prior)
    freedom = 2.0 * shape
    width = scale * (weight + 1.0) / (shape * weight)
    constant = math.lgamma(0.5 * (freedom + 1.0)) - math.lgamma(0.5 * freedom)
    constant -= 0.5 * math.log(freedom * math.pi)
    deviation = (np.asarray(vectors) - mean) ** 2 / width
    return constant - 0.5 * np.log(width) - 0.5 * (freedom + 1.0) * np.log1p(deviation / freedom)


def _posterior(summary, prior):
    weight = prior.mean_weight + summary.count
    mean = (prior.mean_weight * prior.mean + summary.count * summary.mean) / weight
    shape = prior.shape + 0.5 * summary.count
    between = prior.mean_weight * summary.count / weight * (summary.mean - prior.mean) ** 2
    scale = prior.shape * prior.variance + 0.5 * (summary.squares + between)
    return weight, mean, shape, scale
