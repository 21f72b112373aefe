"""Means and intervals of repeated ratios."""

import math
from collections.abc import Iterable

import numpy as np
import scipy.stats


def geometric_mean(values: Iterable[float]) -> float:
    return math.exp(np.mean(np.log(list(values))))


def interval(values: list[float]) -> tuple[float, float] | None:
    """95 % interval of the geometric mean of repeated ratios: Student's t on their logarithms; None below two."""
    if len(values) < 2:
        return None
    logs = np.log(values)
    half = scipy.stats.t.ppf(0.975, len(logs) - 1) * np.std(logs, ddof=1) / math.sqrt(len(logs))
    return math.exp(np.mean(logs) - half), math.exp(np.mean(logs) + half)
