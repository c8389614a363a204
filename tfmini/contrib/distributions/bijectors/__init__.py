"""`tf.contrib.distributions.bijectors`: the functions that `TransformedDistribution` is used with here."""

from tfmini.contrib.distributions.bijectors.affine_linear_operator import AffineLinearOperator
from tfmini.contrib.distributions.bijectors.bijector import Bijector
from tfmini.contrib.distributions.bijectors.identity import Identity
from tfmini.contrib.distributions.bijectors.power_transform import Exp, PowerTransform
from tfmini.contrib.distributions.bijectors.sigmoid import Sigmoid
from tfmini.hints import no_attributes as _no_attributes

__all__ = ["AffineLinearOperator", "Bijector", "Exp", "Identity", "PowerTransform", "Sigmoid"]

__getattr__ = _no_attributes(__name__, globals())
