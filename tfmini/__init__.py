"""tfmini: TensorFlow 1.x programs on today's Python and today's GPUs.

`import tfmini as tf` gives the names of TensorFlow 1.15.5; `__init__.pyi` is the table of them.
The argument `name` of functions that add nodes is the name of the node, or of the scope of several.
"""

from tfmini._src.programs.startup import import_core as _import_core  # noqa: F401  isort: skip  before all others
from tfmini._src.base.names.public import attach as _attach
from tfmini._src.programs.startup.load_extension import load_ipython_extension  # noqa: F401

__getattr__, __dir__, __all__ = _attach(__name__, __file__)
