"""`tf.app.run`: absl's, with undefined flags left to `main`."""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Any, NoReturn

from absl import app

from tfmini._src.base.flags.parse_known_flags import known_flags


def run(main: Callable[[list[str]], Any] | None = None, argv: list[str] | None = None) -> NoReturn:
    """Parses the flags, runs `main` and ends the program with what it returns.

    Args:
      main: called with a list: the program's name, and the arguments that are no flags which are defined. By default
        the `main` of the program that runs.
      argv: the arguments in place of `sys.argv`, the program's name first.

    Raises:
      SystemExit: always, at the end: with main's result as the exit status, or 1 after a message if a flag's value is
        not of its type.

    Example:
      def main(_):
          print(tf.app.flags.FLAGS.steps)

      if __name__ == "__main__":
          tf.app.run()
    """
    program = main or sys.modules["__main__"].main
    app.run(main=program, argv=argv, flags_parser=known_flags)
    raise AssertionError("absl's run returns only by SystemExit")
