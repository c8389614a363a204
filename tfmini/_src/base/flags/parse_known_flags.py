"""Parsing of command lines that may contain another parser's flags."""

from __future__ import annotations

import sys

from absl import flags


def known_flags(argv: list[str]) -> list[str]:
    """Parses the defined flags; exits with a message for an invalid value, where TensorFlow shows a traceback."""
    try:
        return flags.FLAGS(argv, known_only=True)
    except flags.Error as error:
        sys.stderr.write(
            f"FATAL Flags parsing error: {error}\nPass --helpshort or --helpfull to see help on flags.\n"
        )
        sys.exit(1)
