"""tf.train.queue_runner: what fills queues by threads."""

from tfmini.names.namespaces import namespace as _namespace
from tfmini.train.feeding.queue_runner import QueueRunner, add_queue_runner, start_queue_runners

__all__ = ["QueueRunner", "add_queue_runner", "start_queue_runners"]

_namespace(globals())
