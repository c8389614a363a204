"""A plan: what one (fetches, feeds) of a session compiles to, and how it is run."""

from __future__ import annotations

import itertools
import linecache
import sys
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any

import numpy as np

from tfmini import dtypes
from tfmini.backend.gpu.device import Occupied
from tfmini.backend.gpu.errors import is_lost
from tfmini.errors import ResourceExhaustedError
from tfmini.runtime import debug
from tfmini.runtime.collectives import collectives
from tfmini.runtime.contract import contract
from tfmini.runtime.failures import failing_line, release_frames, translate
from tfmini.runtime.fuse import fuse
from tfmini.runtime.gpu_groups import group_on_gpus
from tfmini.runtime.group_updates import group_updates
from tfmini.runtime.interrupts import DeferredInterrupts
from tfmini.runtime.place import Placement, place
from tfmini.runtime.program import Node, Program
from tfmini.runtime.prune import prune
from tfmini.runtime.recorded import emit_recorded
from tfmini.runtime.simplify import simplify
from tfmini.runtime.structure import structure
from tfmini.runtime.transfer import ON_HOST, Memories, transfer
from tfmini.runtime.usage import HINT, usage_report

_numbers = itertools.count(1)


class Plan:
    """A compiled step: `plan.run(values of the feeds)` gives the values of the fetches, in order."""

    def __init__(self, program: Program, resources: Any):
        self.program = program
        self._resources = resources
        self._refused: set[tuple[str, str]] = set()  # what cannot be recorded
        self._is_stale = False
        self._make()
        self._changes_state = any(
            node.kind in ("op", "updates") and _changes_state(node) for node in program.nodes
        )
        self._occupied = [gpu for _, gpu in sorted(program.gpus.items())]

    def _make(self) -> None:
        """Writes the function and compiles it."""
        source, self.stretches = emit_recorded(self.program, self._resources, self._refused)
        self._is_stale = False
        self.text = str(source)
        self.filename = f"<tfmini plan {next(_numbers)}>"
        self._node_of_line = source.node_of_line
        self._constants = source.constants
        self._calls = frozenset(parts.line for parts in self.stretches)
        namespace = source.names
        exec(compile(self.text, self.filename, "exec"), namespace)
        for parts in self.stretches:
            namespace[parts.name] = parts.made(namespace, self._refuse)
        self._function: Callable[[Sequence[Any]], tuple] = namespace.pop("plan")
        if "plan" in debug.FLAGS:
            linecache.cache[self.filename] = (
                len(self.text),
                None,
                self.text.splitlines(True),
                self.filename,
            )
            print(f"{self.filename}\n{self.text}", file=sys.stderr)

    def run(self, feeds: Sequence[Any], reports_usage: bool = False) -> tuple:
        """Executes the plan; a failure is the tf.errors class that TensorFlow raises.

        If memory is short, its message lists who has it where `reports_usage` asks for that.
        """
        if not self._changes_state:
            return self._run(feeds, reports_usage)
        with DeferredInterrupts():
            return self._run(feeds, reports_usage)

    def _run(self, feeds: Sequence[Any], reports_usage: bool) -> tuple:
        try:
            with np.errstate(all="ignore"):
                if self._occupied:
                    with Occupied(self._occupied, self.program.shares_arrays):
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
        found = failing_line(error.__traceback__, self.filename, self._calls)
        node = None if found is None else self._node_of_line.get(found[0])
        if node is not None:
            self._refused.add((node.kind, node.opdef.name))
            self._is_stale = True

    def _failure(self, error: BaseException, reports_usage: bool) -> BaseException | None:
        found = failing_line(error.__traceback__, self.filename, self._calls)
        if found is None:
            return None
        line, variables = found
        node = self._node_of_line.get(line)
        if node is None:
            return None
        constants = self._function.__globals__
        inputs = [
            constants[self._constants[s]] if s in self._constants else variables.get(f"t{s}")
            for s in node.inputs
        ]

        def usage() -> str:
            return usage_report(self.program, variables, node.device) if reports_usage else HINT

        return translate(error, node, inputs, usage)


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
    program = prune(fetches, feeds, targets)
    stages: list[tuple[str, Callable[[Program], Program]]] = [
        ("place", partial(place, placement=placement)),
        ("structure", structure),
        ("simplify", simplify),
        ("contract", contract),
        ("fuse", fuse),
        ("group on GPUs", _as_it_is if in_parts else group_on_gpus),
        ("collectives", partial(collectives, gpus=gpus)),
        ("transfer", partial(transfer, gpus=gpus, memories=memories)),
        ("group updates", _as_it_is if in_parts else group_updates),
    ]
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
