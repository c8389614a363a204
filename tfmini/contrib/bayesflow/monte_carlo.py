"""`tf.contrib.bayesflow.monte_carlo`: expectations of functions of random numbers, as means over samples."""

from tfmini.contrib.bayesflow.expectations import (
    expectation,
    expectation_importance_sampler,
    expectation_importance_sampler_logspace,
)
from tfmini.names.namespaces import namespace as _namespace

__all__ = [
    "expectation",
    "expectation_importance_sampler",
    "expectation_importance_sampler_logspace",
]

_namespace(globals())
