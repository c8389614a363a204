"""Dataset rewrites: the resulting transformation names, as in TensorFlow 1.15.5, and equal elements."""

import threading

import numpy as np
import pytest

import tfmini as tf
from tfmini._src.data.experimental.rewrite_testing import (
    ChooseFastestDataset,
    assert_next,
    non_serializable,
)
from tfmini._src.data.experimental.thread_pools import PrivateThreadPool, override_threadpool

pytestmark = pytest.mark.usefixtures("eager")

Range = tf.data.Dataset.range


def values(dataset, **rewrites):
    options = tf.data.Options()
    options.experimental_optimization.apply_default_optimizations = False
    options.experimental_optimization.autotune = rewrites.pop("autotune", False)
    for name, value in rewrites.items():
        setattr(options.experimental_optimization, name, value)
    return [each.numpy().tolist() for each in dataset.with_options(options)]


def odd(x):
    return tf.equal(x % 2, 1)


def more(x):
    return x + 1


NAMES = {
    "Map": lambda d: d.map(more),
    "ParallelMap": lambda d: d.map(more, 2),
    "BatchV2": lambda d: d.batch(2),
    "PaddedBatchV2": lambda d: d.padded_batch(2, []),
    "FiniteTake": lambda d: d.take(2),
    "FiniteSkip": lambda d: d.skip(2),
    "FiniteRepeat": lambda d: d.repeat(1),
    "MemoryCacheImpl": lambda d: d.cache(),
    "Prefetch": lambda d: d.prefetch(1),
    "Filter": lambda d: d.filter(odd),
    "Interleave": lambda d: d.interleave(lambda x: Range(x), 2),
    "ParallelInterleaveV2": lambda d: d.interleave(lambda x: Range(x), 2, num_parallel_calls=2),
    "MapAndBatch": lambda d: d.apply(tf.data.experimental.map_and_batch(more, 2)),
    "Zip[0]": lambda d: tf.data.Dataset.zip((d, Range(2))).map(lambda a, b: a),
    "Concatenate[0]": lambda d: d.concatenate(Range(2)),
    "NonSerializable": lambda d: d.apply(non_serializable()),
    "ThreadPool": lambda d: override_threadpool(d, PrivateThreadPool(2)),
}


@pytest.mark.parametrize("name", NAMES)
def test_transformation_names(name):
    make = NAMES[name]
    assert values(make(Range(4).apply(assert_next([name])))) == values(make(Range(4)))


def test_other_names_are_refused():
    refused = Range(2).apply(assert_next(["Whoops"])).map(more)
    with pytest.raises(
        tf.errors.InvalidArgumentError,
        match="Asserted Whoops transformation at offset 0 but encountered Map transformation instead.",
    ):
        values(refused)
    short = Range(2).apply(assert_next(["Map", "Whoops"])).map(more)
    with pytest.raises(
        tf.errors.InvalidArgumentError,
        match="Asserted next 2 transformations but encountered only 1.",
    ):
        values(short)


FUSED = {
    "map_fusion": (["Map", "FiniteTake"], lambda d: d.map(more).map(more).take(3)),
    "filter_fusion": (
        ["Filter", "FiniteTake"],
        lambda d: d.filter(odd).filter(lambda x: x > 1).take(3),
    ),
    "map_and_filter_fusion": (["Map", "Filter", "Map"], lambda d: d.map(more).filter(odd)),
    "map_and_batch_fusion": (["MapAndBatch"], lambda d: d.map(more).batch(2)),
    "map_parallelization": (["ParallelMap"], lambda d: d.map(more)),
    "noop_elimination": (
        ["Prefetch", "FiniteTake"],
        lambda d: d.take(-1).skip(0).repeat(1).prefetch(0).prefetch(1).take(3),
    ),
}


@pytest.mark.parametrize("rewrite", FUSED)
def test_rewrites_preserve_elements(rewrite):
    names, make = FUSED[rewrite]
    result = values(make(Range(9).apply(assert_next(names))), **{rewrite: True})
    assert result == values(make(Range(9)))


def test_capturing_functions_are_not_fused():
    two = tf.constant(2, tf.int64)
    chosen = Range(4).apply(assert_next(["Map", "Filter"])).map(more).filter(lambda x: x < two)
    assert values(chosen, map_and_filter_fusion=True) == [1]


def test_autotuned_buffers_follow_asynchronous_steps():
    names = ["ParallelMap", "Prefetch", "MapAndBatch", "Prefetch", "FiniteTake", "Model"]
    batches = Range(9).apply(assert_next(names)).map(more, 2).map(more, 2).batch(2).take(2)
    settings = {"map_and_batch_fusion": True, "autotune_buffers": True, "autotune": True}
    assert values(batches, **settings) == [[2, 3], [4, 5]]


def test_choose_fastest_dataset():
    assert values(ChooseFastestDataset([Range(3), Range(1, 4).map(lambda x: x - 1)])) == [0, 1, 2]
    for other, text in (
        (tf.data.Dataset.from_tensors(0.0), "must have the same output types."),
        (Range(2), "must have compatible cardinalities"),
        (tf.data.Dataset.from_tensors(np.zeros(3, np.int64)), "must have compatible output shapes"),
    ):
        with pytest.raises(tf.errors.InvalidArgumentError, match=text):
            ChooseFastestDataset([Range(3), other])


@pytest.mark.parametrize("how", ["pool", "option"])
def test_thread_pool_size_is_respected(how):
    def thread(x):
        return np.int64(threading.get_ident())

    numbers = Range(100).map(lambda x: tf.py_func(thread, [x], tf.int64), 16)
    if how == "pool":
        numbers = override_threadpool(numbers, PrivateThreadPool(2))
    else:
        options = tf.data.Options()
        options.experimental_threading.private_threadpool_size = 2
        numbers = numbers.with_options(options)
    assert len({each.numpy() for each in numbers}) <= 2


def test_sloppy_map_returns_available_elements():
    is_open = threading.Event()

    def call(x):
        if x == 0:
            is_open.wait(60)
        return x

    options = tf.data.Options()
    options.experimental_deterministic = False
    numbers = Range(3).map(lambda x: tf.py_func(call, [x], tf.int64), 3).with_options(options)
    iterator = iter(numbers)
    result = {next(iterator).numpy(), next(iterator).numpy()}
    is_open.set()
    assert result == {1, 2} and next(iterator).numpy() == 0
