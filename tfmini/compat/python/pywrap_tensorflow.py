"""`tensorflow.python.pywrap_tensorflow`: the reader of checkpoints, which programs take from here."""

from tfmini.train.checkpoint_reader import new_checkpoint_reader as NewCheckpointReader

__all__ = ["NewCheckpointReader"]
