"""IPython's magics for notebooks that run non-interactively from the first cell to the last.

Magics about the page (`%matplotlib inline`, `%load_ext`, `%%html`) are skipped; those with an effect are executed:
`!command` and `%%bash` in a shell, `%cd`, `%env`, `%%writefile`, `%time`. Package installation commands are skipped
with a note, since a notebook would install its old TensorFlow. `%timeit` measures like IPython.
"""

from __future__ import annotations

import os
import re
import statistics
import subprocess
import sys
import time
import timeit
from collections.abc import Callable
from typing import Any

# Magics about the page, the shell's own settings, and setup that tfmini makes unnecessary.
SKIPPED_MAGICS = frozenset(
    {
        *("HTML", "SVG", "alias", "aimport", "autoreload", "autosave", "colors", "config", "html"),
        *("javascript", "js", "latex", "load_ext", "logstart", "logstop", "markdown", "matplotlib"),
        *("notebook", "pdb", "pprint", "precision", "reload_ext", "svg"),
        *("tensorflow_version", "unload_ext", "version_information", "watermark", "xmode"),
    }
)
INSTALLERS = re.compile(
    r"\s*(sudo\s+)?(\S*python\S*\s+-m\s+)?(pip3?|conda|apt|apt-get|easy_install)\b.*\binstall\b"
)


class Events:
    """Jupyter's cell events, which libraries use to draw figures after a cell; callbacks are never called."""

    def register(self, event: str, function: Callable[..., Any]) -> None:
        """Accepts a callback for an event; it is never called."""

    def unregister(self, event: str, function: Callable[..., Any]) -> None:
        """Accepts the removal of a callback."""


class Shell:
    """The notebook shell returned by `get_ipython()`, with the notebook's global names.

    `compiled` compiles cell text to code objects, for magics that run the rest of their cell.
    """

    def __init__(self, namespace: dict[str, Any], compiled: Callable[[str], list[Any]]) -> None:
        self.user_ns = namespace
        self.events = Events()
        self._compiled = compiled

    def run_line_magic(self, name: str, line: str) -> Any:
        """Executes `%name line`."""
        line = self._expand(line)
        if name in SKIPPED_MAGICS:
            return None
        if name in ("time", "prun"):
            return self._time(_split_timeit_line(line)[1])
        if name == "timeit":
            return self._timeit(line, "")
        if name == "tensorboard":
            print(f"skipped, no browser: run tensorboard {line}", file=sys.stderr)
            return None
        if name in ("pip", "conda"):
            return self.system(f"{name} {line}")
        if name in ("sx", "system"):
            return self.getoutput(line)
        if name == "cd":
            os.chdir(os.path.expanduser(line.strip().strip("'\"") or "~"))
        elif name == "pwd":
            return os.getcwd()
        elif name in ("env", "set_env"):
            return _environment(line)
        elif name == "pylab":
            exec("from pylab import *\nimport numpy as np, matplotlib.pyplot as plt", self.user_ns)
        elif name == "run":
            with open(line.split()[0], encoding="utf-8") as file:
                exec(compile(file.read(), line.split()[0], "exec"), self.user_ns)
        else:
            raise NotImplementedError(
                f"%{name}: not supported, because tfmini runs notebooks without IPython. Remove the line."
            )
        return None

    def magic(self, line: str) -> Any:
        """Executes `%line`."""
        name, _, arguments = line.strip().lstrip("%").partition(" ")
        return self.run_line_magic(name, arguments)

    def run_cell_magic(self, name: str, line: str, cell: str) -> Any:
        """Executes `%%name line` with the rest of the cell."""
        if name in SKIPPED_MAGICS:
            return None
        if name in ("time", "prun", "capture"):
            return self._time(cell, quiet=name == "capture")
        if name == "timeit":
            return self._timeit(line, cell)
        if name in ("bash", "sh", "system", "sx", "!"):
            return self.system(cell)
        if name in ("writefile", "file"):
            append, path = ("-a" in line.split(), line.split()[-1])
            with open(os.path.expanduser(path), "a" if append else "w", encoding="utf-8") as file:
                file.write(cell)
            return None
        raise NotImplementedError(
            f"%%{name}: not supported, because tfmini runs notebooks without IPython. Remove the cell."
        )

    def system(self, command: str) -> None:
        """Runs `!command` in a shell; prints its output, and stores its exit status in `_exit_code`."""
        command = self._expand(command)
        if INSTALLERS.match(command):
            print(f"skipped, installs packages: {command}", file=sys.stderr)
            return
        sys.stdout.flush()
        self.user_ns["_exit_code"] = subprocess.run(command, shell=True, check=False).returncode

    def getoutput(self, command: str) -> list[str]:
        """Returns the output of a command, as a list of lines."""
        command = self._expand(command)
        process = subprocess.run(
            command,
            shell=True,
            check=False,
            text=True,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
        )
        return process.stdout.splitlines()

    def _expand(self, text: str) -> str:
        """Expands `{expression}` and `$name` from the notebook's names; leaves unknown ones unchanged."""

        def value(match: re.Match[str]) -> str:
            if match[0] in ("$$", "{{", "}}"):
                return match[0][0]
            if match[2] is not None:
                return str(self.user_ns[match[2]]) if match[2] in self.user_ns else match[0]
            try:
                return str(eval(match[1], self.user_ns))
            except Exception:  # the shell's braces, not Python's
                return match[0]

        return re.sub(r"\$\$|\{\{|\}\}|(?<!\$)\{([^{}]+)\}|\$([A-Za-z_]\w*)", value, text)

    def _time(self, source: str, quiet: bool = False) -> None:
        start = time.perf_counter()
        for code in self._compiled(source):
            exec(code, self.user_ns)
        if not quiet:
            print(f"Wall time: {time.perf_counter() - start:.3g} s")

    def _timeit(self, line: str, cell: str) -> None:
        """Implements `%timeit statement`, or `%%timeit setup` with a cell; chooses runs and loops like IPython."""
        options, statement = _split_timeit_line(line)
        counts = dict(re.findall(r"-([nr])\s*(\d+)", options))
        source, setup = (cell, statement) if cell else (statement, "")
        timer = timeit.Timer(source, setup or "pass", globals=self.user_ns)
        loops, runs = int(counts.get("n", 0)) or timer.autorange()[0], int(counts.get("r", 7))
        times = [total / loops for total in timer.repeat(runs, loops)]
        mean, spread = _time_text(statistics.fmean(times)), _time_text(statistics.pstdev(times))
        summary = f"mean ± std. dev. of {runs} run{'s' * (runs != 1)}, {loops:,} loop{'s' * (loops != 1)} each"
        text = f"{mean} ± {spread} per loop ({summary})"
        print(text if _can_print("±μ") else text.replace("±", "+-").replace("μ", "u"))


def _can_print(text: str) -> bool:
    """Whether standard output can encode a text."""
    try:
        text.encode(sys.stdout.encoding or "ascii")
    except UnicodeEncodeError:
        return False
    return True


def _time_text(seconds: float) -> str:
    """Returns a time with three digits, as IPython prints it."""
    for unit, size in (("s", 1.0), ("ms", 1e-3), ("μs", 1e-6)):
        if seconds >= size:
            return f"{seconds / size:.3g} {unit}"
    return f"{seconds / 1e-9:.3g} ns"


def _split_timeit_line(line: str) -> tuple[str, str]:
    """Returns the options and the statement of `%timeit -n 10 statement`."""
    options, statement = re.findall(r"^((?:\s*-\w+(?:\s*\d+)?(?=\s|$))*)\s*(.*)", line, re.DOTALL)[
        0
    ]
    return options, statement


def _environment(line: str) -> Any:
    name, separator, value = line.partition("=")
    if not separator:
        name, _, value = line.strip().partition(" ")
    if not name.strip():
        return dict(os.environ)
    if not value:
        return os.environ.get(name.strip())
    os.environ[name.strip()] = value.strip()
    return None
