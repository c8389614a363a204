"""`tensorflow.python.eager.monitoring`: metrics of the process."""

from tfmini._src.base.process_metrics import (
    BoolGauge,
    Counter,
    ExponentialBuckets,
    IntGauge,
    Metric,
    Sampler,
    StringGauge,
)

__all__ = [
    "BoolGauge",
    "Counter",
    "ExponentialBuckets",
    "IntGauge",
    "Metric",
    "Sampler",
    "StringGauge",
]
