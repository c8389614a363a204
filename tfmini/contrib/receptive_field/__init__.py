"""`tf.contrib.receptive_field`: how large a part of an image each feature of a convolutional network sees."""

from tfmini.contrib.receptive_field.compute_order import get_compute_order
from tfmini.contrib.receptive_field.fields import compute_receptive_field_from_graph_def
from tfmini.names.namespaces import namespace as _namespace

__all__ = ["compute_receptive_field_from_graph_def", "get_compute_order"]

_namespace(globals())
