"""Launchers of processes, by what they leave in the environment: mpirun of several kinds, srun, horovodrun."""

from __future__ import annotations

import os
from dataclasses import dataclass

from tfmini._src.base.errors import InvalidArgumentError


@dataclass(frozen=True)
class Launcher:
    """A program that starts the processes of a job.

    rank, size: the environment variables that have this process's rank and the number of all; size is "" where none
      has it.
    is_mpi: whether MPI connects the processes that it starts.
    """

    name: str
    rank: str
    size: str
    is_mpi: bool = True


# The first that has left something in the environment counts: mpirun may run below srun.
LAUNCHERS = (
    Launcher("horovodrun", "HOROVOD_RANK", "HOROVOD_SIZE", is_mpi=False),
    Launcher("Open MPI's mpirun", "OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE"),
    Launcher("MVAPICH's mpirun", "MV2_COMM_WORLD_RANK", "MV2_COMM_WORLD_SIZE"),
    Launcher("mpiexec", "PMI_RANK", "PMI_SIZE"),
    Launcher("jsrun", "JSM_NAMESPACE_RANK", "JSM_NAMESPACE_SIZE"),
    Launcher("flux run", "FLUX_TASK_RANK", "FLUX_JOB_SIZE"),
    Launcher("srun", "SLURM_PROCID", "SLURM_STEP_NUM_TASKS"),  # no step: a batch script itself
    Launcher("a launcher with PMIx", "PMIX_RANK", ""),
)


@dataclass(frozen=True)
class Job:
    """The processes that a launcher has started; `size` is 0 where it has not said how many."""

    launcher: Launcher
    size: int


def started_job() -> Job | None:
    """The job of this process, None if no launcher has started it, or it alone.

    Raises:
      InvalidArgumentError: for a rank or a size that is no number, or a rank above 0 without a size.
    """
    for launcher in LAUNCHERS:
        rank = _number(launcher.rank)
        if not launcher.size:
            if rank is not None:
                return Job(launcher, 0)
            continue
        size = _number(launcher.size)
        if size is None and rank:
            raise InvalidArgumentError(
                None,
                None,
                f"{launcher.rank}={rank} indicates that {launcher.name} started several "
                f"processes, but {launcher.size} does not specify how many",
            )
        if size is not None and size > 1:
            return Job(launcher, size)
        if (
            size is not None and launcher.is_mpi
        ):  # horovodrun's variables may be left from around an mpirun
            return None
    return None


def _number(variable: str) -> int | None:
    """The number that an environment variable holds, None without one."""
    text = os.environ.get(variable, "")
    if text and not text.isdecimal():
        raise InvalidArgumentError(
            None, None, f"{variable}={text!r} is neither a number of processes nor a rank"
        )
    return int(text) if text else None


def check_connected(job: Job, size: int) -> None:
    """Raises InvalidArgumentError where MPI has connected fewer processes than were started: each would train alone."""
    is_alone = size == 1 and os.environ.get(job.launcher.rank, "0") != "0"
    if is_alone or (job.size and size != job.size):
        wanted = f"{job.size} processes" if job.size else "several processes"
        raise InvalidArgumentError(
            None,
            None,
            f"{job.launcher.name} started {wanted}, but MPI connects {size}: mpi4py uses "
            "another MPI. Install mpi4py for the MPI of this machine, or set TFMINI_RANKS to "
            "the addresses of all processes",
        )
