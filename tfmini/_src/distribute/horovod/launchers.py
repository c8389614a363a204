"""Process launchers, identified by their environment variables: several kinds of mpirun, srun, horovodrun."""

from __future__ import annotations

import os
from dataclasses import dataclass

from tfmini._src.base.errors import invalid


@dataclass(frozen=True)
class Launcher:
    """A program that starts the processes of a job.

    rank, size: environment variables with this process's rank and the number of processes; size is "" without such a
      variable.
    is_mpi: whether its processes are connected by MPI.
    """

    name: str
    rank: str
    size: str
    is_mpi: bool = True


# The first match in the environment wins, because mpirun may itself have been started by srun.
LAUNCHERS = (
    Launcher("horovodrun", "HOROVOD_RANK", "HOROVOD_SIZE", is_mpi=False),
    Launcher("Open MPI's mpirun", "OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE"),
    Launcher("MVAPICH's mpirun", "MV2_COMM_WORLD_RANK", "MV2_COMM_WORLD_SIZE"),
    Launcher("mpiexec", "PMI_RANK", "PMI_SIZE"),
    Launcher("jsrun", "JSM_NAMESPACE_RANK", "JSM_NAMESPACE_SIZE"),
    Launcher("flux run", "FLUX_TASK_RANK", "FLUX_JOB_SIZE"),
    Launcher("srun", "SLURM_PROCID", "SLURM_STEP_NUM_TASKS"),  # not set in the batch script itself
    Launcher("a launcher with PMIx", "PMIX_RANK", ""),
)


@dataclass(frozen=True)
class Job:
    """The processes started by a launcher; `size` is 0 if unknown."""

    launcher: Launcher
    size: int


def current_job() -> Job | None:
    """Returns this process's job; None if no launcher started it, or only this process.

    Raises:
      InvalidArgumentError: for a rank or size that is not a number, or a rank above 0 without a size.
    """
    for launcher in LAUNCHERS:
        rank = _environment_integer(launcher.rank)
        if not launcher.size:
            if rank is not None:
                return Job(launcher, 0)
            continue
        size = _environment_integer(launcher.size)
        if size is None and rank:
            invalid(
                f"{launcher.rank}={rank} indicates that {launcher.name} started several "
                f"processes, but {launcher.size} does not specify how many"
            )
        if size is not None and size > 1:
            return Job(launcher, size)
        # mpirun's processes may inherit horovodrun's variables.
        if size is not None and launcher.is_mpi:
            return None
    return None


def _environment_integer(variable: str) -> int | None:
    """Returns the integer in an environment variable; None if unset."""
    text = os.environ.get(variable, "")
    if text and not text.isdecimal():
        invalid(f"{variable}={text!r} is neither a number of processes nor a rank")
    return int(text) if text else None


def check_connected(job: Job, size: int) -> None:
    """Raises InvalidArgumentError if MPI has connected fewer processes than were started: each would train alone."""
    is_alone = size == 1 and os.environ.get(job.launcher.rank, "0") != "0"
    if is_alone or (job.size and size != job.size):
        expected = f"{job.size} processes" if job.size else "several processes"
        invalid(
            f"{job.launcher.name} started {expected}, but MPI connects {size}: mpi4py uses "
            "a different MPI. Install mpi4py for the MPI of this machine, or set TFMINI_RANKS to "
            "the addresses of all processes"
        )
