"""Graph functions traced from Python functions: `Defun` and its implementation.

`func_graph` builds the body as a graph of its own, which takes in what it uses from outside as further inputs;
`graph_to_function_def` writes that graph as a FunctionDef; `fingerprint` gives it the name that TensorFlow gives it.
`defined_function` is such a function, which puts itself into the library of the graph that calls it; `overloaded` has
one for each combination of dtypes; `calls` adds the nodes, `while_node` loops of two functions. What a call runs is
the runtime's matter (`runtime/inline.py`).
"""

from tfmini._src.base.names.late_imports import late_modules

__getattr__ = late_modules(__name__)
