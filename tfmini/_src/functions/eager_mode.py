"""The API of eager execution, which tfmini does not have."""

from __future__ import annotations

from typing import Any


def executing_eagerly() -> bool:
    """False: operations build graphs."""
    return False


def disable_eager_execution() -> None:
    """Does nothing: operations always build graphs."""


def enable_eager_execution(
    config: Any = None, device_policy: Any = None, execution_mode: Any = None
) -> None:
    """Raises RuntimeError: tfmini runs graphs, by a Session."""
    raise RuntimeError(
        "tfmini runs graphs only: there is no eager execution. Build a graph and run it with tf.Session()."
    )
