"""This process in its job: its connections, its rank, and the transport in use."""

from __future__ import annotations

import atexit
import os
from importlib.util import find_spec
from typing import Any

from tfmini._src.base import logs
from tfmini._src.base.errors import DeadlineExceededError, OpError, UnimplementedError
from tfmini._src.devices.cuda.collectives import nccl_library
from tfmini._src.devices.cuda.discovery import discover_driver
from tfmini._src.distribute.horovod.elastic_rounds import is_elastic
from tfmini._src.distribute.horovod.failures import HorovodInternalError
from tfmini._src.distribute.horovod.host_reductions import HostReductions
from tfmini._src.distribute.horovod.launchers import Job, check_connected, current_job
from tfmini._src.distribute.horovod.mpi_reductions import MpiReductions, message_passing
from tfmini._src.distribute.horovod.nccl_reductions import DeviceReductions, add_device_reductions
from tfmini._src.distribute.horovod.ops import NOT_INITIALIZED, number_op, running
from tfmini._src.distribute.horovod.ranks import RankInfo, own_rank_info
from tfmini._src.distribute.horovod.reductions import Reductions
from tfmini._src.distribute.horovod.timeline import close_timeline, open_timeline

# Names shared by `horovod.tensorflow` and `horovod.keras`.
__all__ = [
    "ccl_built",
    "cuda_built",
    "ddl_built",
    "gloo_built",
    "gloo_enabled",
    "init",
    "is_initialized",
    "local_rank",
    "local_size",
    "mpi_built",
    "mpi_enabled",
    "mpi_threads_supported",
    "nccl_built",
    "rank",
    "rocm_built",
    "shutdown",
    "size",
    "start_timeline",
    "stop_timeline",
]

_places: list[RankInfo] = []


def init(comm: Any = None) -> None:
    """Connects this process with the others of its job; repeated calls have no effect.

    Processes listed in TFMINI_RANKS or started by horovodrun are connected over gRPC, those started by mpirun or srun
    over MPI. GPU arrays use NCCL if every process has a driver, CuPy and NCCL; HOROVOD_GPU_OPERATIONS forces "NCCL" or
    "HOST".

    Args:
      comm: None or an empty list, for all processes of the job.

    Raises:
      UnimplementedError: if started by mpirun without mpi4py installed, if `comm` selects part of the job, or if NCCL
        is required but unavailable.
      InvalidArgumentError: if the environment lacks this process's rank, or MPI connects fewer processes than were
        started.
      HorovodInternalError: if a process ended before all were connected; in an elastic job, the next round begins.
      DeadlineExceededError: if other processes have not begun after ten minutes, or one minute in an elastic round.
    """
    if comm is not None and comm != []:
        text = (
            "hvd.init connects all processes of a job; communicators of a subset are not supported"
        )
        raise UnimplementedError(None, None, text)
    if running:
        return
    while is_elastic() and not running:
        rank_info = own_rank_info()
        try:
            connect(rank_info)
        except (HorovodInternalError, DeadlineExceededError) as error:
            logs.warning("A round of this elastic job failed to start: %s", error.message)
    if not running:
        rank_info = own_rank_info()
        if rank_info.size == 1 and (job := current_job()) is not None:
            hosts = _runs_under_mpi(job)
            _begin_reductions(hosts.rank_info, hosts)
        else:
            connect(rank_info)
    path = os.environ.get("HOROVOD_TIMELINE", "")
    if path not in ("", "DYNAMIC"):
        start_timeline(path)


def connect(rank_info: RankInfo) -> None:
    """Connects this process to the other addresses in a RankInfo; no effect if already connected.

    Raises:
      HorovodInternalError, DeadlineExceededError: if the other processes do not start.
    """
    if not running:
        _begin_reductions(rank_info, Reductions(rank_info) if rank_info.size > 1 else None)


def _begin_reductions(rank_info: RankInfo, hosts: HostReductions | None) -> None:
    try:
        running.append(hosts and add_device_reductions(hosts))
    except OpError:
        if hosts is not None:
            hosts.close()
        raise
    _places.append(rank_info)
    atexit.register(shutdown)


def _runs_under_mpi(job: Job) -> MpiReductions:
    if not job.launcher.is_mpi:
        raise UnimplementedError(
            None,
            None,
            f"{job.launcher.name} started {job.size} processes without MPI: use "
            "`tfmini launch --ranks N` or mpirun, or set TFMINI_RANKS to the addresses of "
            "all processes",
        )
    hosts = MpiReductions(message_passing(job))
    try:
        check_connected(job, hosts.size)
    except OpError:
        hosts.close()
        raise
    return hosts


def shutdown() -> None:
    """Closes the connections; `init()` may follow."""
    if running:
        active = running.pop()
        _places.pop()
        close_timeline()
        if active is not None:
            active.close()


def is_initialized() -> bool:
    """Whether `init()` has been called."""
    return bool(running)


def _rank_info() -> RankInfo:
    if not _places:
        raise ValueError(NOT_INITIALIZED)
    return _places[0]


def rank() -> int:
    """Returns the rank of this process, from 0. Raises ValueError before `init()`, like the functions below."""
    return _rank_info().rank


def size() -> int:
    """Returns the number of processes."""
    return _rank_info().size


def local_rank() -> int:
    """Returns the rank of this process among those on its host."""
    rank_info = _rank_info()
    return rank_info.on_this_host.index(rank_info.rank)


def local_size() -> int:
    """Returns the number of processes on this host."""
    return len(_rank_info().on_this_host)


def is_single_process() -> bool:
    """Whether this is the only process, in a job that others cannot join."""
    return size() == 1 and not is_elastic()


local_rank_op = number_op("HorovodLocalRank", local_rank)
local_size_op = number_op("HorovodLocalSize", local_size)


def is_homogeneous() -> bool:
    """Whether all hosts have the same number of processes."""
    return len(set(map(len, _rank_info().on_each_host.values()))) == 1


def start_timeline(file_path: str, mark_cycles: bool = False) -> None:
    """Starts a timeline of collective operations, written by rank 0, as with HOROVOD_TIMELINE.

    Args:
      file_path: path of the file, for chrome://tracing.
      mark_cycles: no effect: there are no cycles.
    """
    open_timeline(file_path, size(), rank())


def stop_timeline() -> None:
    """Ends the timeline and closes its file."""
    _rank_info()
    close_timeline()


def _hosts() -> HostReductions | None:
    active = running[0] if running else None
    return active.hosts if isinstance(active, DeviceReductions) else active


def mpi_threads_supported() -> bool:
    """Whether threads may call MPI concurrently with Horovod: the transport is MPI, with thread support."""
    _rank_info()
    hosts = _hosts()
    return isinstance(hosts, MpiReductions) and hosts.has_threads


def mpi_enabled() -> bool:
    """Whether the transport is MPI."""
    return isinstance(_hosts(), MpiReductions)


def mpi_built() -> bool:
    """Whether mpi4py is installed, so that MPI can be used."""
    return find_spec("mpi4py") is not None


def gloo_enabled() -> bool:
    """Whether the transport is gRPC and shared memory, which replace Horovod's Gloo."""
    return is_initialized() and not mpi_enabled()


def gloo_built() -> bool:
    """Always True: MPI is not required."""
    return True


def nccl_built() -> int:
    """Returns the version of NCCL used for GPU arrays, such as 21805; 0 without NCCL or a driver."""
    library = None if discover_driver().why else nccl_library()
    return 0 if library is None else int(library.get_version())


def cuda_built() -> bool:
    """Whether this process can use NVIDIA GPUs, given a driver and CuPy."""
    return not discover_driver().why


def ddl_built() -> bool:
    """Always False: IBM's library is not used."""
    return False


def ccl_built() -> bool:
    """Always False: Intel's library is not used."""
    return False


def rocm_built() -> bool:
    """Always False: AMD's library is not used."""
    return False
