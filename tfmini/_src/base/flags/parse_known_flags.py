"""Parsing of a command line in which some flags may belong to another parser."""

from __future__ import annotations

import sys

from absl import flags


def known_flags(argv: list[str]) -> list[str]:
    """Parses what is defined; TensorFlow ends in a traceback where a value is not of its flag's type."""
    try:
        return flags.FLAGS(argv, known_only=True)
    except flags.Error as error:
        sys.stderr.write(
            f"FATAL Flags parsing error: {error}\nPass --helpshort or --helpfull to see help on flags.\n"
        )
        sys.exit(1)
