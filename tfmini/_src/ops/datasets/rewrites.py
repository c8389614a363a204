"""TensorFlow's dataset rewrites, which replace a dataset tree with an equivalent one.

Only rewrites with an observable effect are implemented: on element order, or on the names that `AssertNextDataset`
checks.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from typing import Any

import numpy as np

from tfmini._src.base.errors import invalid
from tfmini._src.ops.datasets.batch import Batch
from tfmini._src.ops.datasets.dataset_function import Function
from tfmini._src.ops.datasets.dataset_value import Dataset, Element, Run
from tfmini._src.ops.datasets.function_datasets import Filter, Map
from tfmini._src.ops.datasets.interleave import Interleave
from tfmini._src.ops.datasets.sequence_transformations import Repeat, Skip, Take
from tfmini._src.ops.datasets.shuffle import Shuffle, ShuffleAndRepeat
from tfmini._src.ops.datasets.threaded_datasets import ParallelMap, Prefetch


def rewrite(dataset: Dataset, names: Collection[bytes]) -> Dataset:
    """Applies the named rewrites to a dataset in sequence."""
    if not _has_rewritten(dataset):  # each window's dataset, in most programs
        return dataset
    for name, rule in _RULES.items():
        if name in names:
            dataset = _rewrite_tree(dataset, rule)
    return dataset


# One of these is in each tree that a rule changes, or a fused Batch.
_REWRITTEN = (Take, Skip, Repeat, Prefetch, Map, Filter, ParallelMap, Interleave)


def _has_rewritten(dataset: Dataset) -> bool:
    if isinstance(dataset, _REWRITTEN) or (isinstance(dataset, Batch) and dataset.is_fused):
        return True
    for source in dataset.inputs:
        if _has_rewritten(source):
            return True
    return False


def _rewrite_tree(dataset: Dataset, rule: Callable[[Any], Dataset | None]) -> Dataset:
    """Applies a rule to the tree, sources first; the rule returns a replacement dataset or None."""
    inputs = [_rewrite_tree(source, rule) for source in dataset.inputs]
    if any(new is not old for new, old in zip(inputs, dataset.inputs)):
        dataset = copy_types(dataset.with_inputs(inputs), dataset)
    result = rule(dataset)
    return dataset if result is None else copy_types(result, dataset)


def copy_types(replacement: Dataset, dataset: Dataset) -> Dataset:
    """Sets the types and shapes of a dataset to the ones of another dataset."""
    replacement.types, replacement.shapes = dataset.types, dataset.shapes
    return replacement


def _eliminate_noop(dataset: Any) -> Dataset | None:
    is_noop = (
        (isinstance(dataset, Take) and dataset.count < 0)
        or (isinstance(dataset, Skip) and dataset.count == 0)
        or (isinstance(dataset, Repeat) and dataset.count == 1)
        or (isinstance(dataset, Prefetch) and dataset.size == 0)
    )
    return dataset.source if is_noop else None


def _fuse_shuffle_and_repeat(dataset: Any) -> Dataset | None:
    source = dataset.source if isinstance(dataset, Repeat) else None
    if isinstance(source, Shuffle) and source.reshuffles and source.words is None:
        return ShuffleAndRepeat(source.source, source.size, source.seeds, dataset.count)
    return None


def _fuses(dataset: Any, dataset_class: Any) -> bool:
    """Whether a dataset and its source are of these classes, with functions that can be fused."""
    source = dataset.source
    return isinstance(source, dataset_class) and not (
        dataset.functions[0].captures or source.functions[0].captures
    )


def _fuse_maps(dataset: Any) -> Dataset | None:
    if isinstance(dataset, Map) and _fuses(dataset, Map):
        inner: Any = dataset.source
        return Map(inner.source, _Chain(inner.functions[0], dataset.functions[0]))
    return None


def _fuse_filters(dataset: Any) -> Dataset | None:
    if isinstance(dataset, Filter) and _fuses(dataset, Filter):
        inner: Any = dataset.source
        return Filter(inner.source, _Conjunction(inner.functions[0], dataset.functions[0]))
    return None


def _fuse_map_filter(dataset: Any) -> Dataset | None:
    """Fuses map and filter: a function appends the result of the predicate, which is removed after filtering."""
    if isinstance(dataset, Filter) and _fuses(dataset, Map | ParallelMap):
        mapped = dataset.source.with_inputs(dataset.source.inputs)
        mapped.functions = (_FunctionThenPredicate(mapped.functions[0], dataset.functions[0]),)
        return Map(Filter(mapped, _LastComponent()), _DropLastComponent())
    return None


# Stateful node types of assertions, which may run in parallel.
_ASSERTION = {"Assert", "If"}


def _in_parallel(dataset: Any) -> Dataset | None:
    if isinstance(dataset, Map) and not {*dataset.functions[0].stateful_ops} - _ASSERTION:
        return ParallelMap(dataset.source, dataset.functions[0], -1)
    return None


def _fuse_map_and_batch(dataset: Any) -> Dataset | None:
    if isinstance(dataset, Batch) and not dataset.is_fused:
        if isinstance(dataset.source, Map | ParallelMap):
            fused = Batch(dataset.source, dataset.size, dataset.drops, True)
            fused.op_type = "MapAndBatchDataset"
            return fused
    return None


def _sloppy(dataset: Any) -> Dataset | None:
    if isinstance(dataset, ParallelMap) and not dataset.is_sloppy:
        return ParallelMap(dataset.source, dataset.functions[0], dataset.calls, True)
    return None


def _prefetch(dataset: Any) -> Dataset | None:
    is_asynchronous = (
        (isinstance(dataset, Batch) and dataset.is_fused)
        or (isinstance(dataset, Interleave) and dataset.token == "/ParallelInterleaveV2")
        or (isinstance(dataset, ParallelMap) and dataset.token)
    )
    return Prefetch(dataset, -1) if is_asynchronous else None


# In application order.
_RULES: dict[bytes, Callable[[Any], Dataset | None]] = {
    b"noop_elimination": _eliminate_noop,
    b"shuffle_and_repeat_fusion": _fuse_shuffle_and_repeat,
    b"map_fusion": _fuse_maps,
    b"filter_fusion": _fuse_filters,
    b"map_and_filter_fusion": _fuse_map_filter,
    b"map_parallelization": _in_parallel,
    b"map_and_batch_fusion": _fuse_map_and_batch,
    b"make_sloppy": _sloppy,
    b"inject_prefetch": _prefetch,
}


# The rewrite `slack` delays the last prefetch, which may only be followed by these ops and by datasets of other rules.
_SLACK_COMPATIBLE_OPS = frozenset(
    (
        *("CacheDataset", "CacheDatasetV2", "ConcatenateDataset", "ZipDataset"),
        *("MaxIntraOpParallelismDataset", "PrivateThreadPoolDataset", "ModelDataset"),
        *("ExperimentalMaxIntraOpParallelismDataset", "ExperimentalPrivateThreadPoolDataset"),
        *("OptimizeDataset", "RepeatDataset", "ShardDataset", "ShuffleDataset"),
        *("ShuffleDatasetV2", "SkipDataset", "TakeDataset", "WindowDataset"),
    )
)


def check_slack(dataset: Dataset, configs: Sequence[str]) -> None:
    """Raises an error unless the last transformations of a rewritten dataset permit the rewrite `slack`."""
    for config in configs:
        rule, option, value = config.split(":")
        if rule == "slack" and option == "slack_period" and int(value) < 1:
            invalid(f"Invalid `slack_period` parameter: {value}")
    _check_last_prefetch(dataset)


def _check_last_prefetch(dataset: Dataset) -> None:
    if isinstance(dataset, Prefetch):
        return
    is_fused = isinstance(dataset, Map | Filter | ParallelMap | ShuffleAndRepeat)
    if not (is_fused or dataset.op_type in _SLACK_COMPATIBLE_OPS):
        invalid(
            f'Encountered unsupported op "{dataset.op_type}" when rewriting the input pipeline graph to use slack in '
            "its final prefetch transformation."
        )
    for source in dataset.inputs:
        _check_last_prefetch(source)


class _Composite(Function):
    """Base class of functions composed of two functions."""

    def __init__(self, first: Function, second: Function):
        self._first, self._second = first, second

    @property
    def stateful_ops(self) -> list[str]:
        return [*self._first.stateful_ops, *self._second.stateful_ops]

    def duplicate(self) -> Function:
        return type(self)(self._first.duplicate(), self._second.duplicate())

    def bind(self, run: Run, path: str = "") -> Any:
        first, second = self._first.bind(run, path), self._second.bind(run, path)
        return lambda element: self._results(first, second, element)

    def _results(self, first: Any, second: Any, element: Element) -> Element:
        raise NotImplementedError


class _Chain(_Composite):
    """Applies the second function to the results of the first."""

    def _results(self, first: Any, second: Any, element: Element) -> Element:
        return second(first(element))

    def batched_call(self) -> Any:
        first, second = self._first.batched_call(), self._second.batched_call()
        if first is None or second is None:
            return None
        return lambda elements: second(first(elements))


class _Conjunction(_Composite):
    """Conjunction of two predicates; the second one is evaluated only if the first holds."""

    def _results(self, first: Any, second: Any, element: Element) -> Element:
        results = first(element)
        if len(results) == 1 and np.size(results[0]) == 1 and results[0]:
            return second(element)
        return results


class _FunctionThenPredicate(_Composite):
    """Returns the results of the first function, followed by the value of the predicate for them."""

    def _results(self, first: Any, second: Any, element: Element) -> Element:
        result = first(element)
        return (*result, *second(result))


class _LastComponent(Function):
    """Returns the last component of an element."""

    stateful_ops = ()

    def bind(self, run: Run, path: str = "") -> Any:
        return lambda element: element[-1:]


class _DropLastComponent(Function):
    """Returns an element without its last component."""

    stateful_ops = ()

    def bind(self, run: Run, path: str = "") -> Any:
        return lambda element: element[:-1]
