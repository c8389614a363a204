"""Runs the GPU tests, benchmarks and compute-sanitizer on this machine's GPU.

    ci/gpu                        all tests, in one process: 10 to 20 minutes; other options go to pytest: -n 8
    ci/gpu --call 1               correctness in 320 seconds
    ci/gpu --call 2               speed in 300 seconds
    ci/gpu --call 1 --rehearse    scaled down, on the emulator, on a machine without a GPU

RESULTS names the results folder. Each step has its own time limit; later steps run even if one fails.
"""

from __future__ import annotations

import argparse
import datetime
import os
import shutil
import signal
import sys
import textwrap
import time
from pathlib import Path
from types import FrameType

from ci.commands.gpu_runs import caches, machine, processes, rehearsal, steps
from ci.commands.gpu_runs.calls import CALLS
from ci.commands.gpu_runs.results import Results
from ci.commands.gpu_runs.steps import Call, Step

SOON = 20  # seconds before the limit, for running tests to finish


class Terminated(BaseException):
    """A signal requests termination."""


def _on_terminate(signum: int, frame: FrameType | None) -> None:
    raise Terminated(signal.Signals(signum).name)


def command(step: Step, python: str, log: Path, limit: float, more: list[str]) -> list[str]:
    """The arguments of a step's process; `more` go to pytest."""
    fields = {
        "log": str(log.with_suffix("")),
        "soon": str(max(1, int(limit - SOON))),
        "workers": str(machine.workers()),
    }
    arguments = [argument.format(**fields) for argument in step.arguments]
    return [*step.under, python, *arguments, *more]


def run_steps(
    call: Call,
    results: Results,
    python: str,
    environment: dict[str, str],
    deadline: float,
    more: list[str],
) -> None:
    """Runs the steps in order; a failed step does not stop the others."""
    for index, step in enumerate(call.steps):
        if step.under and not shutil.which(step.under[0], path=environment["PATH"]):
            results.skip(step, f"no {step.under[0]} here")
            continue
        limit: float = step.limit
        if step.takes_rest:
            following = sum(other.limit for other in call.steps[index + 1 :])
            limit = max(limit, deadline - time.monotonic() - following)
        log = results.next_log(step.name)
        line = command(step, python, log, limit, more if step.name == "tests" else [])
        try:
            ended = processes.run(line, {**environment, **step.environment}, log, limit)
        except (Terminated, KeyboardInterrupt) as stop:
            results.end_early(f"{stop or 'Ctrl-C'} in step {step.name}, which has left {log.name}")
            return
        results.add(step, log, ended)


def options() -> tuple[argparse.Namespace, list[str]]:
    about, _, rest = (__doc__ or "").partition("\n\n")
    parser = argparse.ArgumentParser(
        prog="ci/gpu", description=about, epilog=rest, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("--call", choices=[*CALLS], default="all", help="1, correctness; 2, speed")
    parser.add_argument("--rehearse", action="store_true", help="run on the emulator, scaled down")
    arguments, more = parser.parse_known_args()
    if more and arguments.call != "all":
        parser.error(f"--call {arguments.call} accepts no pytest options: {' '.join(more)}")
    return arguments, more


def results_directory(call: str) -> Path:
    named = os.environ.get("RESULTS")
    return Path(named) if named else machine.ROOT / "build" / "gpu_runs" / call


def main() -> int:
    begin = time.monotonic()
    arguments, more = options()
    call = CALLS[arguments.call]
    directory = results_directory(arguments.call).absolute()
    environment = machine.environment(directory)
    python = os.environ.get("PYTHON") or sys.executable
    runner = python
    if arguments.rehearse:
        runner = rehearsal.prepare(machine.scratch() / "rehearsal", python, environment)
    device = machine.device(environment)
    if not device:
        print("ci/gpu: nvidia-smi finds no device", file=sys.stderr)
        return 1
    if why := machine.install_wheels(python):
        print(f"ci/gpu: {why}", file=sys.stderr)
    facts = f"{datetime.date.today()}; {device}; commit {machine.commit()}"
    title = call.title + (", rehearsed on the emulator" if arguments.rehearse else "")
    results = Results(directory, [f"# {title}", "", facts])
    unpacked = caches.unpack(Path(os.environ.get("CACHES") or directory), environment)
    signal.signal(signal.SIGTERM, _on_terminate)
    versions = Step("versions", steps.CHECK_VERSIONS, ("-m", "ci.commands.gpu_runs.versions"))
    log = results.next_log(versions.name)
    ended = processes.run(
        command(versions, runner, log, versions.limit, []), environment, log, versions.limit
    )
    said = log.read_text(encoding="utf-8").splitlines()[1:]
    results.add(versions, log, ended)
    if ended.status:  # an error, not a timeout due to a cold disk
        needs = "the comment at the top of ci/gpu lists the requirements"
        print(
            *said[-1:],
            f"ci/gpu: {runner} does not meet the requirements; {needs}",
            sep="\n",
            file=sys.stderr,
        )
        return 1
    for line in textwrap.wrap(f"{', '.join(said[:2])}; {unpacked} files unpacked into caches", 150):
        results.note(line)
    deadline = begin + call.limit - steps.KEEP_CACHES
    run_steps(call, results, runner, environment, deadline, more)
    results.note(caches.pack(directory, environment, steps.KEEP_CACHES))
    results.note(f"{time.monotonic() - begin:.0f} seconds")
    print(results.summary(), end="", flush=True)
    return int(results.failed)


if __name__ == "__main__":
    sys.exit(main())
