"""`tf.contrib.distributions.bijectors`: functions that can be inverted; `TransformedDistribution` takes them."""

from tfmini.contrib.distributions.bijectors.affine_linear_operator import AffineLinearOperator
from tfmini.contrib.distributions.bijectors.affine_scalar import AffineScalar
from tfmini.contrib.distributions.bijectors.bijector import Bijector
from tfmini.contrib.distributions.bijectors.chain import Chain
from tfmini.contrib.distributions.bijectors.identity import Identity
from tfmini.contrib.distributions.bijectors.inline import Inline
from tfmini.contrib.distributions.bijectors.invert import Invert
from tfmini.contrib.distributions.bijectors.kumaraswamy import Kumaraswamy
from tfmini.contrib.distributions.bijectors.permute import Permute
from tfmini.contrib.distributions.bijectors.power_transform import Exp, PowerTransform
from tfmini.contrib.distributions.bijectors.sigmoid import Sigmoid
from tfmini.contrib.distributions.bijectors.sinh_arcsinh import SinhArcsinh
from tfmini.contrib.distributions.bijectors.softplus import Softplus
from tfmini.contrib.distributions.bijectors.softsign import Softsign
from tfmini.names.namespaces import namespace as _namespace

__all__ = [
    "AffineLinearOperator",
    "AffineScalar",
    "Bijector",
    "Chain",
    "Exp",
    "Identity",
    "Inline",
    "Invert",
    "Kumaraswamy",
    "Permute",
    "PowerTransform",
    "Sigmoid",
    "SinhArcsinh",
    "Softplus",
    "Softsign",
]

_namespace(globals())
