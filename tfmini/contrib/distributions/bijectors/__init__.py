"""`tf.contrib.distributions.bijectors`: the functions that `TransformedDistribution` is used with here."""

from tfmini.contrib.distributions.bijectors.affine_linear_operator import AffineLinearOperator
from tfmini.contrib.distributions.bijectors.bijector import Bijector
from tfmini.contrib.distributions.bijectors.identity import Identity
from tfmini.contrib.distributions.bijectors.power_transform import Exp, PowerTransform
from tfmini.contrib.distributions.bijectors.sigmoid import Sigmoid
from tfmini.names.namespaces import namespace as _namespace

__all__ = ["AffineLinearOperator", "Bijector", "Exp", "Identity", "PowerTransform", "Sigmoid"]

_namespace(globals())
