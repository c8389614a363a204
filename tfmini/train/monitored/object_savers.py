"""A Saver in place of a `tf.train.Checkpoint`: what a Scaffold makes of one."""

from __future__ import annotations

from typing import Any


def saver_of_objects(saver: Any) -> Any:
    """What a Scaffold's `saver` becomes that is no Saver: it is built, if it can be."""
    saver.build()
    return saver
