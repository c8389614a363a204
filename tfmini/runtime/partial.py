"""A step run in parts: what can be computed after each batch of feeds is computed then, once."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from typing import Any

from tfmini.errors import InvalidArgumentError
from tfmini.runtime.plan import Plan, lower
from tfmini.runtime.program import Program


class PartialRun:
    """The state of one partial run: which nodes are still to run, and the values that later parts need.

    Args:
      fetches: the tensors that may be fetched, each once.
      feeds: the tensors that will be fed, each once.
      targets: operations to run as well.
    """

    def __init__(
        self,
        fetches: Sequence[Any],
        feeds: Sequence[Any],
        targets: Sequence[Any],
        resources: Any,
        placement: Any,
    ):
        self._program = lower(fetches, feeds, targets, placement)
        self._resources = resources
        self._fetch_slots = dict(zip(fetches, self._program.fetches))
        self._feed_slots = dict(zip(feeds, self._program.feeds))
        self._unfetched = set(fetches)
        self._values: dict[int, Any] = {}
        self._pending = list(self._program.nodes)
        self._lock = threading.Lock()

    @property
    def finished(self) -> bool:
        """Whether everything has been fed and fetched."""
        return not self._unfetched and all(s in self._values for s in self._feed_slots.values())

    def step(self, feeds: Sequence[tuple[Any, Any]], fetches: Sequence[Any]) -> tuple:
        """Feeds some tensors, runs what has become possible and returns the values of `fetches`.

        Raises:
          InvalidArgumentError: for a feed or fetch that was not announced, comes twice or cannot be computed yet.
        """
        with self._lock:
            for tensor, _ in feeds:
                if tensor not in self._feed_slots:
                    raise _error(f"The feed {tensor.name} was not specified in partial_run_setup.")
                if self._feed_slots[tensor] in self._values:
                    raise _error(f"The feed {tensor.name} has already been fed.")
            for tensor in fetches:
                if tensor not in self._fetch_slots:
                    raise _error(f"The fetch {tensor.name} was not specified in partial_run_setup.")
                if tensor not in self._unfetched:
                    raise _error(f"The fetch {tensor.name} has already been fetched.")
            available = {**self._values, **{self._feed_slots[t]: v for t, v in feeds}}
            ready, waiting = self._ready(available)
            made = {s for node in ready for s in node.outputs}
            for tensor in fetches:
                slot = self._fetch_slots[tensor]
                if slot not in available and slot not in made:
                    raise _error(
                        f"Fetch {tensor.name} can't be computed from the feeds that have been fed so far."
                    )
            wanted = [self._fetch_slots[t] for t in fetches]
            later = {s for node in waiting for s in (*node.inputs, *(p for p, _ in node.guard))}
            later.update(self._fetch_slots[t] for t in self._unfetched)
            kept = [s for s in made if s in later]
            inputs = [s for s in available if s is not None]
            program = Program(ready, self._program.slots, tuple(inputs), (*wanted, *kept))
            results = Plan(program, self._resources).run([available[s] for s in inputs])
            self._values = {**available, **dict(zip(kept, results[len(wanted) :]))}
            self._pending = waiting
            self._unfetched.difference_update(fetches)
            return results[: len(wanted)]

    def _ready(self, available: dict[int, Any]) -> tuple[list, list]:
        """The pending nodes whose inputs are there or are made by other ready ones, and the rest."""
        known = set(available)
        still: set[int] = set()
        ready: list = []
        waiting: list = []
        for node in self._pending:
            needs = (*node.inputs, *(p for p, _ in node.guard))
            if all(s in known for s in needs) and not any(id(c) in still for c in node.controls):
                ready.append(node)
                known.update(node.outputs)
            else:
                waiting.append(node)
                still.add(id(node))
        return ready, waiting


def _error(message: str) -> InvalidArgumentError:
    return InvalidArgumentError(None, None, message)
