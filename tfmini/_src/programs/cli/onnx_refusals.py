"""The error of `export --onnx` for nodes without an ONNX equivalent: their names and ops, and a workaround."""

from __future__ import annotations

import logging
import re
from collections.abc import Mapping

_CONTROL_FLOW = ("Enter", "Exit", "LoopCond", "Merge", "NextIteration", "Switch")
_ITERATION_HINT = (
    "; export a graph that computes one iteration, and loop in the program that runs the model"
)
_PARSING_HINT = (
    ", and ONNX parses no tf.Example: dense features become inputs by themselves; name other parsed ones with "
    "--inputs, as 'ParseExample/ParseExample:0', or export with tf.estimator.export.build_raw_serving_input_receiver_fn"
)


class UnconvertedNodes(logging.Handler):
    """Collects op types, by node name, from the errors that tf2onnx logs."""

    def __init__(self) -> None:
        super().__init__(logging.ERROR)
        self.ops: dict[str, str] = {}

    def emit(self, record: logging.LogRecord) -> None:
        match = re.search(r"op \[(.+): (\w+)\] is not supported", record.getMessage())
        if match:
            self.ops[match[1]] = match[2]


def refusal(ops: Mapping[str, str]) -> str:
    """Returns the error message for nodes, op types by node name; it lists loops, and the first node of each op."""
    loops = sorted(name.rpartition("/")[0] or name for name, op in ops.items() if op == "LoopCond")
    first: dict[str, str] = {}
    for name, op in sorted(ops.items()):
        if not (loops and op in _CONTROL_FLOW):
            first.setdefault(op, name)
    parts = [f"the loop {name}" for name in loops]
    parts += [f"{op} ({name})" if name else op for op, name in sorted(first.items())]
    parses = any(op.startswith("ParseExample") for op in first)
    return f"tf2onnx cannot convert {', '.join(parts)}{_PARSING_HINT * parses}{_ITERATION_HINT * bool(loops)}"
