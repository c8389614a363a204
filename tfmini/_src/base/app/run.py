"""`tf.app.run`: like absl's `app.run`, but passes undefined flags to `main`."""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Any, NoReturn

from absl import app

from tfmini._src.base.flags.parse_known_flags import known_flags
from tfmini._src.base.logs import get_logger


def run(main: Callable[[list[str]], Any] | None = None, argv: list[str] | None = None) -> NoReturn:
    """Parses the flags, runs `main` and exits the program with its return value.

    Args:
      main: called with a list: the program name and the arguments that are not defined flags. Default: `main` of the
        running program.
      argv: replaces `sys.argv`, starting with the program name.

    Raises:
      SystemExit: always: with the return value of `main` as the exit status, or 1 after a message if a flag's value
        has the wrong type.

    Example:

      def main(_):
          print(tf.app.flags.FLAGS.steps)

      if __name__ == "__main__":
          tf.app.run()
    """
    program = main or sys.modules["__main__"].main
    get_logger()  # before absl adds a handler to the root logger: messages also go to stderr as `INFO:tensorflow:text`
    app.run(main=program, argv=argv, flags_parser=known_flags)
    raise AssertionError("absl's run always raises SystemExit")
