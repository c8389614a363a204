"""`tf.contrib.kernel_methods`: linear models of features under which distances are those of a kernel."""

from tfmini.contrib.kernel_methods.classifier import KernelLinearClassifier
from tfmini.contrib.kernel_methods.fourier_features import RandomFourierFeatureMapper
from tfmini.contrib.kernel_methods.hinge import sparse_multiclass_hinge_loss
from tfmini.names.namespaces import namespace as _namespace

__all__ = [
    "KernelLinearClassifier",
    "RandomFourierFeatureMapper",
    "sparse_multiclass_hinge_loss",
]

_namespace(globals())
