"""`tf.contrib.linear_optimizer`: linear models by stochastic dual coordinate ascent."""

from tfmini.contrib.linear_optimizer.model import SdcaModel
from tfmini.contrib.linear_optimizer.optimizer import SDCAOptimizer
from tfmini.contrib.linear_optimizer.sparse_feature_column import SparseFeatureColumn
from tfmini.names.namespaces import namespace as _namespace

__all__ = ["SDCAOptimizer", "SdcaModel", "SparseFeatureColumn"]

_namespace(globals())
