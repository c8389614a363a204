"""`tf.contrib.slim.evaluation`: checkpoints evaluated, once or as they come."""

from tfmini.contrib.slim.evaluating import evaluate_once, evaluation_loop
from tfmini.names.namespaces import namespace as _namespace
from tfmini.train.checkpoints.checkpoint_reader import checkpoints_iterator, wait_for_new_checkpoint

__all__ = ["checkpoints_iterator", "evaluate_once", "evaluation_loop", "wait_for_new_checkpoint"]

_namespace(globals())
