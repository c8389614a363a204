"""Datasets that only affect how other datasets run: rewrites, monitoring, thread pools, delays."""

from __future__ import annotations

import time
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor

import numpy as np

from tfmini._src.base.errors import invalid
from tfmini._src.graph.op_traits.handle_kinds import THREAD_POOL, Resource
from tfmini._src.graph.opdef import Attr, op_with_handles
from tfmini._src.ops.datasets.dataset_value import (
    ELEMENTS,
    SOURCES,
    Dataset,
    Element,
    Iterator,
    PassThroughDataset,
    PassThroughIterator,
    Run,
    SameSizeDataset,
    dataset_op,
    handle_shape,
    scalar_argument,
    set_declared_types,
)
from tfmini._src.ops.datasets.rewrites import check_slack, copy_types, rewrite
from tfmini._src.ops.operands import dense

op = op_with_handles(**SOURCES, thread_pool=THREAD_POOL)


@op(
    "OptimizeDataset",
    "input_dataset: variant, optimizations: string -> handle: variant",
    infer=handle_shape,
    **ELEMENTS,
    optimization_configs=Attr("list(string)", []),
)
def optimize_dataset_op(xp, input_dataset, optimizations, *, optimization_configs):
    names = {bytes(name) for name in np.ravel(dense(optimizations))}
    if b"slack" in names:
        check_slack(rewrite(input_dataset, names), optimization_configs)
    return copy_types(OptimizedDataset(input_dataset.duplicate(), names), input_dataset)


class OptimizedDataset(SameSizeDataset):
    """A dataset after rewrites, which also apply to the datasets that its functions return.

    The source is a duplicate, because TensorFlow serializes the dataset to a graph for rewriting, once per use.
    """

    def __init__(self, source: Dataset, names: set[bytes]):
        super().__init__(source)
        self.names = names

    def iterate(self, run: Run, path: str) -> Iterator:
        run.rewrite = lambda dataset: rewrite(dataset, self.names)
        return run.rewrite(self.source).iterate(run, path)


@op(
    "ModelDataset",
    "input_dataset: variant -> handle: variant",
    infer=handle_shape,
    algorithm=0,
    cpu_budget=0,
    **ELEMENTS,
)
def model_dataset_op(ctx, input_dataset):
    if ctx.attrs["cpu_budget"] < 0:
        invalid(f"CPU budget must be positive but is {ctx.attrs['cpu_budget']}.")
    return set_declared_types(PassThroughDataset(input_dataset, "Model"), ctx)


@op(
    "MaxIntraOpParallelismDataset",
    "input_dataset: variant, max_intra_op_parallelism: int64 -> handle: variant",
    infer=handle_shape,
    **ELEMENTS,
)
def max_intra_op_parallelism_dataset_op(ctx, input_dataset, max_intra_op_parallelism):
    if scalar_argument(max_intra_op_parallelism, "max_intra_op_parallelism") < 0:
        invalid("`max_intra_op_parallelism` must be >= 0")
    return set_declared_types(PassThroughDataset(input_dataset, "MaxIntraOpParallelism"), ctx)


@op(
    "PrivateThreadPoolDataset",
    "input_dataset: variant, num_threads: int64 -> handle: variant",
    infer=handle_shape,
    **ELEMENTS,
)
def private_thread_pool_dataset_op(ctx, input_dataset, num_threads):
    count = scalar_argument(num_threads, "num_threads")
    if count < 1:
        invalid("`num_threads` must be >= 1")
    return set_declared_types(ThreadPoolDataset(input_dataset, "PrivateThreadPool", count), ctx)


class ThreadPoolDataset(PassThroughDataset):
    """The elements of another dataset whose functions run on a specific thread pool."""

    def __init__(self, source: Dataset, token: str, count: int):
        super().__init__(source, token)
        self._count = count

    def iterate(self, run: Run, path: str) -> Iterator:
        around = run.threads
        run.threads = ThreadPoolExecutor(self._count, "tfmini map")
        try:
            return super().iterate(run, path)
        finally:
            run.threads = around


@op(
    "ThreadPoolDataset",
    "input_dataset: variant, thread_pool: resource -> handle: variant",
    infer=handle_shape,
    stateful=True,
    **ELEMENTS,
)
def thread_pool_dataset_op(ctx, input_dataset, thread_pool):
    return set_declared_types(
        ThreadPoolDataset(input_dataset, "ThreadPool", thread_pool.count), ctx
    )


@op(
    "AssertNextDataset",
    "input_dataset: variant, transformations: string -> handle: variant",
    infer=handle_shape,
    **ELEMENTS,
)
def assert_next_dataset_op(ctx, input_dataset, transformations):
    if np.ndim(transformations) != 1:
        invalid("transformations must be a vector")
    names = [bytes(name).decode("utf-8", "replace") for name in np.ravel(dense(transformations))]
    return set_declared_types(AssertNext(input_dataset, names), ctx)


class AssertNext(PassThroughDataset):
    """The elements of another dataset; asserts that transformations with these names follow after all rewrites."""

    keeps_types = False

    def __init__(self, source: Dataset, names: Sequence[str]):
        super().__init__(source, "AssertNext")
        self._names = names

    def iterate(self, run: Run, path: str) -> Iterator:
        suffixes = path.split("/")[:0:-1]
        if len(self._names) > len(suffixes):
            invalid(
                f"Asserted next {len(self._names)} transformations but encountered only {len(suffixes)}."
            )
        for offset, (expected, actual) in enumerate(zip(self._names, suffixes)):
            if expected != actual:
                invalid(
                    f"Asserted {expected} transformation at offset {offset} but encountered {actual} transformation "
                    "instead."
                )
        return super().iterate(run, path)


class _DelayIterator(PassThroughIterator):
    def __init__(self, inner: Iterator, seconds: float):
        super().__init__(inner)
        self._seconds = seconds

    def next(self) -> Element | None:
        time.sleep(min(self._seconds, _MAX_SECONDS))
        return self._inner.next()


class Delay(SameSizeDataset):
    """Sleeps before each element."""

    iterator, token = _DelayIterator, "/Sleep"


_MAX_SECONDS = 1e8  # seconds (3 years), to avoid overflow of the system's clock


@dataset_op(
    "SleepDataset",
    "input_dataset: variant, sleep_microseconds: int64 -> handle: variant",
    **ELEMENTS,
)
def sleep_dataset_op(ctx, input_dataset, sleep_microseconds):
    pause = scalar_argument(sleep_microseconds, "sleep_microseconds")
    if pause < 0:
        invalid("`sleep_microseconds` must be >= 0")
    return set_declared_types(Delay(input_dataset, pause / 1e6), ctx)


@dataset_op("NonSerializableDataset", "input_dataset: variant -> handle: variant", **ELEMENTS)
def non_serializable_dataset_op(ctx, input_dataset):
    return set_declared_types(DeclaredTypesDataset(input_dataset, "NonSerializable"), ctx)


class DeclaredTypesDataset(PassThroughDataset):
    """The elements of another dataset, with the types declared by the op."""

    keeps_types = False


class Threads(Resource):
    """A named thread pool; each dataset gets as many separate threads as it requests."""

    resource_kind = THREAD_POOL

    def __init__(self, count: int):
        self.count = count


@dataset_op(
    "ThreadPoolHandle",
    "-> handle: resource",
    stateful=True,
    num_threads=Attr("int"),
    max_intra_op_parallelism=1,
    display_name=Attr("string"),
    container="",
    shared_name="",
)
def thread_pool_handle_op(ctx):
    attrs = ctx.attrs
    if attrs["num_threads"] <= 0:
        invalid("`num_threads` must be greater than zero.")
    key = ("thread pool", attrs["container"], attrs["shared_name"] or (ctx.op.name,))
    return ctx.resources.named(key, lambda: Threads(attrs["num_threads"]))
