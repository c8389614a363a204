"""`tf.contrib.staging`: areas in which one step leaves tensors for another."""

from tfmini.names.namespaces import namespace as _namespace
from tfmini.ops.queues.staging_objects import StagingArea

__all__ = ["StagingArea"]

_namespace(globals())
