"""`tf.keras.constraints`: projections of weights, applied after an optimizer's update."""

from tfmini.layers.constraints import (
    Constraint,
    MaxNorm,
    MinMaxNorm,
    NonNeg,
    UnitNorm,
    deserialize,
    get,
    serialize,
)
from tfmini.layers.constraints import MaxNorm as max_norm
from tfmini.layers.constraints import MinMaxNorm as min_max_norm
from tfmini.layers.constraints import NonNeg as non_neg
from tfmini.layers.constraints import UnitNorm as unit_norm
from tfmini.layers.radial_constraint import RadialConstraint
from tfmini.layers.radial_constraint import RadialConstraint as radial_constraint
from tfmini.names.namespaces import namespace as _namespace

__all__ = [
    "Constraint",
    "MaxNorm",
    "MinMaxNorm",
    "NonNeg",
    "RadialConstraint",
    "UnitNorm",
    "deserialize",
    "get",
    "max_norm",
    "min_max_norm",
    "non_neg",
    "radial_constraint",
    "serialize",
    "unit_norm",
]

_namespace(globals())
