"""`tf.contrib.slim.dataset_data_provider`: reads the items of a Dataset, one example per step."""

from tfmini._src.base.names.public import attach as _attach

__getattr__, __dir__, __all__ = _attach(__name__, __file__)
