"""tf.queue: what holds elements between steps."""

from tfmini.names.namespaces import namespace as _namespace
from tfmini.ops.queues.queue_objects import (
    FIFOQueue,
    PaddingFIFOQueue,
    PriorityQueue,
    QueueBase,
    RandomShuffleQueue,
)

__all__ = ["FIFOQueue", "PaddingFIFOQueue", "PriorityQueue", "QueueBase", "RandomShuffleQueue"]

_namespace(globals())
