"""Graph functions traced from Python functions: `Defun` and its implementation.

`func_graph` builds the body as a separate graph, which captures outside tensors as further inputs;
`graph_to_function_def` converts that graph to a FunctionDef; `fingerprint` computes TensorFlow's name for it.
A `defined_function` adds itself to the library of the calling graph; `overloaded` has one for each combination of
dtypes; `calls` adds call nodes, and `while_node` loops over two functions. Calls are replaced by their bodies at
compile time (`executor/inline/inline.py`).
"""

from tfmini._src.base.names.lazy_imports import lazy_modules

__getattr__ = lazy_modules(__name__)
