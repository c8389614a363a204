"""Sums, gathers and broadcasts of GPU arrays by NCCL, on top of a transport between hosts.

NCCL requires the same order of collectives everywhere, and blocks forever if only one process calls it. Therefore,
processes first negotiate over the hosts' transport: mismatches raise an error on all of them, arrays that are not on
separate GPUs everywhere go through host memory, and rank 0 determines the order. Each collective is then enqueued on
its GPU's stream, after the kernels that produce its arrays. Dependent work waits for its end: if it started earlier, a
process failure would leave incomplete sums in the other processes' variables.
"""

from __future__ import annotations

import os
import socket
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from threading import Condition
from time import monotonic, sleep
from typing import Any

import numpy as np

from tfmini._src.base import logs
from tfmini._src.base.errors import UNKNOWN, OpError, UnimplementedError, UnknownError, invalid
from tfmini._src.base.locks import make_lock
from tfmini._src.devices.cuda.active_gpus import ActiveGpus
from tfmini._src.devices.cuda.collectives import nccl_library
from tfmini._src.devices.cuda.device import LogicalGpu
from tfmini._src.devices.cuda.discovery import discover_driver
from tfmini._src.devices.cuda.nccl_communicator import RankCommunicator, new_unique_id
from tfmini._src.distribute.horovod.host_reductions import HostReductions
from tfmini._src.distribute.horovod.negotiation import (
    Signature,
    decode,
    differing,
    sum_shape,
)

CHOICE_VARIABLE = "HOROVOD_GPU_OPERATIONS"
_GRACE_SECONDS = 5.0  # timeout in seconds for collectives that have begun everywhere
_POLL_INTERVALS = (
    0.00005,
    0.001,
)  # seconds between polls for the end of a collective, initially and later
_SHORT_PAUSE_COUNT = 100
_NOT_READY = 600  # cudaErrorNotReady


def add_device_reductions(hosts: HostReductions) -> HostReductions | DeviceReductions:
    """Adds NCCL to a process's operations if every process has a driver, CuPy and NCCL.

    HOROVOD_GPU_OPERATIONS=NCCL requires NCCL, HOROVOD_GPU_OPERATIONS=HOST transfers GPU arrays through host memory.

    Raises:
      UnimplementedError: if a process requires NCCL, and one cannot use it.
      InvalidArgumentError: if the variable has any other value.
    """
    choice = os.environ.get(CHOICE_VARIABLE, "").upper()
    why = _nccl_unavailable(choice)
    replies = hosts.tell("tfmini gpus", f"{choice}|{why}".encode())
    choices, reasons = zip(*(text.decode().split("|", 1) for text in replies))
    unknown = next((other for other in choices if other not in ("", "NCCL", "HOST")), None)
    if unknown is not None:
        text = f"{CHOICE_VARIABLE} is {unknown!r}; it must be 'NCCL' or 'HOST'"
        invalid(text)
    if not any(reasons):
        return DeviceReductions(hosts, "NCCL" in choices)
    if "NCCL" in choices:
        rank, reason = next((rank, text) for rank, text in enumerate(reasons) if text)
        text = f"{CHOICE_VARIABLE} is NCCL, but rank {rank} cannot use it: {reason}"
        raise UnimplementedError(None, None, text)
    return hosts


def _nccl_unavailable(choice: str) -> str:
    """Returns why this process cannot use NCCL; "" if it can. Does not initialize CUDA."""
    if choice == "HOST":
        return f"{CHOICE_VARIABLE} is HOST."
    driver = discover_driver()
    if driver.why:
        return driver.why
    return "" if nccl_library() is not None else "CuPy finds no NCCL (libnccl.so.2)."


class DeviceReductions:
    """Collective operations of one process; all processes run them with the same names, equally often.

    Args:
      hosts: the transport between the processes' hosts.
      uses_nccl_only: whether GPU arrays must use NCCL.
    """

    def __init__(self, hosts: HostReductions, uses_nccl_only: bool):
        self.hosts = hosts
        self.rank, self.size = hosts.rank, hosts.size
        self.memory = hosts.memory
        self._uses_nccl_only = uses_nccl_only
        self._is_logged = False  # for GPU arrays going through host memory
        self._turn = Condition(make_lock())
        self._issued = self._next = 0  # turns
        self._communicators: dict[tuple[str, ...], RankCommunicator] = {}
        self._failure: OpError | None = None
        self._lost: tuple[float, BaseException] | None = None  # time and reason of a process loss
        hosts.watch(self._note_loss)

    def sum(self, name: str, values: Any, gpu: LogicalGpu | None = None) -> Any:
        """Returns the sum of an array over all processes; `values` must not be used afterwards.

        gpu: the array's GPU; None for host memory.

        Raises:
          InvalidArgumentError: if its shape or dtype differs between processes.
          UnknownError: if a process has ended.
        """
        flat, shapes = [values.reshape(-1)], [values.shape]
        return self.sum_all(name, flat, shapes, gpu)[0].reshape(values.shape)

    def sum_all(
        self,
        name: str,
        values: Sequence[Any],
        shapes: Sequence[tuple[int, ...]],
        gpu: LogicalGpu | None = None,
    ) -> list[Any]:
        """Returns the sums of arrays of one dtype over all processes; `values` must not be used afterwards.

        shapes: shapes of the tensors in the arrays.
        """
        signature = self._signature(name, "sum", values[0], sum_shape(values, shapes), gpu)
        signatures = self._match_signatures(signature)
        if gpu is None or self._nccl_obstacle(signatures):
            return self.hosts.sum_all(name, [_on_host(value, gpu) for value in values], shapes)
        self._wait_for_gpus(name, signatures, gpu, lambda comm: comm.sum(values))
        return list(values)

    def gather(self, name: str, value: Any, gpu: LogicalGpu | None = None) -> Any:
        """Concatenates all processes' arrays along the first axis.

        Raises:
          InvalidArgumentError: if the other dimensions differ.
          UnknownError: if a process has ended.
        """
        signatures = self._match_signatures(
            self._signature(name, "gather", value, value.shape, gpu)
        )
        if gpu is None or self._nccl_obstacle(signatures):
            return self.hosts.gather(name, _on_host(value, gpu))
        lengths = [signature.shape[0] for signature in signatures]
        return self._wait_for_gpus(name, signatures, gpu, lambda comm: comm.gather(value, lengths))

    def broadcast(self, name: str, value: Any, root: int, gpu: LogicalGpu | None = None) -> Any:
        """Returns the array of the process `root`.

        Raises:
          InvalidArgumentError: if the arrays differ in shape or dtype.
          UnknownError: if a process has ended.
        """
        signatures = self._match_signatures(
            self._signature(name, "broadcast", value, value.shape, gpu, root)
        )
        if gpu is None or self._nccl_obstacle(signatures):
            return self.hosts.broadcast(name, _on_host(value, gpu), root)
        return self._wait_for_gpus(name, signatures, gpu, lambda comm: comm.broadcast(value, root))

    def all_to_all(self, name: str, parts: Sequence[np.ndarray]) -> np.ndarray:
        """Sends `parts[rank]`, in host memory, to each process; returns the concatenated parts sent to this one."""
        return self.hosts.all_to_all(name, parts)

    def adasum(self, name: str, value: np.ndarray) -> np.ndarray:
        """Returns the Adasum of a float array in host memory over all processes."""
        return self.hosts.adasum(name, value)

    def join(self) -> None:
        """Returns once all processes have called it; until then, the others' sums go through host memory."""
        self.hosts.join()

    def close(self) -> None:
        """Closes the connections to the other processes."""
        with self._turn:
            result, self._communicators = list(self._communicators.values()), {}
            is_broken = self._failure is not None
        for communicator in result:
            communicator.abort() if is_broken else communicator.close()
        self.hosts.close()

    def _signature(
        self,
        name: str,
        kind: str,
        value: Any,
        shape: tuple[Any, ...],
        gpu: LogicalGpu | None,
        root: int = 0,
    ) -> Signature:
        physical = "" if gpu is None else f"{_this_machine()} {gpu.physical.bus_id}"
        return Signature(name, kind, root, value.dtype.str, shape, physical)

    def _match_signatures(self, signature: Signature) -> list[Signature]:
        """Returns every process's signature of the operation, by rank. Raises on all of them if they do not match."""
        self._check()
        name = signature.name
        texts = self.hosts.tell(f"{name} told", signature.encode())
        signatures = [decode(text) for text in texts]
        problem = differing(name, signatures)
        if problem is None and any(signature.physical for signature in signatures):
            problem = self._report_obstacle(name, self._nccl_obstacle(signatures))
        if problem is not None:
            invalid(problem)
        return signatures

    def _nccl_obstacle(self, signatures: Sequence[Signature]) -> str | None:
        """Returns why NCCL cannot run an operation; None if it can."""
        if len(signatures) < self.size:
            return "a rank has joined"
        return _gpu_obstacle(signatures)

    def _report_obstacle(self, name: str, reason: str | None) -> str | None:
        """Raises an error if NCCL was requested explicitly but cannot run an operation; otherwise warns once."""
        if reason is None:
            return None
        if self._uses_nccl_only:
            return f"{name}: {CHOICE_VARIABLE} is NCCL, but {reason}"
        if not self._is_logged:
            self._is_logged = True
            logs.warning("%s uses host memory: %s", name, reason)
        return None

    def _wait_for_gpus(
        self,
        name: str,
        signatures: Sequence[Signature],
        gpu: LogicalGpu,
        work: Callable[[RankCommunicator], Any],
    ) -> Any:
        """Returns the result of `work` once every GPU has finished it."""
        try:
            with self._in_turn(name), ActiveGpus([gpu]):
                communicator = self._communicator(signatures, gpu)
                result = work(communicator)
                done_event = gpu.mark(gpu.compute)
            self._wait(gpu, communicator, done_event)
        except OpError as error:
            self._fail(error)
            raise
        except Exception as error:  # an NCCL or CUDA error: unrecoverable
            failure = UnknownError(None, None, f"NCCL: {error}", UNKNOWN)
            self._fail(failure)
            raise failure from error
        return result

    @contextmanager
    def _in_turn(self, name: str) -> Iterator[None]:
        """Context manager in which no other operation starts; all processes enter in the same order."""
        issued = 0
        if self.rank == 0:
            with self._turn:
                issued = self._issued
                self._issued += 1
        turn = int(self.hosts.broadcast(f"{name} turn", np.array(issued), 0))
        with self._turn:
            self._turn.wait_for(lambda: self._next == turn or self._failure is not None)
        self._check()
        yield
        with self._turn:
            self._next += 1
            self._turn.notify_all()

    def _communicator(self, signatures: Sequence[Signature], gpu: LogicalGpu) -> RankCommunicator:
        """Returns the communicator of these GPUs; created collectively on first use."""
        physical_gpus = tuple(signature.physical for signature in signatures)
        communicator = self._communicators.get(physical_gpus)
        if communicator is None:
            unique_id = new_unique_id() if self.rank == 0 else b""
            replies = self.hosts.tell("tfmini nccl", unique_id.hex().encode())
            unique_id = bytes.fromhex(replies[0].decode())
            communicator = RankCommunicator(gpu, self.size, unique_id, self.rank)
            self._communicators[physical_gpus] = communicator
        return communicator

    def _wait(self, gpu: LogicalGpu, communicator: RankCommunicator, done_event: Any) -> None:
        """Waits for an event of the GPU.

        Raises UnknownError if the event will never complete, and CUDARuntimeError if the GPU has failed: the event's
        status then contains the error.
        """
        query = gpu.xp.cuda.runtime.eventQuery
        poll_count = 0
        while query(done_event.ptr) == _NOT_READY:
            poll_count += 1
            loss_error = self._lost
            if loss_error is not None and monotonic() > loss_error[0] + _GRACE_SECONDS:
                communicator.abort()
                raise loss_error[1]
            if loss_error is None and poll_count % _SHORT_PAUSE_COUNT == 0:
                communicator.check()
            sleep(_POLL_INTERVALS[poll_count > _SHORT_PAUSE_COUNT])
        done_event.synchronize()  # raises the GPU's error

    def _note_loss(self, error: BaseException) -> None:
        """Callback for the exit of a process, at the end of the job or prematurely."""
        if self._lost is None:
            self._lost = monotonic(), error

    def _check(self) -> None:
        if self._failure is not None:
            raise self._failure

    def _fail(self, error: OpError) -> None:
        """Fails all further operations: their order no longer matches the other processes'."""
        with self._turn:
            is_first = self._failure is None
            self._failure = self._failure or error
            self._turn.notify_all()
        if is_first and self._lost is None:
            self.hosts.fail()


def _gpu_obstacle(signatures: Sequence[Signature]) -> str | None:
    """Returns why the arrays are not on separate GPUs; None if they are."""
    ranks: dict[str, int] = {}
    for rank, signature in enumerate(signatures):
        if not signature.physical:
            return f"the array of rank {rank} is in host memory"
        if signature.physical in ranks:
            return (
                f"ranks {ranks[signature.physical]} and {rank} share a GPU, which NCCL rejects: "
                "assign one to each with "
                "tf.GPUOptions(visible_device_list=str(hvd.local_rank()))"
            )
        ranks[signature.physical] = rank
    return None


def _on_host(value: Any, gpu: LogicalGpu | None) -> np.ndarray:
    if gpu is None:
        return np.asarray(value)
    with ActiveGpus([gpu]):
        return np.asarray(gpu.receive(gpu.send(value)))


@cache
def _this_machine() -> str:
    """Returns a unique name of this machine."""
    try:
        started = Path("/proc/sys/kernel/random/boot_id").read_text().strip()
    except OSError:
        started = ""
    return f"{socket.gethostname()} {started}"
