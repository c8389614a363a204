"""Partial runs: each part computes, once, every node whose required feeds have arrived."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import field, replace
from typing import Any

from tfmini._src.base.errors import InvalidArgumentError
from tfmini._src.base.locks import make_lock
from tfmini._src.base.records import dataclass
from tfmini._src.compiler.pipeline import Target, lower
from tfmini._src.compiler.placement.placement import Placement
from tfmini._src.compiler.program.graph_order import in_order, loops_back, reachable
from tfmini._src.compiler.program.program import Node
from tfmini._src.devices.device import Devices
from tfmini._src.executor.plan import Plan
from tfmini._src.executor.state.resources import Resources
from tfmini._src.graph.operation import Operation
from tfmini._src.graph.tensor import Tensor


class PartialRunProgress:
    """The announced fetch and feed tensors of a partial run, and which of them are done."""

    def __init__(self, fetches: Sequence[Tensor], feeds: Sequence[Tensor]):
        self._feeds, self._fetches = set(feeds), set(fetches)
        self.fed: set[Tensor] = set()
        self.unfetched = set(fetches)

    @property
    def is_done(self) -> bool:
        """Whether everything has been fed and fetched."""
        return not self.unfetched and len(self.fed) == len(self._feeds)

    def check(self, feeds: Sequence[Tensor], fetches: Sequence[Tensor]) -> None:
        """Raises InvalidArgumentError for a tensor that was not announced, is repeated, or is not yet computable."""
        for tensor in feeds:
            if tensor not in self._feeds:
                raise _error(f"The feed {tensor.name} was not specified in partial_run_setup.")
            if tensor in self.fed:
                raise _error(f"The feed {tensor.name} has already been fed.")
        for tensor in fetches:
            if tensor not in self._fetches:
                raise _error(f"The fetch {tensor.name} was not specified in partial_run_setup.")
            if tensor not in self.unfetched:
                raise _error(f"The fetch {tensor.name} has already been fetched.")
        missing = self._feeds - self.fed - set(feeds)
        seen: set[Operation] = set()
        pending = [tensor.op for tensor in fetches]
        while pending:
            op = pending.pop()
            for tensor in op.inputs:
                if tensor in missing:
                    raise _error(
                        f"Fetch {tensor.name} can't be computed from the feeds that have been fed so far."
                    )
            sources = [*(t.op for t in op.inputs), *op._control_inputs]
            pending += [s for s in sources if s not in seen]
            seen.update(sources)

    def note(self, feeds: Sequence[Tensor], fetches: Sequence[Tensor]) -> None:
        """Marks feeds and fetches as done."""
        self.fed.update(feeds)
        self.unfetched.difference_update(fetches)


class PartialProgram:
    """The program of partial runs that announce the same fetches, feeds and targets, and the plans of their parts."""

    def __init__(
        self,
        fetches: Sequence[Tensor],
        feeds: Sequence[Tensor],
        targets: Sequence[Operation],
        resources: Resources,
        placement: Placement,
        devices: Devices,
    ):
        self.fetches, self.feeds = fetches, feeds
        self._program = lower(fetches, feeds, targets, Target(placement, devices, in_parts=True))
        self._resources = resources
        self._fetch_numbers = {tensor: index for index, tensor in enumerate(fetches)}
        self.feed_slots = dict(zip(feeds, self._program.feeds))
        self._needs = _required_feeds(fetches, feeds, targets)
        self.start = _Part([], list(self._program.nodes))

    def part_after(
        self,
        part: _Part,
        slots: Sequence[int],
        fed: set[Tensor],
        fetches: Sequence[Tensor],
        unfetched: set[Tensor],
    ) -> tuple[Plan, _Part]:
        """Returns the part that runs after `part`, and its plan.

        Args:
          slots: the slots whose values are known: fed, or carried from earlier parts.
          fed: all tensors that have been fed.
          fetches: the fetches of this part.
          unfetched: the fetches of later parts.
        """
        ready: list[Node] = []
        waiting: list[Node] = []
        missing: set[int] = set()
        for node in part.waiting:
            is_ready = node.kind == "const" or self._feeds_needed_by(node) <= fed
            # Copies of loop results depend on the loop.
            if is_ready and missing.isdisjoint(node.inputs):
                ready.append(node)
            else:
                waiting.append(node)
                missing.update(node.outputs)
        indices = [self._fetch_numbers[t] for t in fetches]
        carried_slots = self._slots_needed_later(ready, waiting, unfetched)
        program = replace(
            self._program,
            nodes=ready,
            feeds=tuple(slots),
            fetches=(*[self._program.fetches[n] for n in indices], *carried_slots),
            fetch_guards={
                i: self._program.fetch_guards[n]
                for i, n in enumerate(indices)
                if n in self._program.fetch_guards
            },
        )
        return Plan(program, self._resources), _Part(carried_slots, waiting)

    def _feeds_needed_by(self, node: Node) -> frozenset[Tensor]:
        """Returns the feeds required before the node runs."""
        if node.kind == "while":
            return frozenset().union(*(self._needs[n.origin] for n in node.loop.exits))
        return self._needs[node.origin]

    def _slots_needed_later(
        self, ready: list[Node], waiting: list[Node], unfetched: set[Tensor]
    ) -> list[int]:
        """Returns the slots computed in this part that later parts read."""
        later_slots = {self._program.fetches[self._fetch_numbers[t]] for t in unfetched}
        later_slots.update(self._program.fetch_predicates)
        for node in waiting:
            later_slots.update((*node.inputs, *node.predicates))
        return sorted({s for node in ready for s in node.outputs} & later_slots)


@dataclass
class _Part:
    """A part of a step.

    carried_slots: the slots that it computes for later parts.
    waiting: the nodes that run later.
    following: the plans of the next parts, and these parts, by their feeds and fetches.
    """

    carried_slots: list[int]
    waiting: list[Node]
    following: dict[tuple[Any, ...], tuple[Plan, _Part]] = field(default_factory=dict)


class PartialRun:
    """State of one partial run: its last part, and values needed by later parts.

    Each announced fetch and feed can be used once.
    """

    def __init__(self, program: PartialProgram):
        self._program = program
        self._announced = PartialRunProgress(program.fetches, program.feeds)
        self._values: dict[int, Any] = {}
        self._part = program.start
        self._lock = make_lock()
        self._failed = False

    @property
    def finished(self) -> bool:
        """Whether the run is over: all tensors have been fed and fetched, or a part has failed."""
        return self._failed or self._announced.is_done

    def step(
        self, feeds: Sequence[tuple[Tensor, Any]], fetches: Sequence[Tensor]
    ) -> tuple[Any, ...]:
        """Feeds tensors, runs the nodes that are ready, and returns the values of `fetches`.

        Raises:
          InvalidArgumentError: for an unannounced, repeated or not yet computable feed or fetch.
        """
        with self._lock:
            progress = self._announced
            progress.check([tensor for tensor, _ in feeds], fetches)
            fed = progress.fed.union(tensor for tensor, _ in feeds)
            unfetched = progress.unfetched.difference(fetches)
            values = {**self._values, **{self._program.feed_slots[t]: v for t, v in feeds}}
            key = tuple(tensor for tensor, _ in feeds), tuple(fetches)
            following = self._part.following
            if key not in following:
                slots = tuple(values)
                following[key] = self._program.part_after(
                    self._part, slots, fed, fetches, unfetched
                )
            plan, part = following[key]
            try:
                results = plan.run(list(values.values()))
            except BaseException:
                self._failed = True
                raise
            self._values = {**values, **dict(zip(part.carried_slots, results[len(fetches) :]))}
            self._part = part
            progress.fed, progress.unfetched = fed, unfetched
            return results[: len(fetches)]


def _required_feeds(
    fetches: Sequence[Tensor], feeds: Sequence[Tensor], targets: Sequence[Operation]
) -> dict[Operation, frozenset[Tensor]]:
    """Maps each operation to the feeds required before it runs."""
    fed = set(feeds)
    needs: dict[Operation, frozenset[Tensor]] = {
        tensor.op: frozenset((tensor,)) for tensor in feeds
    }
    order = in_order(reachable(fetches, feeds, targets), fed)
    is_known = False
    while not is_known:  # repeats while back edges add something
        is_known = True
        for op in order:
            fed_inputs = {tensor for tensor in op.inputs if tensor in fed}
            for source in (*(t.op for t in op.inputs if t not in fed), *op._control_inputs):
                fed_inputs |= needs.get(source, frozenset())
            if not fed_inputs <= needs.get(op, frozenset()) or op not in needs:
                is_known = is_known and not any(loops_back(op, t) for t in op.inputs)
                needs[op] = frozenset(fed_inputs)
    return needs


def _error(message: str) -> InvalidArgumentError:
    return InvalidArgumentError(None, None, message)
