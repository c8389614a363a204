"""`%load_ext tfmini`: IPython calls a function of the package."""

from __future__ import annotations

from typing import Any

from tfmini._src.base.names.load_module import load_module

_EXTENSION = "tfmini._src.programs.runner.ipython_extension"  # which this package is below


def load_ipython_extension(shell: Any) -> None:
    """Makes a notebook's `import tensorflow` import tfmini, with what `tfmini run` supplies besides.

    Args:
      shell: IPython's, by which `%load_ext tfmini` calls this.

    Raises:
      ImportError: if another TensorFlow is imported already.
    """
    load_module(_EXTENSION).load(shell)
