"""`import tfmini.as_tensorflow` as a first line: after it `import tensorflow` imports tfmini.

    import tfmini.as_tensorflow
    import tensorflow as tf

For notebooks, for a conftest.py, for a program that starts itself. `python -m tfmini run train.py` does the same for a
script that nobody wants to edit. Where another TensorFlow is imported already it raises ImportError.
"""

from tfmini._src.programs.hook import removed_names as _gone
from tfmini._src.programs.hook.extra_names import is_strict as _is_strict
from tfmini._src.programs.hook.import_finder import install as _install

_install()
if not _is_strict():
    _gone.install()
