"""Filters on the tensors of a step: the first match stops the program, or prompts at a terminal."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable, Sequence
from typing import Any

from tfmini._src.base.errors import InvalidArgumentError
from tfmini._src.graph.tensor import Tensor
from tfmini._src.train.debugger.dumps import write_request, write_step
from tfmini._src.train.debugger.filters import has_inf_or_nan
from tfmini._src.train.debugger.report import describe_match, node_text, value_text

Filter = Callable[[Any, Any], bool]
_HELP = "lt: all tensors; pt NAME: the value of one; ni NAME: its node; r: go on; q: stop"


class Datum:
    """A tensor as described to filters: `node_name`, `output_slot`, `tensor_name`."""

    debug_op = "DebugIdentity"

    def __init__(self, tensor: Tensor):
        self.node_name = tensor.op.name
        self.output_slot = tensor.value_index
        self.tensor_name = tensor.name
        self.watch_key = f"{tensor.name}:{self.debug_op}"
        self.device_name = tensor.op.device


class FilterBreakpoint:
    """The filters of a session or hook.

    Args:
      ui_type: "curses" or "readline"; both use plain text.
      dump_root: an empty or new directory for the dumps of stopped steps.

    Raises:
      ValueError: for an unsupported `ui_type`, or a directory that is not empty.
    """

    def __init__(self, ui_type: str = "curses", dump_root: str | None = None):
        if ui_type not in ("curses", "readline"):
            raise ValueError(f"Invalid UI type: {ui_type}. Must be one of curses, readline.")
        check_root("dump_root", dump_root)
        self.dump_root = dump_root
        self._filters: dict[str, Filter] = {}
        self._steps = 0

    def add(self, filter_name: str, tensor_filter: Filter) -> None:
        """Adds a filter."""
        self._filters[filter_name] = tensor_filter

    def check(
        self,
        graph: Any,
        tensors: Sequence[Tensor],
        values: Sequence[Any],
        fetches: Any,
        feeds: Any,
    ) -> None:
        """Applies the filters to the tensors of a step.

        Raises:
          InvalidArgumentError: if a filter matches and the user does not continue at the terminal.
        """
        self._steps += 1
        for name, tensor_filter in (self._filters or {"has_inf_or_nan": has_inf_or_nan}).items():
            for tensor, value in zip(tensors, values):
                if tensor_filter(Datum(tensor), value):
                    fetched = dict(zip(tensors, values))
                    text = describe_match(name, tensor, fetched)
                    if self.dump_root is not None:
                        root = os.path.join(self.dump_root, f"run_{int(time.time() * 1e6)}")
                        write_request(root, fetches, feeds)
                        write_step(root, graph, tensors, values, fetches, feeds, self._steps)
                        text += f"\n  all tensors of the step: {root}"
                    sys.stdout.write(f"{text}\n")
                    sys.stdout.flush()
                    if sys.stdin.isatty() and sys.stdout.isatty() and _prompt(fetched):
                        return
                    raise InvalidArgumentError(tensor.op.node_def, tensor.op, text)


def check_root(title: str, root: str | None) -> None:
    """Raises ValueError unless the dump directory is empty or missing."""
    if root is None:
        return
    if os.path.isfile(root):
        raise ValueError(f"{title} path points to a file: {root}")
    if os.path.isdir(root) and os.listdir(root):
        raise ValueError(f"{title} path points to a non-empty directory: {root}")


def _prompt(values: dict[Tensor, Any]) -> bool:
    """Prompts at the terminal; returns whether to continue."""
    by_name = {tensor.name: tensor for tensor in values}
    by_name |= {tensor.op.name: tensor for tensor in reversed(list(values))}
    print(_HELP)
    while True:
        try:
            word, _, name = input("tfdbg> ").strip().partition(" ")
        except EOFError:
            return False
        tensor = by_name.get(name.strip())
        if word in ("r", "run"):
            return True
        if word in ("q", "exit", "quit"):
            return False
        if word == "lt":
            for fetched, value in values.items():
                print(f"{fetched.name}: {value_text(value)}")
        elif word == "pt" and tensor is not None:
            print(values[tensor])
        elif word == "ni" and tensor is not None:
            print(node_text(tensor.op))
            print("\n".join(f"  {item.name}" for item in tensor.op.inputs))
        else:
            print(_HELP)
