"""Datasets of the rows of elements."""

from __future__ import annotations

from typing import Any

import numpy as np

from tfmini._src.base.errors import invalid
from tfmini._src.ops.datasets.dataset_value import (
    ELEMENTS,
    Element,
    Iterator,
    Rows,
    Run,
    UnaryDataset,
    dataset_op,
    set_declared_types,
    stack,
)
from tfmini._src.ops.operands import dense


class Unbatch(UnaryDataset):
    """The rows of all elements in sequence."""

    def iterate(self, run: Run, path: str) -> Iterator:
        return _UnbatchIterator(self.source.iterate(run, path + "/Unbatch"))


class _UnbatchIterator(Iterator):
    is_fresh = False

    def __init__(self, inner: Iterator):
        self._inner = inner
        self._rows = Rows(())
        self._position = self._count = 0

    def next(self) -> Element | None:
        if not self._has_rows():
            return None
        self._position += 1
        return self._rows.row(self._position - 1)

    def batch(self, count: int, drops_remainder: bool) -> tuple[int, Element | None]:
        parts: list[Element] = []
        missing = count
        while missing and self._has_rows():
            start = self._position
            self._position = min(start + missing, self._count)
            missing -= self._position - start
            parts.append(self._rows.gather(slice(start, self._position)))
        if not parts or (drops_remainder and missing):
            return count - missing, None
        columns = [*zip(*parts)]
        if all(len({part.shape[1:] for part in column}) == 1 for column in columns):
            return count - missing, tuple([np.concatenate(column) for column in columns])
        return count, stack([row for part in parts for row in zip(*part)])

    def _has_rows(self) -> bool:
        """Whether a row is left; reads the next element after the last row of the previous one."""
        while self._position == self._count:
            element = self._inner.next()
            if element is None:
                return False
            columns = [dense(value) for value in element]
            if not all(column.ndim for column in columns):
                invalid("Input element must have a non-scalar value in each component.")
            sizes = [len(column) for column in columns]
            for component, size in enumerate(sizes):
                if size != sizes[0]:
                    invalid(
                        "Input element must have the same batch size in each component. Component 0 had size "
                        f"{sizes[0]} but component {component} had size, {size}."
                    )
            self._rows = Rows(columns)
            self._position, self._count = 0, sizes[0]
        return True

    def save(self) -> Any:
        return self._rows.columns, self._position, self._count, self._inner.save()

    def restore(self, state: Any) -> None:
        columns, self._position, self._count, inner = state
        self._rows = Rows(columns)
        self._inner.restore(inner)


@dataset_op(
    "UnbatchDataset",
    "input_dataset: variant -> handle: variant",
    **ELEMENTS,
)
def unbatch_dataset_op(ctx, input_dataset):
    return set_declared_types(Unbatch(input_dataset), ctx)
