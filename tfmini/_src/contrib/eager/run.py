"""`tf.contrib.eager.run`: runs the program's `main` with eager execution."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NoReturn

from tfmini._src.base.app import run as app
from tfmini._src.session.eager.enable import enable_eager_execution


def run(main: Callable[[list[str]], Any] | None = None, argv: list[str] | None = None) -> NoReturn:
    """Runs the program like `tf.app.run`, with eager execution enabled.

    Args:
      main: function of the program name and non-flag arguments; by default `main` of the program.
      argv: replacement of `sys.argv`, starting with the program name.

    Raises:
      ValueError: if the program has already added nodes to a graph.
      SystemExit: at the end, as `tf.app.run` does.
    """
    enable_eager_execution()
    app.run(main, argv)
