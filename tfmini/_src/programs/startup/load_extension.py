"""`%load_ext tfmini`: the package function called by IPython."""

from __future__ import annotations

from typing import Any

from tfmini._src.base.names.load_module import load_module

_EXTENSION = "tfmini._src.programs.runner.ipython_extension"  # the parent package of this one


def load_ipython_extension(shell: Any) -> None:
    """Makes a notebook's `import tensorflow` import tfmini, with everything else that `tfmini run` restores.

    Args:
      shell: the IPython shell, passed by `%load_ext tfmini`.

    Raises:
      ImportError: if another TensorFlow has been imported.
    """
    load_module(_EXTENSION).load(shell)
