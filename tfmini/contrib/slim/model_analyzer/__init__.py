"""`tf.contrib.slim.model_analyzer`: how large a model is."""

from tfmini.contrib.slim.sizes import analyze_ops, analyze_vars, tensor_description
from tfmini.names.namespaces import namespace as _namespace

__all__ = ["analyze_ops", "analyze_vars", "tensor_description"]

_namespace(globals())
