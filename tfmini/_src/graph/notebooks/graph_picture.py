"""Pictures of small graphs for notebooks: an SVG per scope, in script-free HTML that works offline.

Operation names and types contain no HTML special characters.
A box is an operation or a scope; nested scopes can be expanded. Rows run from inputs to results.
"""

from __future__ import annotations

from collections.abc import Sequence

from tfmini._src.base.records import dataclass
from tfmini._src.graph.operation import Operation

_MAX_OPERATIONS = 300
_WIDTH, _HEIGHT, _GAP, _BETWEEN_ROWS = 150, 34, 16, 30
_LETTERS = 20


@dataclass
class _Box:
    """An operation or a scope: its relative name, full path and position in the grid."""

    name: str
    path: str
    operations: list[Operation]
    row: int = 0
    column: int = 0

    @property
    def is_scope(self) -> bool:
        return len(self.operations) > 1

    @property
    def center(self) -> float:
        return self.column * (_WIDTH + _GAP) + _WIDTH / 2

    @property
    def top(self) -> float:
        return self.row * (_HEIGHT + _BETWEEN_ROWS) + 2


def picture(operations: Sequence[Operation]) -> str:
    """Returns an HTML picture of a graph; for large graphs, instructions to use TensorBoard instead."""
    count = len(operations)
    if count > _MAX_OPERATIONS:
        alternative = "tf.summary.FileWriter(directory, graph)"
        return f"<p>{count} operations, too many to draw here. TensorBoard draws them: <code>{alternative}</code></p>"
    return f"<div><p>{count} operations</p>{_scope_html(operations, '')}</div>"


def _scope_html(operations: Sequence[Operation], scope: str) -> str:
    """Returns the pictures of a scope's contents and of its nested scopes, collapsed."""
    boxes = _place_boxes(operations, scope)
    subscopes = "".join(
        f'<details style="margin-left: 1em"><summary>{box.path}</summary>'
        f"{_scope_html(box.operations, box.path + '/')}</details>"
        for box in boxes
        if box.is_scope
    )
    return _svg(boxes) + subscopes


def _place_boxes(operations: Sequence[Operation], scope: str) -> list[_Box]:
    boxes: dict[str, _Box] = {}
    for op in operations:
        name = op.name[len(scope) :].partition("/")[0] or f"({op.type})"
        boxes.setdefault(name, _Box(name, scope + name, [])).operations.append(op)
    placed: list[int] = []
    for box in boxes.values():
        box.row = 1 + max((source.row for source, _ in _producer_boxes(box, boxes)), default=-1)
        placed += [0] * (box.row + 1 - len(placed))
        box.column, placed[box.row] = placed[box.row], placed[box.row] + 1
    return list(boxes.values())


def _producer_boxes(box: _Box, boxes: dict[str, _Box]) -> list[tuple[_Box, bool]]:
    """Returns the boxes that a box depends on, each with whether all its edges are control edges."""
    producers = {op: other for other in boxes.values() for op in other.operations}
    sources: dict[str, tuple[_Box, bool]] = {}
    for op in box.operations:
        read = [(tensor.op, False) for tensor in op.inputs]
        for source, waits in [*read, *((control, True) for control in op.control_inputs)]:
            other = producers.get(source)
            if other is not None and other is not box:
                sources[other.name] = (other, waits and sources.get(other.name, (other, True))[1])
    return list(sources.values())


def _svg(boxes: list[_Box]) -> str:
    by_name = {box.name: box for box in boxes}
    lines = [
        f'<line x1="{source.center:g}" y1="{source.top + _HEIGHT:g}" x2="{box.center:g}" y2="{box.top:g}" '
        f'stroke="currentColor" opacity="0.5" stroke-dasharray="{3 if waits else "none"}"/>'
        for box in boxes
        for source, waits in _producer_boxes(box, by_name)
    ]
    width = max((box.center for box in boxes), default=0) + _WIDTH / 2 + 2
    height = max((box.top for box in boxes), default=0) + _HEIGHT + 2
    shapes = "".join(map(_box_svg, boxes))
    size = f'width="{width:g}" height="{height:g}"'
    return f'<svg {size} font-size="11" font-family="sans-serif">{"".join(lines)}{shapes}</svg>'


def _box_svg(box: _Box) -> str:
    label = f"{len(box.operations)} operations" if box.is_scope else box.operations[0].type
    named = box.name if len(box.name) <= _LETTERS else box.name[: _LETTERS - 1] + "…"
    left = box.center - _WIDTH / 2
    text = f'text-anchor="middle" fill="currentColor" x="{box.center:g}"'
    return (
        f"<g><title>{box.path if box.is_scope else box.operations[0].name}: {label}</title>"
        f'<rect x="{left:g}" y="{box.top:g}" width="{_WIDTH}" height="{_HEIGHT}" rx="{6 if box.is_scope else 16}" '
        f'fill="{"#8ab4f8" if box.is_scope else "#fbbc04"}" fill-opacity="0.25" stroke="currentColor"/>'
        f'<text {text} y="{box.top + 14:g}">{named}</text>'
        f'<text {text} y="{box.top + 28:g}" opacity="0.6">{label}</text></g>'
    )
