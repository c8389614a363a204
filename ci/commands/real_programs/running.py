"""Runs one program in a private folder, with a private /tmp and no network but loopback."""

import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path

from ci.commands.real_programs.commits import COMMITS
from ci.commands.real_programs.repositories import extract, mirror
from ci.commands.real_programs.rows import Program

ROOT = Path(__file__).resolve().parents[3]

# Arguments: the folder to mount as /tmp, the working folder, the command.
IN_A_BOX = """
mount --bind "$1" /tmp && cd "$2" || exit 125
ip link set lo up 2>/dev/null
shift 2
exec "$@"
"""


@dataclass(frozen=True)
class Outcome:
    """The outcome of a program.

    Attributes:
      ran: its output showed what it must, and it ended well or is endless.
      seconds: its duration.
      said: the decisive line of its output: its result, or its error.
      output: all that it printed.
      tried: False where there is no mirror, commit or library for it.
    """

    program: Program
    ran: bool
    seconds: float
    said: str
    output: str = ""
    tried: bool = True


def run(program: Program, mirrors: Path, besides: Path | None = None) -> Outcome:
    """Assembles the program's files and data, runs it, and removes them again.

    `besides` is a folder of packages for it, not below /tmp.
    """
    git = mirror(mirrors, program.repository)
    if git is None:
        return Outcome(program, False, 0.0, f"no mirror of it below {mirrors}", tried=False)
    absent = [
        name
        for name in program.libraries
        if find_spec(name) is None and not (besides is not None and (besides / name).exists())
    ]
    if absent:
        return Outcome(program, False, 0.0, f"not installed: {', '.join(absent)}", tried=False)
    with tempfile.TemporaryDirectory(prefix="programs") as box:
        repository = Path(box, "repository")
        try:
            extract(git, COMMITS[program.repository], repository)
        except subprocess.CalledProcessError:
            return Outcome(program, False, 0.0, "the mirror has no such commit", tried=False)
        for relative, generate in program.data.items():
            target = (
                Path(box, relative[len("/tmp/") :]) if relative[0] == "/" else repository / relative
            )
            target.parent.mkdir(parents=True, exist_ok=True)
            generate(target)
        for relative, source in program.copied.items():
            (repository / relative).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(repository / source, repository / relative)
        return in_box(program, Path(box), besides)


def in_box(program: Program, box: Path, besides: Path | None) -> Outcome:
    """Runs the program whose repository is in `box`."""
    script = Path(program.path)
    directory = Path(program.folder) if program.folder is not None else script.parent
    command = [
        *("unshare", "--user", "--map-root-user", "--mount", "--net", "--pid", "--fork"),
        *("--kill-child", "--mount-proc", "sh", "-c", IN_A_BOX, "box", str(box)),
        *("/tmp/repository/" + str(directory), sys.executable, "-m", "tfmini", "run"),
        *(os.path.relpath(script, directory), *program.arguments),
    ]
    (box / "home").mkdir()
    path = [str(ROOT)]
    if program.imports is not None:
        path.append(os.path.join("/tmp/repository", program.imports))
    if besides is not None and program.libraries:
        path.append(str(besides))
    environment = {
        **os.environ,
        "HOME": "/tmp/home",
        "MPLBACKEND": "Agg",
        "PYTHONPATH": os.pathsep.join(path),
        "PYTHONUNBUFFERED": "1",
        "TMPDIR": "/tmp",
    }
    pattern = re.compile(program.shows, re.MULTILINE)
    printed = box / "printed"
    start = time.monotonic()
    with printed.open("wb") as sink, open(os.devnull, "rb") as nothing:
        process = subprocess.Popen(
            command, stdin=nothing, stdout=sink, stderr=subprocess.STDOUT, env=environment
        )
        try:
            status = wait(process, program, printed, pattern, start)
        finally:
            process.kill()
            process.wait()
    seconds = time.monotonic() - start
    output = printed.read_text(encoding="utf-8", errors="replace")
    match = pattern.search(output)
    if match and (status == 0 or (status is None and program.endless)):
        return Outcome(program, True, seconds, match[0], output)
    return Outcome(program, False, seconds, reason(output, status, program.seconds), output)


def wait(
    process: "subprocess.Popen[bytes]",
    program: Program,
    printed: Path,
    pattern: "re.Pattern[str]",
    start: float,
) -> int | None:
    """Waits until the program ends, times out, or, if endless, has shown its result; returns the exit status."""
    while time.monotonic() - start < program.seconds:
        try:
            return process.wait(0.5)
        except subprocess.TimeoutExpired:
            if program.endless and pattern.search(printed.read_text("utf-8", "replace")):
                return None
    return None


def reason(output: str, status: int | None, limit: int) -> str:
    """Why a program stopped, in one line: its last exception, or else its last output."""
    lines = [line.strip() for line in output.splitlines() if line.strip()]
    errors = [line for line in lines if re.match(r"[\w.]*(Error|Exception|Exit|Interrupt)\b", line)]
    if status is None:
        return f"timed out after {limit} s"
    if status and errors:
        return errors[-1]
    last = lines[-1] if lines else "nothing printed"
    return f"exit status {status}: {last}" if status else f"its output lacks it: {last}"
