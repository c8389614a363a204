"""`tf.contrib.learn.learn_runner`: an Experiment run by its schedule."""

from tfmini.contrib.learn.experiment_runs import run, tune
from tfmini.names.namespaces import namespace as _namespace

__all__ = ["run", "tune"]

_namespace(globals())
