"""`tf.contrib.learn.graph_actions`: graphs trained, tensors run some times."""

from tfmini.contrib.learn.graph_evaluation import evaluate
from tfmini.contrib.learn.graph_training import train
from tfmini.contrib.learn.running import infer, run_feeds, run_n
from tfmini.names.namespaces import namespace as _namespace

__all__ = ["evaluate", "infer", "run_feeds", "run_n", "train"]

_namespace(globals())
