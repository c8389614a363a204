"""`python -m tfmini run train.py`: runs a program that imports `tensorflow`, with tfmini in its place."""

from __future__ import annotations

import argparse
import contextlib
import sys
from collections.abc import Iterator
from typing import Any

from tfmini._src.base.names.python2 import INSTALL
from tfmini._src.cluster.launch_environment import follow_launcher
from tfmini._src.programs.cli.printable import complain
from tfmini._src.programs.hook import removed_names
from tfmini._src.programs.hook.import_finder import install
from tfmini._src.programs.runner import notebooks, programs
from tfmini._src.programs.runner.plain_scalars import show_plain_scalars
from tfmini._src.programs.runner.profile import Profile
from tfmini._src.programs.runner.python2 import language_version, syntax
from tfmini._src.programs.runner.trace_file import TraceFile
from tfmini._src.session import run_hooks

ABOUT = """\
Run a TensorFlow 1.x program unchanged: `import tensorflow` imports tfmini, in the program and in the processes that it
starts. Options of run precede the program; everything after it is passed to the program."""


def add_to(commands: Any) -> None:
    """Adds the command to argparse's subparsers."""
    parser = commands.add_parser(
        "run",
        help="run a program that imports tensorflow",
        description=ABOUT,
        usage="%(prog)s [-h] [--strict | --python2] [--trace FILE]\n"
        "           [--profile] (PROGRAM | -m MODULE | -c CODE) [ARGUMENT ...]",
    )
    parser.add_argument(
        "--strict",
        action="store_true",
        help="disable names from before TensorFlow 1.0 and names removed from libraries",
    )
    parser.add_argument(
        "--python2",
        action="store_true",
        help="run the program as Python 2, even without Python 2 syntax or names in its files",
    )
    parser.add_argument(
        "--trace",
        metavar="FILE",
        help="write a timeline of every node to FILE, for ui.perfetto.dev or chrome://tracing",
    )
    parser.add_argument(
        "--profile",
        action="store_true",
        help="print the slowest nodes and their source lines to stderr at exit",
    )
    parser.add_argument(
        "-m",
        dest="module",
        nargs=argparse.REMAINDER,
        metavar="MODULE",
        help="run a module, like python -m",
    )
    parser.add_argument(
        "-c",
        dest="code",
        nargs=argparse.REMAINDER,
        metavar="CODE",
        help="run a string, like python -c",
    )
    parser.add_argument(
        "program",
        nargs=argparse.REMAINDER,
        metavar="PROGRAM",
        help="a script, a directory with a __main__.py, a notebook (.ipynb), or - for standard input",
    )
    parser.set_defaults(run=run, parser=parser)


def run(arguments: argparse.Namespace) -> int:
    """Runs the program; its exceptions propagate, so that Python reports them. Returns 2 without a program."""
    follow_launcher()
    target = arguments.module or arguments.code or arguments.program
    if not target:
        arguments.parser.error("a program is required: PROGRAM, -m MODULE or -c CODE")
    first, *program_arguments = target
    if arguments.python2:
        if arguments.strict:
            arguments.parser.error("argument --python2: not allowed with argument --strict")
        if not syntax.is_available():
            complain("run", f"--python2: {INSTALL} installs its dependencies")
            return 2
        language_version.set_python2()
    try:
        install(arguments.strict)
        if not arguments.strict:
            removed_names.install()
            show_plain_scalars()
    except ImportError as error:  # an import at Python's start-up has loaded a TensorFlow
        complain("run", error)
        return 2
    try:
        if arguments.module:
            program = programs.module(first)
        elif arguments.code:
            program = programs.text(first)
        elif first.endswith(".ipynb"):
            program = notebooks.notebook(first)
        else:
            program = programs.script(first)
    except programs.NoProgramError as error:
        complain("run", error)
        return 2
    try:
        file = None if arguments.trace is None else TraceFile(arguments.trace)
    except OSError as error:
        complain("run", f"--trace {arguments.trace}: {error.strerror}")
        return 2
    with _trace_steps(file, Profile() if arguments.profile else None):
        programs.run(program, program_arguments)
    return 0


@contextlib.contextmanager
def _trace_steps(file: TraceFile | None, profile: Profile | None) -> Iterator[None]:
    """Context manager that traces and profiles the block's steps, and reports both at its end."""
    watchers = [watcher.add for watcher in (file, profile) if watcher is not None]
    for watcher in watchers:
        run_hooks.watch(watcher)
    try:
        yield
    finally:
        for watcher in watchers:
            run_hooks.end(watcher)
        if file is not None:
            file.close()
        if profile is not None:
            profile.show(sys.stderr)
