from tfmini._src.contrib.linear_optimizer.sdca_optimizer import SDCAOptimizer as SDCAOptimizer
from tfmini._src.contrib.linear_optimizer.sdca_model import SdcaModel as SdcaModel
from tfmini._src.contrib.linear_optimizer.sparse_feature_column import SparseFeatureColumn as SparseFeatureColumn
