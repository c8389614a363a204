"""Results that share memory with reference variables: their source lines and their run-time views."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tfmini._src.compiler.analysis.memory_forwarding import sources
from tfmini._src.compiler.codegen.call_expressions import Calls
from tfmini._src.compiler.codegen.intrinsics import current
from tfmini._src.compiler.kernel_context import Cell
from tfmini._src.compiler.program.program import Node, PossibleSharing


class View:
    """A transformed result that shares memory with variables; evaluated on each read.

    sources: the variables' cells, or views of them.
    form: the op, applied to the current values of the sources.
    output: index of this result; None for a single result.
    """

    __slots__ = ("sources", "form", "output")

    array = None  # see `VariableCell`

    def __init__(
        self, sources: tuple[Cell | View, ...], form: Callable[..., Any], output: int | None
    ):
        self.sources = sources
        self.form = form
        self.output = output

    def read(self) -> Any:
        result = self.form(*map(current, self.sources))
        return result if self.output is None else result[self.output]


def sharing_line(calls: Calls, step: int, node: Node) -> str:
    """Returns the source line of a "view" node: a call of its op that yields references for shared memory."""
    forwarding, values, slots = node.opdef.forwarding, calls.values, calls.program.slots
    assert forwarding is not None
    ref_slots = [s for s in dict.fromkeys(node.inputs) if slots[s].dtype._is_ref_dtype]
    references = "".join(f"{values.read(s)}, " for s in ref_slots)
    captured = dict.fromkeys(s for s in node.inputs if s not in ref_slots)
    defaults = [f"t{s}=t{s}" for s in captured if s not in values.constants]
    parameters = ", ".join([*(f"t{s}" for s in ref_slots), *defaults])
    # The parameters shadow these names.
    cells = {s: values.cells.pop(s) for s in ref_slots if s in values.cells}
    form = f"lambda {parameters}: {calls.call(step, node)}"
    shares = f"lambda {parameters}: {_sharing_condition(calls, node)}"
    values.cells.update(cells)
    indices: Any = tuple(
        next(ref_slots.index(s) for s in candidates if s in ref_slots)
        if slots[slot].dtype._is_ref_dtype
        else None
        for slot, candidates in zip(node.outputs, sources(node))
    )
    targets = ", ".join(f"t{s}" for s in node.outputs)
    if node.opdef.single_output is None:
        values.names["shared_results"] = shared_results
        assignment = f"{targets}, = shared_results"
    else:
        values.names["shared_result"], indices = shared_result, indices[0]
        assignment = f"{targets} = shared_result"
    return f"{assignment}(({references}), {form}, {shares}, {indices}, {forwarding.view})"


def _sharing_condition(calls: Calls, node: Node) -> str:
    """Returns an expression for whether a node shares memory, for cases decided at run time."""
    forwarding = node.opdef.forwarding
    if not isinstance(node.payload, PossibleSharing) or forwarding is None:
        return "True"
    arguments = dict(zip(node.opdef.input_names, calls.values.arguments(node)))
    texts = [
        f"{name}={arguments.get(name) or calls.values.literal(name, node.attrs[name])}"
        for name in forwarding.arguments
    ]
    rule = calls.values.name(f"shares_{node.opdef.name}", forwarding.when)
    return f"{rule}({', '.join(texts)})"


def shared_result(
    sources: tuple[Cell | View, ...],
    form: Callable[..., Any],
    shares: Callable[..., bool],
    position: int,
    is_view: bool,
) -> Any:
    """Runs an op once; returns a reference if its result shares the memory of source `position`, else the result.

    is_view: whether the reference is a view; otherwise it is the source itself.
    """
    values = tuple(map(current, sources))
    result = form(*values)
    if not shares(*values):
        return result
    return View(sources, form, None) if is_view else sources[position]


def shared_results(
    sources: tuple[Cell | View, ...],
    form: Callable[..., Any],
    shares: Callable[..., bool],
    indices: tuple[int | None, ...],
    are_views: bool,
) -> list[Any]:
    """Same as `shared_result`, for several results; position is None for results that share no memory."""
    values = tuple(map(current, sources))
    results = list(form(*values))
    if shares(*values):
        for index, position in enumerate(indices):
            if position is not None:
                results[index] = View(sources, form, index) if are_views else sources[position]
    return results
