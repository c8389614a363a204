"""A plan: what one (fetches, feeds) of a session compiles to, and how it is run."""

from __future__ import annotations

import itertools
import linecache
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from types import FunctionType
from typing import Any
from weakref import WeakMethod

import numpy as np

from tfmini import dtypes
from tfmini.backend.gpu.device import Occupied, streams_beside
from tfmini.backend.gpu.errors import is_lost
from tfmini.errors import ResourceExhaustedError
from tfmini.runtime import debug
from tfmini.runtime.accumulate import accumulate
from tfmini.runtime.collectives import collectives
from tfmini.runtime.contract import contract
from tfmini.runtime.failures import failing_line, release_frames, translate
from tfmini.runtime.fuse import fuse
from tfmini.runtime.gpu_groups import group_on_gpus
from tfmini.runtime.group_updates import group_updates
from tfmini.runtime.interrupts import DeferredInterrupts
from tfmini.runtime.loops import loops
from tfmini.runtime.narrow import narrow
from tfmini.runtime.place import Placement, place
from tfmini.runtime.program import Node, Program
from tfmini.runtime.prune import prune
from tfmini.runtime.recorded import emit_recorded
from tfmini.runtime.restores import restores
from tfmini.runtime.same_shapes import same_shapes
from tfmini.runtime.simplify import simplify
from tfmini.runtime.split_biases import split_biases
from tfmini.runtime.structure import structure
from tfmini.runtime.transfer import ON_HOST, Memories, loop_memories, transfer
from tfmini.runtime.usage import HINT, usage_report

_numbers = itertools.count(1)


@dataclass(frozen=True)
class _Text:
    """A plan's function, and what its lines stand for.

    calls: the lines that call other functions of the plan.
    """

    filename: str
    node_of_line: Mapping[int, Node]
    constants: Mapping[int, str]
    calls: frozenset[int]
    function: Callable[[Sequence[Any]], tuple]

    def failing(self, error: BaseException) -> tuple[Node, dict[str, Any]] | None:
        """The node that has failed, and the variables of its function."""
        found = failing_line(error.__traceback__, self.filename, self.calls)
        node = None if found is None else self.node_of_line.get(found[0])
        return None if found is None or node is None else (node, found[1])


class Plan:
    """A compiled step: `plan.run(values of the feeds)` gives the values of the fetches, in order."""

    def __init__(self, program: Program, resources: Any):
        self.program = program
        self._resources = resources
        self._refused: set[tuple[str, str]] = set()  # what cannot be recorded
        self._uploaded: dict[int, Any] = {}  # constants on GPUs
        self._is_stale = False
        self._texts: list[_Text] = []  # the last one or two
        self._make()
        self._changes_state = any(
            node.kind in ("op", "updates") and _changes_state(node) for node in program.all_nodes()
        )
        self._occupied = [gpu for _, gpu in sorted(program.gpus.items())]

    def _make(self) -> None:
        """Writes the function and compiles it."""
        source, self.stretches = emit_recorded(
            self.program, self._resources, self._refused, self._uploaded
        )
        self._is_stale = False
        self.text = str(source)
        filename = f"<tfmini plan {next(_numbers)}>"
        names = source.names
        exec(compile(self.text, filename, "exec"), names)
        self._function: Callable[[Sequence[Any]], tuple] = names.pop("plan")
        made = _loop_functions(source.loops, names)
        if self.stretches:
            refuse = WeakMethod(self._refuse)
            made.update((parts.name, parts.made(names, refuse)) for parts in self.stretches)
        if made:
            self._function = FunctionType(self._function.__code__, {**names, **made})
        looped = (line for line, node in source.node_of_line.items() if node.kind == "while")
        calls = frozenset((*(parts.line for parts in self.stretches), *looped))
        text = _Text(filename, source.node_of_line, source.constants, calls, self._function)
        # Another thread may still look for what has failed in the text before; its graphs are not kept for that.
        before = [replace(t, function=self._function) for t in self._texts[-1:]]
        self._texts = [*before, text]
        if "plan" in debug.FLAGS:
            lines = self.text.splitlines(True)
            linecache.cache[filename] = (len(self.text), None, lines, filename)
            print(f"{filename}\n{self.text}", file=sys.stderr)

    def callers_streams(self) -> Mapping[str, Any]:
        """By GPU, the calling thread's streams that a run has to be in order with, for a run in another thread."""
        return streams_beside(self._occupied) if self.program.shares_arrays else {}

    def run(
        self,
        feeds: Sequence[Any],
        reports_usage: bool = False,
        streams: Mapping[str, Any] | None = None,
    ) -> tuple:
        """Executes the plan; a failure is the tf.errors class that TensorFlow raises.

        If memory is short, its message lists who has it where `reports_usage` asks for that. `streams` are those of
        the thread that asks for the run, by default this one.
        """
        if not self._changes_state:
            return self._run(feeds, reports_usage, streams)
        with DeferredInterrupts():
            return self._run(feeds, reports_usage, streams)

    def _run(
        self, feeds: Sequence[Any], reports_usage: bool, streams: Mapping[str, Any] | None
    ) -> tuple:
        try:
            with np.errstate(all="ignore"):
                if self._occupied:
                    if streams is None and self.program.shares_arrays:
                        streams = streams_beside(self._occupied)
                    with Occupied(self._occupied, streams):
                        results = self._function(feeds)
                        if self._is_stale:
                            self._make()
                        return results
                return self._function(feeds)
        except BaseException as error:
            if is_lost(error):
                for gpu in self._occupied:
                    gpu.lost = str(error)
            failure = self._failure(error, reports_usage)
            if failure is None:
                raise
            if isinstance(failure, ResourceExhaustedError):
                release_frames(error.__traceback__)  # what they hold is what is short
            try:
                raise failure from (None if hasattr(error, "node_def") else error)
            finally:
                del (
                    failure
                )  # which has this frame in its traceback: a cycle would hold the step's arrays

    def _refuse(self, error: Exception) -> None:
        """Ops of that kind are not recorded from the next run on."""
        found = self._texts[-1].failing(error)
        if found is not None:
            self._refused.add((found[0].kind, found[0].opdef.name))
            self._is_stale = True

    def _failure(self, error: BaseException, reports_usage: bool) -> BaseException | None:
        for text in self._texts:
            found = text.failing(error)
            if found is not None:
                break
        else:
            return None
        node, variables = found
        constants = text.function.__globals__
        inputs = [
            constants.get(text.constants[s]) if s in text.constants else variables.get(f"t{s}")
            for s in node.inputs
        ]

        def usage() -> str:
            return usage_report(self.program, variables, node.device) if reports_usage else HINT

        return translate(error, node, inputs, usage)


def _loop_functions(loops: Sequence[str], names: dict[str, Any]) -> dict[str, Any]:
    """The functions of loops, taken out of the names they see: in a cycle they would outlive their session."""
    functions = {name: names.pop(name) for name in loops}
    made: dict[str, Any] = {}
    for name, function in reversed(functions.items()):
        code = function.__code__
        inner = {called: made[called] for called in code.co_names if called in made}
        made[name] = FunctionType(code, {**names, **inner}) if inner else function
    return made


def _changes_state(node: Node) -> bool:
    """Whether it may write a variable."""
    cells = any(arg.is_ref or arg.dtype is dtypes.resource for arg in node.opdef.inputs)
    return cells and not node.opdef.borrows


def _as_it_is(program: Program) -> Program:
    return program


def lower(
    fetches: Sequence[Any],
    feeds: Sequence[Any],
    targets: Sequence[Any],
    placement: Placement,
    gpus: Mapping[str, Any],
    memories: Memories = ON_HOST,
    in_parts: bool = False,
) -> Program:
    """The program of a step after all stages; `in_parts`: its nodes need not all run at once."""
    program = _through(
        prune(fetches, feeds, targets),
        [("place", partial(place, placement=placement)), ("loops", loops)],
    )
    return _lowered(program, gpus, memories, in_parts)


def _lowered(
    program: Program, gpus: Mapping[str, Any], memories: Memories, in_parts: bool
) -> Program:
    """The program after the stages that follow, those of its loops before it."""
    program = accumulate(program)
    for node in program.nodes:
        if node.kind == "while":
            around = loop_memories(node.value, program, gpus)
            node.value.program = _lowered(node.value.program, gpus, around, in_parts=False)
    return _through(
        program,
        [
            ("structure", structure),
            ("simplify", simplify),
            ("same shapes", same_shapes),
            ("contract", contract),
            ("narrow", narrow),
            ("fuse", fuse),
            ("split biases", split_biases),
            ("group on GPUs", _as_it_is if in_parts else group_on_gpus),
            ("collectives", partial(collectives, gpus=gpus)),
            ("transfer", partial(transfer, gpus=gpus, memories=memories)),
            ("restores", _as_it_is if in_parts else restores),
            ("group updates", _as_it_is if in_parts else group_updates),
        ],
    )


def _through(program: Program, stages: list[tuple[str, Callable[[Program], Program]]]) -> Program:
    for name, stage in stages:
        program = stage(program)
        if "stages" in debug.FLAGS:
            print(f"{name}\n{program}\n", file=sys.stderr)
    return program


def compile_plan(
    fetches: Sequence[Any],
    feeds: Sequence[Any],
    targets: Sequence[Any],
    resources: Any,
    placement: Placement,
    gpus: Mapping[str, Any],
    memories: Memories = ON_HOST,
) -> Plan:
    """Compiles what `fetches` (tensors) and `targets` (operations) need, given `feeds` (tensors)."""
    return Plan(lower(fetches, feeds, targets, placement, gpus, memories), resources)
