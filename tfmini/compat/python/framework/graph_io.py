"""`tensorflow.python.framework.graph_io`: graphs in files."""

from tfmini.train.graph_files import write_graph

__all__ = ["write_graph"]
