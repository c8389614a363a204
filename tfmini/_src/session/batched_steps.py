"""Batches QueueRunner steps: reads, parses and enqueues many records at once if the difference is unobservable.

A QueueRunner thread repeats one step: read a record, compute an element, enqueue it. Per-step overhead dominates. A
block batches at most as many steps as the queue has free slots, so no element is enqueued later than an unbatched
thread would enqueue it. If a step of a block fails, the records are returned to the reader and the steps run one by
one. Blocks shrink if steps are slow, to bound the delay of finished elements.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from tfmini._src.base.errors import OpError
from tfmini._src.compiler.error_translation import translate
from tfmini._src.compiler.oom_report import HINT
from tfmini._src.compiler.program.graph_order import reachable
from tfmini._src.compiler.program.program import Node
from tfmini._src.executor.state.cancellation import running
from tfmini._src.executor.waiting_plan import WaitingPlan
from tfmini._src.graph.operation import Operation
from tfmini._src.graph.tensor import Tensor
from tfmini._src.ops.operands import dense
from tfmini._src.ops.parsing.parse_example import parse_records
from tfmini._src.ops.pending_ops import Step, wait
from tfmini._src.session.base_session import BaseSession
from tfmini._src.session.compile_step import compile_step

_MAX_STEPS = 64  # maximum steps per block
_MAX_SECONDS = 0.01  # seconds; longer blocks are halved
_ENQUEUE_OPS = ("QueueEnqueue", "QueueEnqueueV2")
_READ_OPS = ("ReaderRead", "ReaderReadV2")


def repeat_op(session: BaseSession, op: Operation) -> Callable[[], Any]:
    """Returns a callable for a thread that repeats `op`; each call runs one step or a block of steps."""
    step = session.make_callable(op)
    read = _find_read(session, op)
    return step if read is None else _Blocks(session, op, read, step)


def _find_read(session: BaseSession, op: Operation) -> Operation | None:
    """Returns the op that reads a record if the step of `op` only enqueues values computed from it, else None."""
    session_class = type(session)
    is_plain = issubclass(session_class, BaseSession) and session_class.run is BaseSession.run
    if not is_plain or session._remote is not None or session._devices or session._time_limit:
        return None
    if (
        not isinstance(op, Operation)
        or op.type not in _ENQUEUE_OPS
        or op.graph is not session.graph
    ):
        return None
    members = reachable([], [], [op])
    reads = [member for member in members if member.type in _READ_OPS]
    if len(reads) != 1 or op.control_inputs or reads[0].control_inputs:
        return None
    read = reads[0]
    handles = {tensor.op for tensor in (op.inputs[0], *read.inputs)}
    if any(handle.inputs or handle.control_inputs for handle in handles):
        return None
    return None if any(map(_is_observable, members - handles - {op, read})) else read


def _is_observable(op: Operation) -> bool:
    """Whether batching the op would be observable: it has side effects, may block, or calls Python or functions."""
    opdef = op.opdef
    return opdef.has_effects or opdef.may_wait or opdef.calls_python or opdef.takes_functions


class _Blocks:
    """Runs the steps of `op`, which enqueues elements computed from the records of `read`, in blocks."""

    def __init__(
        self, session: BaseSession, op: Operation, read: Operation, step: Callable[[], Any]
    ):
        self._session = session
        self._ops = op, read
        self._step = step
        self._size = 1
        self._nodes: dict[str, Node] = {}  # blocking nodes of the step

    def __call__(self) -> None:
        if self._size == 1:
            self._step()  # raises errors of the step itself first
            self._size = 2
            return
        if not self._nodes:
            self._compile()
        size = min(self._size, self._queue.free)
        if size < 2 or self._session._closed:
            self._step()
            return
        self._run_batch(int(size))

    def _compile(self) -> None:
        session, (op, read) = self._session, self._ops
        plan, _ = compile_step(session, op, [])
        assert isinstance(plan, WaitingPlan)
        self._nodes = {wait.node.origin.name: wait.node for wait in plan.schedule.waits}
        handles, _ = compile_step(session, [op.inputs[0], *read.inputs], [])
        self._queue, self._reader, self._work = handles.run([])
        self._elements_of = _element_function(session, op, read)

    def _run_batch(self, size: int) -> None:
        op, read = self._ops
        resources = self._session._resources
        with running(Step(), resources):
            try:
                keys, values = wait(self._reader.read(self._work, size, is_of_steps=True))
            except Exception as error:
                self._raise_translated(read, error)
            start_time = time.perf_counter()
            try:
                elements = self._elements_of(keys, values)
                for element in elements:
                    self._queue.check(element)
            except Exception:  # the failing step below raises it again
                elements = None
            is_long = time.perf_counter() - start_time > _MAX_SECONDS
            self._size = max(2, self._size // 2) if is_long else min(2 * self._size, _MAX_STEPS)
            if elements is not None:
                try:
                    wait(self._queue.enqueue_all(elements))
                except Exception as error:
                    self._raise_translated(op, error)
                return
        self._reader.give_back(list(zip(keys, values)))
        for _ in keys:
            self._step()

    def _raise_translated(self, op: Operation, error: BaseException) -> None:
        """Raises an op's error as an unbatched step would."""
        failure = translate(error, self._nodes[op.name], [], {}, lambda: HINT)
        if failure is None:
            raise error
        assert isinstance(failure, OpError)
        self._session._step_failed(failure)
        raise failure from None


def _element_function(
    session: BaseSession, op: Operation, read: Operation
) -> Callable[[np.ndarray, np.ndarray], list[tuple[Any, ...]]]:
    """Returns a function that maps record keys and values to the elements to enqueue."""
    components = [_skip_identities(tensor) for tensor in op.inputs[1:]]
    parses = [
        candidate
        for candidate in reachable([], [], [op])
        if candidate.type == "ParseSingleExample" and _parses_at_once(candidate, read)
    ]
    if len(parses) != 1:
        plan, _ = compile_step(session, components, list(read.outputs))
        return lambda keys, values: [
            tuple(map(_copy_dense, plan.run([key, value]))) for key, value in zip(keys, values)
        ]
    (parse,) = parses
    attrs, dense_values = parse.attrs, list(parse.outputs)
    defaults, _ = (
        compile_step(session, list(parse.inputs[1:]), []) if parse.inputs[1:] else (None, None)
    )
    names = [key.decode() if isinstance(key, bytes) else key for key in attrs["dense_keys"]]
    default_values = defaults.run([]) if defaults is not None else ()
    features = list(zip(names, attrs["Tdense"], attrs["dense_shapes"], default_values))

    def parse_columns(values: np.ndarray) -> tuple[np.ndarray, ...]:
        return parse_records(list(values), None, True, features, [])

    if all(tensor in dense_values for tensor in components):
        positions = [dense_values.index(tensor) for tensor in components]

        def select_rows(keys: np.ndarray, values: np.ndarray) -> list[tuple[Any, ...]]:
            columns = parse_columns(values)
            return list(zip(*(_split_rows(columns[position]) for position in positions)))

        return select_rows
    rest_plan, _ = compile_step(session, components, [*read.outputs, *dense_values])

    def run_remaining_nodes(keys: np.ndarray, values: np.ndarray) -> list[tuple[Any, ...]]:
        rows = zip(keys, values, *parse_columns(values))
        return [tuple(map(_copy_dense, rest_plan.run(row))) for row in rows]

    return run_remaining_nodes


def _parses_at_once(parse: Operation, read: Operation) -> bool:
    """Whether the op parses the records themselves, unprocessed, into dense features of fixed shape."""
    shapes = parse.attrs["dense_shapes"]
    return (
        _skip_identities(parse.inputs[0]) is read.outputs[1]
        and not parse.control_inputs
        and not parse.attrs["num_sparse"]
        and bool(parse.outputs)
        and all(tensor.op.type == "Const" for tensor in parse.inputs[1:])
        and all(shape is not None and None not in tuple(shape) for shape in shapes)
    )


def _skip_identities(tensor: Tensor) -> Tensor:
    while tensor.op.type == "Identity" and not tensor.op.control_inputs:
        tensor = tensor.op.inputs[0]
    return tensor


def _split_rows(column: np.ndarray) -> Sequence[Any]:
    """Splits a column into rows, each with its own memory."""
    if column.ndim > 1:
        return [row.copy() for row in column]
    return [dense(value) for value in column] if column.dtype == object else list(column)


def _copy_dense(value: Any) -> Any:
    """Returns a dense copy that a queue can store."""
    array = dense(value)
    return array.copy() if isinstance(array, np.ndarray) else array
