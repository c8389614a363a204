"""`python -m tfmini alias on|off|status`: installs tfmini as the package `tensorflow` of this environment."""

from __future__ import annotations

import argparse
import sys
from typing import Any

from tfmini._src.base.errors import OpError
from tfmini._src.programs.alias import switch
from tfmini._src.programs.alias.environment import check_for_tensorflow, packages_directory
from tfmini._src.programs.alias.package_files import ENTRIES
from tfmini._src.programs.cli.printable import complain

ABOUT = """\
Put a package tensorflow that is tfmini into this Python environment, with stubs for editors, or remove it. With it,
`import tensorflow` imports tfmini in every process of the environment, and programs that import it get what
`tfmini run` supplies. pip sees tensorflow 1.15.5. Where TensorFlow is installed, `on` refuses."""


def add_to(commands: Any) -> None:
    """Adds the command to argparse's subparsers."""
    parser = commands.add_parser(
        "alias",
        help="make `import tensorflow` import tfmini in this environment",
        description=ABOUT,
    )
    parser.add_argument("action", choices=("on", "off", "status"))
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Switches the alias on or off, or reports its status; returns the exit status."""
    try:
        if arguments.action == "on":
            print(f"on: {switch.turn_on()} is tfmini, for {sys.executable}")
        elif arguments.action == "off":
            print("off: removed tensorflow" if switch.turn_off() else "off: not installed")
        else:
            print(_status())
    except OpError as error:
        complain("alias", error.message)
        return 1
    return 0


def _status() -> str:
    paths = switch.installed_entries()
    if len(paths) == len(ENTRIES):
        return f"on: {paths[0]}"
    if paths:
        return f"incomplete: {', '.join(paths)}; `tfmini alias on` completes it, `off` removes it"
    try:
        check_for_tensorflow(packages_directory())
    except OpError as error:
        return f"off, and cannot be turned on: {error.message}"
    return "off"
