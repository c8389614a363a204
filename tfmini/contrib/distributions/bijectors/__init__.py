"""`tf.contrib.distributions.bijectors`: functions that can be inverted; `TransformedDistribution` takes them."""

from tfmini.contrib.distributions.bijectors.absolute_value import AbsoluteValue
from tfmini.contrib.distributions.bijectors.affine import Affine
from tfmini.contrib.distributions.bijectors.affine_linear_operator import AffineLinearOperator
from tfmini.contrib.distributions.bijectors.affine_scalar import AffineScalar
from tfmini.contrib.distributions.bijectors.batch_normalization import BatchNormalization
from tfmini.contrib.distributions.bijectors.bijector import Bijector
from tfmini.contrib.distributions.bijectors.chain import Chain
from tfmini.contrib.distributions.bijectors.cholesky_outer_product import CholeskyOuterProduct
from tfmini.contrib.distributions.bijectors.conditional_bijector import ConditionalBijector
from tfmini.contrib.distributions.bijectors.fill_triangular import FillTriangular
from tfmini.contrib.distributions.bijectors.gumbel import Gumbel
from tfmini.contrib.distributions.bijectors.identity import Identity
from tfmini.contrib.distributions.bijectors.inline import Inline
from tfmini.contrib.distributions.bijectors.invert import Invert
from tfmini.contrib.distributions.bijectors.kumaraswamy import Kumaraswamy
from tfmini.contrib.distributions.bijectors.masked_autoregressive import (
    MaskedAutoregressiveFlow,
    masked_autoregressive_default_template,
    masked_dense,
)
from tfmini.contrib.distributions.bijectors.matrix_inverse_tril import MatrixInverseTriL
from tfmini.contrib.distributions.bijectors.ordered import Ordered
from tfmini.contrib.distributions.bijectors.permute import Permute
from tfmini.contrib.distributions.bijectors.power_transform import Exp, PowerTransform
from tfmini.contrib.distributions.bijectors.real_nvp import RealNVP, real_nvp_default_template
from tfmini.contrib.distributions.bijectors.reshape import Reshape
from tfmini.contrib.distributions.bijectors.scale_tril import ScaleTriL
from tfmini.contrib.distributions.bijectors.sigmoid import Sigmoid
from tfmini.contrib.distributions.bijectors.sinh_arcsinh import SinhArcsinh
from tfmini.contrib.distributions.bijectors.softmax_centered import SoftmaxCentered
from tfmini.contrib.distributions.bijectors.softplus import Softplus
from tfmini.contrib.distributions.bijectors.softsign import Softsign
from tfmini.contrib.distributions.bijectors.square import Square
from tfmini.contrib.distributions.bijectors.transform_diagonal import TransformDiagonal
from tfmini.names.namespaces import namespace as _namespace

__all__ = [
    "AbsoluteValue",
    "Affine",
    "AffineLinearOperator",
    "AffineScalar",
    "BatchNormalization",
    "Bijector",
    "Chain",
    "CholeskyOuterProduct",
    "ConditionalBijector",
    "Exp",
    "FillTriangular",
    "Gumbel",
    "Identity",
    "Inline",
    "Invert",
    "Kumaraswamy",
    "MaskedAutoregressiveFlow",
    "MatrixInverseTriL",
    "Ordered",
    "Permute",
    "PowerTransform",
    "RealNVP",
    "Reshape",
    "ScaleTriL",
    "Sigmoid",
    "SinhArcsinh",
    "SoftmaxCentered",
    "Softplus",
    "Softsign",
    "Square",
    "TransformDiagonal",
    "masked_autoregressive_default_template",
    "masked_dense",
    "real_nvp_default_template",
]

_namespace(globals())
