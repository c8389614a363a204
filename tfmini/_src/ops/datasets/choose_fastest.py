"""Selection among datasets that contain the same elements."""

from __future__ import annotations

from collections.abc import Sequence

from tfmini._src.base.errors import invalid
from tfmini._src.base.read_only import read_only
from tfmini._src.graph.opdef import Attr
from tfmini._src.ops.datasets.dataset_value import (
    ELEMENTS,
    Dataset,
    Iterator,
    Run,
    dataset_op,
    set_declared_types,
)


class ChooseFastest(Dataset):
    """The first of several datasets; TensorFlow benchmarks them and selects the fastest one."""

    inputs: Sequence[Dataset] = read_only(attribute="_datasets")

    def __init__(self, datasets: Sequence[Dataset]):
        self._datasets = tuple(datasets)

    def with_inputs(self, inputs: Sequence[Dataset]) -> Dataset:
        return ChooseFastest(inputs)

    def iterate(self, run: Run, path: str) -> Iterator:
        return self._datasets[0].iterate(run, f"{path}/ChooseFastest[0]")

    def cardinality(self) -> int:
        return self._datasets[0].cardinality()


@dataset_op(
    "ChooseFastestDataset",
    "input_datasets: N * variant -> handle: variant",
    N=Attr("int", minimum=2),
    num_experiments=Attr("int"),
    **ELEMENTS,
)
def choose_fastest_dataset_op(ctx, input_datasets):
    first, types = input_datasets[0], ctx.attrs["output_types"]
    for index, dataset in enumerate(input_datasets):
        if tuple(dataset.types) != tuple(types):
            invalid(f"All inputs must have the same output types. Input {index} differs.")
        if not all(map(_compatible, dataset.shapes, ctx.attrs["output_shapes"])):
            invalid(f"All inputs must have compatible output shapes. Input {index} differs.")
        if dataset.cardinality() != first.cardinality():
            invalid(
                "All inputs must have compatible cardinalities in order for ChooseFastestDataset to merge them, but "
                f"input {index} has {dataset.cardinality()} elements and input 0 {first.cardinality()}."
            )
    return set_declared_types(ChooseFastest(input_datasets), ctx)


def _compatible(a, b):
    if a is None or b is None:
        return True
    return len(a) == len(b) and all(x == y or None in (x, y) for x, y in zip(a, b))
