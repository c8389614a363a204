"""`python -m tfmini launch --ps 2 --workers 4 train.py`: runs a script's tasks on this machine or on a Ray cluster."""

from __future__ import annotations

import argparse
import os
import re
import secrets
import signal
import sys
from functools import partial
from typing import Any

from tfmini._src.base.errors import OpError
from tfmini._src.programs.cli.printable import complain

ABOUT = """\
Run a script as every task of a cluster, on this machine or, with --ray, on a Ray cluster. TF_CONFIG tells each task
its role; {job}, {task}, {ps_hosts} and {worker_hosts} in the arguments are replaced too. Failed tasks are restarted,
and all output goes to one log. The command ends when all tasks except the parameter servers have ended."""


def add_to(commands: Any) -> None:
    """Adds the command to argparse's subparsers."""
    parser = commands.add_parser(
        "launch",
        help="run a script as all tasks of a cluster on this machine",
        description=ABOUT,
    )
    parser.add_argument(
        "--ps",
        type=_non_negative_integer,
        default=0,
        metavar="N",
        help="number of parameter servers (0)",
    )
    parser.add_argument(
        "--workers",
        type=_non_negative_integer,
        default=1,
        metavar="N",
        help="number of workers (1)",
    )
    parser.add_argument(
        "--ranks",
        type=_non_negative_integer,
        metavar="N",
        help="number of all-reduce processes (horovod.tensorflow), instead of workers",
    )
    parser.add_argument(
        "--min-np",
        type=_non_negative_integer,
        metavar="N",
        help="minimum number of ranks of elastic training (hvd.elastic.run), which scales up to --max-np or --ranks",
    )
    parser.add_argument(
        "--max-np",
        type=_non_negative_integer,
        metavar="N",
        help="maximum number of ranks of elastic training",
    )
    parser.add_argument(
        "--host-discovery-script",
        metavar="FILE",
        help="program that prints the hosts available for elastic training as lines HOST:SLOTS",
    )
    parser.add_argument("--chief", action="store_true", help="also start a chief task")
    parser.add_argument(
        "--evaluator",
        action="store_true",
        help="start a task that evaluates checkpoints (tf.estimator.train_and_evaluate)",
    )
    parser.add_argument(
        "--restarts",
        type=_non_negative_integer,
        default=3,
        metavar="N",
        help="maximum restarts of each task (3)",
    )
    parser.add_argument(
        "--ray",
        action="store_true",
        help="run on the Ray cluster at RAY_ADDRESS; all machines need the script and tfmini",
    )
    parser.add_argument(
        "--kubernetes",
        choices=["plain", "TFJob"],
        help="only print manifests: Services, a StatefulSet and Jobs, or a Kubeflow TFJob",
    )
    parser.add_argument("--image", default="", help="container image of the manifests")
    parser.add_argument("--name", type=_name, help="name prefix in the manifests (train)")
    parser.add_argument(
        "--cpus",
        type=float,
        metavar="X",
        help="CPUs per task on Ray or Kubernetes (1)",
    )
    parser.add_argument(
        "--gpus",
        type=float,
        metavar="X",
        help="GPUs per task on Ray or Kubernetes, except parameter servers (0)",
    )
    parser.add_argument("command", nargs=argparse.REMAINDER, metavar="PROGRAM [ARGUMENT ...]")
    parser.set_defaults(run=launch, parser=parser)


def _check_used(options: argparse.Namespace) -> None:
    """Rejects options without effect, and sets the defaults of the others."""
    for name, default, users in (
        ("cpus", 1.0, ("ray", "kubernetes")),
        ("gpus", 0.0, ("ray", "kubernetes")),
        ("image", "", ("kubernetes",)),
        ("name", "train", ("kubernetes",)),
    ):
        if getattr(options, name) in (None, ""):
            setattr(options, name, default)
        elif not any(getattr(options, user) for user in users):
            needed = " or ".join(f"--{user}" for user in users)
            options.parser.error(f"--{name} requires {needed}")


def _non_negative_integer(text: str) -> int:
    if not text.isdecimal():
        raise argparse.ArgumentTypeError(f"{text!r} is not a non-negative integer")
    return int(text)


def _name(text: str) -> str:
    if not re.fullmatch("[a-z]([-a-z0-9]{,38}[a-z0-9])?", text):
        raise argparse.ArgumentTypeError(
            f"{text!r} is not a valid name: 1 to 40 of the characters a-z, 0-9 and -"
        )
    return text


def _manifests(options: argparse.Namespace, jobs: dict[str, int]) -> str:
    from tfmini._src.cluster.kubernetes_manifests import Manifests  # noqa: PLC0415

    if not options.image:
        options.parser.error("--kubernetes requires --image")
    manifests = Manifests(
        options.name,
        options.image,
        {job: count for job, count in jobs.items() if count},
        options.command,
        os.environ.get("TFMINI_TOKEN") or secrets.token_urlsafe(32),
        options.restarts,
        options.cpus,
        options.gpus,
    )
    if options.kubernetes == "plain":
        return manifests.plain_objects()
    if "rank" in jobs:
        options.parser.error("a TFJob does not support ranks; use --kubernetes plain")
    if any("{task}" in part or "_hosts}" in part for part in options.command):
        options.parser.error("a TFJob supports only TF_CONFIG, not {task} or {JOB_hosts}")
    return manifests.tf_job()


def launch(options: argparse.Namespace) -> int:
    """Runs the command; returns the exit status."""
    # Loaded only here and above: launchers and their HTTP server are 16 modules that no other command needs.
    from tfmini._src.cluster.elastic_launcher import (  # noqa: PLC0415
        ElasticLaunch,
        own_names,
        script_slots,
    )
    from tfmini._src.cluster.launcher import Launch  # noqa: PLC0415

    if not options.command:
        options.parser.error("a program is required")
    if (options.ranks or options.min_np) and (options.ps or options.chief or options.evaluator):
        options.parser.error("--ranks excludes parameter servers, chief and evaluator")
    is_elastic = options.min_np is not None
    max_ranks = options.max_np or options.ranks
    if not is_elastic and (options.max_np is not None or options.host_discovery_script):
        options.parser.error("--max-np and --host-discovery-script require --min-np")
    if is_elastic and not 0 < options.min_np <= (max_ranks or 0):
        options.parser.error(
            "--min-np must be at least 1, and --max-np (or --ranks) at least --min-np"
        )
    jobs = {"rank": max_ranks if is_elastic else options.ranks}
    if jobs["rank"] is None:
        jobs = {
            "chief": int(options.chief),
            "ps": options.ps,
            "worker": options.workers,
            "evaluator": int(options.evaluator),
        }
    if not any(jobs.values()):
        option = "--ranks" if "rank" in jobs else "--workers"
        options.parser.error(f"{option} 0: no task to start")
    _check_used(options)
    if options.kubernetes:
        if is_elastic or options.ray:
            options.parser.error("--kubernetes supports neither elastic training nor Ray")
        print(_manifests(options, jobs), end="")
        return 0
    machines = None
    program = options.command[0]
    if not options.ray and program.endswith((".py", ".ipynb")) and not os.path.exists(program):
        complain("launch", f"{program}: no such file")
        return 2
    if options.ray:
        from tfmini._src.cluster.ray_launcher import RayMachines  # noqa: PLC0415

        try:
            machines = RayMachines(options.cpus, options.gpus)
        except OpError as error:
            complain("launch", error.message)
            return 1
    for name in ("SIGTERM", "SIGHUP"):  # SIGHUP does not exist on Windows
        signum = getattr(signal, name, None)
        if signum is not None and signal.getsignal(signum) == signal.SIG_DFL:
            signal.signal(signum, _end_tasks)
    try:
        if is_elastic:
            script = options.host_discovery_script
            names = None if options.ray else own_names()
            return ElasticLaunch(
                options.command,
                options.min_np,
                max_ranks,
                partial(script_slots, script, names) if script else None,
                options.restarts,
                machines=machines,
            ).run()
        return Launch(jobs, options.command, options.restarts, machines=machines).run()
    except KeyboardInterrupt:
        return 130


def _end_tasks(signum: int, frame: Any) -> None:
    """Signal handler that ends the command and its tasks, which would otherwise keep running."""
    signal.signal(signum, signal.SIG_IGN)
    sys.exit(128 + signum)
