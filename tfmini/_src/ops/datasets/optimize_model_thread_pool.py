"""Datasets that change how others run: TensorFlow's rewrites, monitoring, thread pools."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from tfmini._src.graph.opdef import Attr, op
from tfmini._src.ops.datasets.batch import Batch
from tfmini._src.ops.datasets.dataset_value import (
    SHAPES,
    TYPES,
    Dataset,
    Iterator,
    Run,
    SameSize,
    handle_shape,
)
from tfmini._src.ops.datasets.map_filter_reduce import Map
from tfmini._src.ops.datasets.prefetch_parallel_map import ParallelMap
from tfmini._src.ops.datasets.repeat_take_zip import Repeat
from tfmini._src.ops.datasets.shuffle import Shuffle, ShuffleAndRepeat
from tfmini._src.ops.operands import dense

_DECLARED: dict[str, Any] = {"output_types": TYPES, "output_shapes": SHAPES}


@op(
    "OptimizeDataset",
    "input_dataset: variant, optimizations: string -> handle: variant",
    **_DECLARED,
    optimization_configs=Attr("list(string)", []),
)
def optimize_dataset_op(xp, input_dataset, optimizations):
    names = {bytes(name) for name in np.ravel(dense(optimizations))}
    return _like(Optimized(input_dataset.duplicate(), names), input_dataset)


class Optimized(SameSize):
    """A dataset after some rewrites, which also apply to the datasets that its functions return.

    Its op gives it a duplicate, as TensorFlow writes the dataset as a graph to rewrite it, once for each use.
    """

    def __init__(self, source: Dataset, names: set[bytes]):
        super().__init__(source)
        self.names = names

    def with_inputs(self, inputs: Sequence[Dataset]) -> Dataset:
        return Optimized(inputs[0], self.names)

    def iterate(self, run: Run, path: str) -> Iterator:
        run.rewrite = lambda dataset: _rewritten(dataset, self.names)
        return run.rewrite(self.source).iterate(run, path)


def _rewritten(dataset: Dataset, names: set[bytes]) -> Dataset:
    """The dataset after the rewrites that are observable in its elements or their order."""
    inputs = [_rewritten(source, names) for source in dataset.inputs]
    if any(new is not old for new, old in zip(inputs, dataset.inputs)):
        dataset = _like(dataset.with_inputs(inputs), dataset)
    if b"shuffle_and_repeat_fusion" in names and isinstance(dataset, Repeat):
        source = dataset.source
        if isinstance(source, Shuffle) and source.reshuffles:
            fused = ShuffleAndRepeat(source.source, source.size, source.seeds, dataset.count)
            return _like(fused, dataset)
    if b"map_and_batch_fusion" in names and isinstance(dataset, Batch) and not dataset.is_fused:
        if isinstance(dataset.source, Map | ParallelMap):
            return _like(Batch(dataset.source, dataset.size, dataset.drops, True), dataset)
    return dataset


def _like(made: Dataset, dataset: Dataset) -> Dataset:
    made.types, made.shapes = dataset.types, dataset.shapes
    return made


@op(
    "ModelDataset",
    "input_dataset: variant -> handle: variant",
    algorithm=0,
    cpu_budget=0,
    **_DECLARED,
)
def model_dataset_op(xp, input_dataset):
    return input_dataset


@op(
    "MaxIntraOpParallelismDataset",
    "input_dataset: variant, max_intra_op_parallelism: int64 -> handle: variant",
    **_DECLARED,
)
def max_intra_op_parallelism_dataset_op(xp, input_dataset, max_intra_op_parallelism):
    return input_dataset


@op(
    "PrivateThreadPoolDataset",
    "input_dataset: variant, num_threads: int64 -> handle: variant",
    **_DECLARED,
)
def private_thread_pool_dataset_op(xp, input_dataset, num_threads):
    return input_dataset


for _op in (
    optimize_dataset_op,
    model_dataset_op,
    max_intra_op_parallelism_dataset_op,
    private_thread_pool_dataset_op,
):
    _op.infer(handle_shape)
