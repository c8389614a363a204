"""Horovod's interface for graphs: `import horovod.tensorflow as hvd` under the runner.

Each process of a job (`python -m tfmini launch --ranks 4 train.py`) runs the whole script; gradients are averaged over
all processes at each step, and variables begin as those of rank 0:

    hvd.init()
    optimizer = hvd.DistributedOptimizer(tf.train.AdamOptimizer(0.001 * hvd.size()))
    hooks = [hvd.BroadcastGlobalVariablesHook(0)]
    with tf.train.MonitoredTrainingSession(hooks=hooks) as session: ...
"""

from __future__ import annotations

import atexit
from collections.abc import Sequence
from typing import Any

from tfmini._src.base.errors import OpError, UnimplementedError
from tfmini._src.distribute.horovod.compression import Compression
from tfmini._src.distribute.horovod.exchange import Exchange
from tfmini._src.distribute.horovod.launchers import Job, check_connected, started_job
from tfmini._src.distribute.horovod.mpi_reductions import (
    MpiReductions,
    message_passing,
)
from tfmini._src.distribute.horovod.nccl_reductions import CardReductions, Hosts, with_cards
from tfmini._src.distribute.horovod.ops import (
    NOT_INITIALIZED,
    all_gather_op,
    all_reduce_op,
    broadcast_op,
    grouped_all_reduce_op,
    reductions,
    running,
    size_op,
)
from tfmini._src.distribute.horovod.ranks import Place, own_place
from tfmini._src.distribute.horovod.reductions import Reductions
from tfmini._src.graph.default_graph import get_default_graph
from tfmini._src.graph.indexed_slices_and_sparse_tensor import IndexedSlices
from tfmini._src.graph.scopes import name_scope
from tfmini._src.ops import ops
from tfmini._src.train.monitored.session_run_hook import SessionRunHook
from tfmini._src.train.optimizers.optimizer import Optimizer
from tfmini._src.variables.collections import global_variables

__all__ = [
    "Adasum",
    "Average",
    "BroadcastGlobalVariablesHook",
    "Compression",
    "DistributedOptimizer",
    "Sum",
    "allgather",
    "allreduce",
    "broadcast",
    "broadcast_global_variables",
    "broadcast_variables",
    "init",
    "is_initialized",
    "local_rank",
    "local_size",
    "mpi_threads_supported",
    "rank",
    "shutdown",
    "size",
]

Average, Sum, Adasum = 0, 1, 2

_places: list[Place] = []


def init() -> None:
    """Connects this process with the others of its job; repeated calls have no effect.

    They are those of TFMINI_RANKS, over gRPC, or those that mpirun or srun has started, over MPI. Arrays on cards go
    over NCCL where each process has a driver, CuPy and NCCL; HOROVOD_GPU_OPERATIONS says which it must be, "NCCL" or
    "HOST".

    Raises:
      UnimplementedError: if mpirun has started it and mpi4py is not installed, if horovodrun has started it, or NCCL is
        wanted and not there.
      InvalidArgumentError: if the environment does not say which process this is, or MPI connects fewer processes than
        were started.
      DeadlineExceededError: if others have not begun after ten minutes.
    """
    if running:
        return
    place = own_place()
    hosts: Hosts | None = None
    if place.size > 1:
        hosts = Reductions(Exchange(place))
    elif (job := started_job()) is not None:
        hosts = _by_mpi(job)
        place = hosts.place
    try:
        running.append(hosts and with_cards(hosts))
    except OpError:
        if hosts is not None:
            hosts.close()
        raise
    _places.append(place)
    atexit.register(shutdown)


def _by_mpi(job: Job) -> MpiReductions:
    if not job.launcher.is_mpi:
        raise UnimplementedError(
            None,
            None,
            f"{job.launcher.name} has started {job.size} processes, and no MPI connects them: start them by "
            "`tfmini launch --ranks N`, by mpirun, or with the addresses of all in TFMINI_RANKS",
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
        found = running.pop()
        _places.pop()
        if found is not None:
            found.close()


def is_initialized() -> bool:
    """Whether `init()` has been called."""
    return bool(running)


def _place() -> Place:
    if not _places:
        raise ValueError(NOT_INITIALIZED)
    return _places[0]


def rank() -> int:
    """Index of this process, from 0. Raises ValueError before `init()`, like the four below."""
    return _place().rank


def size() -> int:
    """Number of processes."""
    return _place().size


def local_rank() -> int:
    """Index of this process among those on its host."""
    place = _place()
    return place.on_this_host.index(place.rank)


def local_size() -> int:
    """Number of processes on this host."""
    return len(_place().on_this_host)


def mpi_threads_supported() -> bool:
    """Whether threads may call MPI along with Horovod: MPI connects the processes and supports threads."""
    _place()
    found = reductions()
    hosts = found.hosts if isinstance(found, CardReductions) else found
    return isinstance(hosts, MpiReductions) and hosts.has_threads


def _averages(average: bool | None, op: int | None) -> bool:
    if op is not None:
        if average is not None:
            raise ValueError(
                "The op parameter supersedes average. Please provide only one of them."
            )
        if op == Adasum:
            raise UnimplementedError(None, None, "Adasum is left out: use hvd.Average or hvd.Sum")
        return op == Average
    return average is None or average


def _divided(tensor: Any, count: Any) -> Any:
    if tensor.dtype.base_dtype.is_integer:
        return tensor // ops.cast(count, tensor.dtype)
    return tensor / ops.cast(count, tensor.dtype)


def allreduce(
    tensor: Any,
    average: bool | None = None,
    device_dense: str = "",
    device_sparse: str = "",
    compression: Any = Compression.none,
    op: int | None = None,
) -> Any:
    """Mean or sum of a tensor over all processes; every process has to run it.

    Args:
      tensor: a Tensor or what makes one, float or int; or IndexedSlices, whose rows are gathered.
      average: whether to give the mean, which is the default; `op` says the same.
      device_dense, device_sparse: the devices to place it on.
      compression: `hvd.Compression.fp16` sends floats as float16.
      op: `hvd.Average` or `hvd.Sum`.

    Returns:
      A Tensor of the same shape and dtype; or IndexedSlices with the rows of all processes.

    Raises:
      ValueError: both `average` and `op` are given; UnimplementedError: for `hvd.Adasum`.

    Example: `mean_loss = hvd.allreduce(loss)`.
    """
    averages = _averages(average, op)
    if isinstance(tensor, IndexedSlices):
        with get_default_graph().device(device_sparse or None):
            values, indices = allgather(tensor.values), allgather(tensor.indices)
            if averages:
                values = _divided(values, size_op())
            return IndexedSlices(values, indices, dense_shape=tensor.dense_shape)
    with get_default_graph().device(device_dense or None):
        tensor = ops.convert_to_tensor(tensor)
        sent, context = compression.compress(tensor)
        total = compression.decompress(all_reduce_op(sent), context)
        return _divided(total, size_op()) if averages else total


def allgather(tensor: Any, name: str | None = None) -> Any:
    """Tensors of all processes, concatenated along the first axis, in which their lengths may differ.

    tensor: of at least one axis.
    """
    return all_gather_op(ops.convert_to_tensor(tensor), name=name)


def broadcast(tensor: Any, root_rank: int, name: str | None = None) -> Any:
    """Tensor of the process `root_rank`; its shape and dtype must be the same everywhere."""
    return broadcast_op(ops.convert_to_tensor(tensor), root_rank=root_rank, name=name)


def broadcast_variables(variables: Sequence[Any], root_rank: int) -> Any:
    """Operation that sets variables to their values on the process `root_rank`."""
    return ops.group(*[var.assign(broadcast(var, root_rank)) for var in variables])


def broadcast_global_variables(root_rank: int) -> Any:
    """Operation that sets all global variables to their values on the process `root_rank`."""
    return broadcast_variables(global_variables(), root_rank)


class BroadcastGlobalVariablesHook(SessionRunHook):
    """Hook that starts all processes with the variables of one, initialized or restored.

    Args:
      root_rank: which.
      device: where the variables are broadcast.
    """

    def __init__(self, root_rank: int, device: str = ""):
        self._root_rank = root_rank
        self._device = device
        self._operation: Any = None

    def begin(self) -> None:
        """Adds the broadcast to the graph."""
        graph = get_default_graph()
        if self._operation is None or self._operation.graph is not graph:
            with graph.device(self._device or None):
                self._operation = broadcast_global_variables(self._root_rank)

    def after_create_session(self, session: Any, coord: Any) -> None:
        """Runs it."""
        session.run(self._operation)


class _DistributedOptimizer(Optimizer):
    """Optimizer with gradients averaged over all processes."""

    def __init__(
        self,
        optimizer: Any,
        name: str,
        use_locking: bool,
        devices: tuple[str, str],
        compression: Any,
        sparse_as_dense: bool,
        op: int,
    ):
        super().__init__(use_locking, name)
        self._optimizer = optimizer
        self._devices = devices
        self._compression = compression
        self._sparse_as_dense = sparse_as_dense
        self._op = op

    def compute_gradients(self, *args: Any, **kwargs: Any) -> list[tuple[Any, Any]]:
        """Gradients of this process's loss, averaged over all processes; same arguments as the optimizer's.

        Dense ones of one dtype go together, in buckets of at most HOROVOD_FUSION_THRESHOLD bytes (64 MB).
        """
        found = self._optimizer.compute_gradients(*args, **kwargs)
        if size() == 1:
            return found
        with name_scope(f"{self._name}_Allreduce"):
            grads = [grad for grad, _ in found]
            if self._sparse_as_dense:
                grads = [
                    ops.convert_to_tensor(grad) if isinstance(grad, IndexedSlices) else grad
                    for grad in grads
                ]
            dense = [n for n, g in enumerate(grads) if g is not None and not _is_sparse(g)]
            for number, grad in enumerate(grads):
                if grad is not None and _is_sparse(grad):
                    grads[number] = allreduce(grad, device_sparse=self._devices[1], op=self._op)
            for numbers in _by_dtype(grads, dense):
                reduced = self._reduced([grads[number] for number in numbers])
                for number, grad in zip(numbers, reduced):
                    grads[number] = grad
        return [(grad, var) for grad, (_, var) in zip(grads, found)]

    def _reduced(self, grads: list[Any]) -> list[Any]:
        with get_default_graph().device(self._devices[0] or None):
            pairs = [self._compression.compress(grad) for grad in grads]
            totals = grouped_all_reduce_op([sent for sent, _ in pairs])
            found = [
                self._compression.decompress(total, context)
                for total, (_, context) in zip(totals, pairs)
            ]
            if self._op == Sum:
                return found
            count = size_op()
            return [_divided(each, count) for each in found]

    def apply_gradients(self, *args: Any, **kwargs: Any) -> Any:
        """Delegates to the wrapped optimizer."""
        return self._optimizer.apply_gradients(*args, **kwargs)

    def get_slot(self, *args: Any, **kwargs: Any) -> Any:
        """Delegates to the wrapped optimizer."""
        return self._optimizer.get_slot(*args, **kwargs)

    def get_slot_names(self, *args: Any, **kwargs: Any) -> Any:
        """Delegates to the wrapped optimizer."""
        return self._optimizer.get_slot_names(*args, **kwargs)

    def variables(self, *args: Any, **kwargs: Any) -> Any:
        """Delegates to the wrapped optimizer."""
        return self._optimizer.variables(*args, **kwargs)


def _is_sparse(grad: Any) -> bool:
    return isinstance(grad, IndexedSlices)


def _by_dtype(grads: Sequence[Any], numbers: Sequence[int]) -> list[list[int]]:
    found: dict[Any, list[int]] = {}
    for number in numbers:
        found.setdefault(grads[number].dtype.base_dtype, []).append(number)
    return list(found.values())


def DistributedOptimizer(
    optimizer: Any,
    name: str | None = None,
    use_locking: bool = False,
    device_dense: str = "",
    device_sparse: str = "",
    compression: Any = Compression.none,
    sparse_as_dense: bool = False,
    backward_passes_per_step: int = 1,
    op: int = Average,
) -> Any:
    """An optimizer whose gradients are averaged over all processes before they are applied.

    Args:
      optimizer: a `tf.train.Optimizer`.
      name: by default "Distributed" and the optimizer's class.
      use_locking: as that of an optimizer.
      device_dense, device_sparse: where gradients are reduced.
      compression: `hvd.Compression.fp16` sends floats as float16.
      sparse_as_dense: whether to add sparse gradients up as dense ones.
      backward_passes_per_step: 1.
      op: `hvd.Average`, or `hvd.Sum`.

    Raises:
      ValueError: if `optimizer` is none, or `backward_passes_per_step` is not 1.
      UnimplementedError: for `hvd.Adasum`.

    Example: `train = hvd.DistributedOptimizer(tf.train.AdamOptimizer()).minimize(loss)`.
    """
    if not isinstance(optimizer, Optimizer):
        raise ValueError(
            "Provided optimizer doesn't inherit from either legacy TensorFlow or Keras optimizer: "
            f"{optimizer}"
        )
    if backward_passes_per_step != 1:
        raise ValueError("backward_passes_per_step>1 is supported only with op == Adasum")
    _averages(None, op)
    return _DistributedOptimizer(
        optimizer,
        name or f"Distributed{type(optimizer).__name__}",
        use_locking,
        (device_dense, device_sparse),
        compression,
        sparse_as_dense,
        op,
    )
