"""Importing `tfmini.as_tensorflow` first makes `import tensorflow` import tfmini.

    import tfmini.as_tensorflow
    import tensorflow as tf

Intended for notebooks, a conftest.py and programs with their own launcher; `python -m tfmini run train.py` runs an
unmodified script. Raises ImportError if a different `tensorflow` is already imported.
"""

from tfmini._src.programs.hook import removed_names as _gone
from tfmini._src.programs.hook.extra_names import is_strict as _is_strict
from tfmini._src.programs.hook.import_finder import install as _install

_install()
if not _is_strict():
    _gone.install()
