"""The command line: `tfmini COMMAND` or `python -m tfmini COMMAND`, one file per command.

A command exits with 0 when done, 1 with a message on stderr for bad input, 2 for wrong usage.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence

from tfmini._src.base.package import DISTRIBUTION
from tfmini._src.base.version import VERSION
from tfmini._src.programs.cli import alias, check, devices, export, inspect, launch, run, serve
from tfmini._src.programs.cli.printable import program_name


def main(arguments: Sequence[str] | None = None) -> int:
    """Runs the command in `arguments` (default: the process's); returns the exit status."""
    parser = argparse.ArgumentParser(
        prog=program_name(),
        description="Run TensorFlow 1.x programs on current Python versions and GPUs.",
    )
    installed = devices.installed_version(DISTRIBUTION) or "(not installed)"
    version = f"tfmini {installed} (TensorFlow {VERSION}'s API)"
    parser.add_argument("--version", action="version", version=version)
    commands = parser.add_subparsers(dest="subcommand", required=True, metavar="COMMAND")
    alias.add_to(commands)
    check.add_to(commands)
    devices.add_to(commands)
    export.add_to(commands)
    inspect.add_to(commands)
    launch.add_to(commands)
    run.add_to(commands)
    serve.add_to(commands)
    parsed, unknown = parser.parse_known_args(arguments)
    if unknown:
        commands.choices[parsed.subcommand].error(f"unrecognized arguments: {' '.join(unknown)}")
    try:
        return parsed.run(parsed)
    except BrokenPipeError:  # the reader closed the pipe, as `| head` does
        if parsed.subcommand == "run":  # the program's own error
            raise
        sys.stderr.close()
        return 0
