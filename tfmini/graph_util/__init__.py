"""`tf.graph_util`: GraphDefs cut down to what is needed, with values in place of variables.

All of it works on messages and adds nothing to a graph, but `import_graph_def`.
"""

from tfmini._src.base.names.public import attach as _attach

__getattr__, __dir__, __all__ = _attach(__name__, __file__)
