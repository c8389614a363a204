"""Dispatches a command of ci/ to its subcommands: modules and shell scripts that receive the remaining arguments."""

import ast
import os
import re
import subprocess
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
REFERENCE = "TFMINI_REFERENCE"  # TensorFlow 1.15.5, which ci/reference installs
SECOND_REFERENCE = "TFMINI_SECOND_REFERENCE"  # TensorFlow 2, which ci/reference --second installs
GPU_REFERENCE = "TFMINI_REFERENCE_GPU"  # tensorflow-gpu 1.15.5, to be installed by hand
_INSTALLS = {REFERENCE: ("ci/reference",), SECOND_REFERENCE: ("ci/reference", "--second")}


@dataclass(frozen=True)
class Subcommand:
    """A module (`ci.commands.benchmarks.gpu`) or a script (`checks/docs.sh`), with arguments before the user's.

    `python` names the environment variable of the Python that runs a module: this one's unless given.
    """

    summary: str
    runs: str
    arguments: tuple[str, ...] = ()
    python: str | None = None

    @property
    def path(self) -> Path:
        if self.runs.endswith(".sh"):
            return ROOT / "ci" / "commands" / self.runs
        path = ROOT.joinpath(*self.runs.split("."))
        return path / "__main__.py" if path.is_dir() else path.with_suffix(".py")

    def command(self, arguments: Sequence[str]) -> list[str]:
        """The command line, including those arguments."""
        if self.runs.endswith(".sh"):
            return ["bash", str(self.path), *self.arguments, *arguments]
        python = interpreter(self.python) if self.python else sys.executable
        quiet = ["-W", "ignore"] if self.python else []
        return [python, *quiet, "-m", self.runs, *self.arguments, *arguments]

    def own_help(self) -> str | None:
        """The comment at the top of a script, the docstring of a module that parses no options."""
        text = self.path.read_text(encoding="utf-8")
        if self.runs.endswith(".sh"):
            lines = text.splitlines()[1:]
            end = next(n for n, line in enumerate(lines) if not line.startswith("#"))
            return "\n".join(line.removeprefix("#").removeprefix(" ") for line in lines[:end])
        if self.python or not any(word in text for word in ("ArgumentParser", "make_parser")):
            return ast.get_docstring(ast.parse(text))
        return None


def interpreter(variable: str) -> str:
    """The Python that an environment variable names, or that ci/reference installs."""
    named = os.environ.get(variable)
    if named:
        return named
    if variable not in _INSTALLS:
        sys.exit(
            f"{variable} names no Python: tensorflow-gpu==1.15.5, protobuf<3.21, numpy<1.19 on 3.7"
        )
    completed = subprocess.run(
        _INSTALLS[variable], cwd=ROOT, stdout=subprocess.PIPE, text=True, check=True
    )
    return completed.stdout.strip()


def dispatch(
    command: str, about: str, subcommands: Mapping[str, Subcommand], default: str | None = None
) -> None:
    """Replaces this process by the subcommand that the first argument names, else by the default one."""
    name, *arguments = sys.argv[1:] or ["--help" if default is None else default]
    if name in ("-h", "--help"):
        print(_help(command, about, subcommands, default))
        return
    if name not in subcommands:
        if default is None:
            choices = ", ".join(subcommands)
            sys.exit(f"ci/{command}: no subcommand {name!r}; choose from {choices}")
        name, arguments = default, sys.argv[1:]
    subcommand = subcommands[name]
    asks_for_help = bool({"-h", "--help"} & {*arguments})
    if asks_for_help:
        text = subcommand.own_help()
        if text:
            print(text)
            return
    os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")
    line = subcommand.command(arguments)
    os.chdir(ROOT)
    if asks_for_help:
        sys.exit(_print_help(f"ci/{command} {name}", line))
    os.execvp(line[0], line)


def _print_help(subcommand: str, line: Sequence[str]) -> int | str:
    """Runs a module that prints its own help; returns its exit status, or what to install if it lacks a package."""
    done = subprocess.run(line, stderr=subprocess.PIPE, text=True)
    absent = re.search(r"^ModuleNotFoundError: (No module named .*)", done.stderr, re.MULTILINE)
    if absent:
        return f"{subcommand}: {absent[1]}; pip install -e '.[dev]' installs what ci/ needs"
    sys.stderr.write(done.stderr)
    return done.returncode


def _help(
    command: str, about: str, subcommands: Mapping[str, Subcommand], default: str | None
) -> str:
    width = max(map(len, subcommands))
    rows = [f"  {name:{width}}  {subcommand.summary}" for name, subcommand in subcommands.items()]
    usage = f"ci/{command} SUBCOMMAND [ARGUMENTS]"
    if default is not None:
        usage = f"ci/{command} [{default}] [ARGUMENTS]\n       {usage}"
    each = f"`ci/{command} SUBCOMMAND --help` describes a subcommand."
    return "\n".join([f"usage: {usage}", "", about.strip(), "", *rows, "", each])
