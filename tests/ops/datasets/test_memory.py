"""Iterator memory: a long run retains nothing per element, and a dropped session ends its threads and generators."""

import gc
import tracemalloc
import weakref

import numpy as np
import pytest

import tfmini as tf
from tests.support.waiting import no_thread_stays, until
from tfmini._src.graph.graphdef import function_bodies


def pipelines():
    D = tf.data.Dataset
    rows = np.zeros([50, 10])
    return {
        "rows": D.from_tensor_slices(rows).shuffle(20).repeat().batch(100),
        "functions": D.range(10**9).map(lambda x: x + 1).filter(lambda x: x > 0).batch(100),
        "inner": D.range(10**9)
        .flat_map(lambda x: D.range(100).shuffle(9, seed=1).map(lambda y: y + x))
        .batch(100),
        "generator": D.from_generator(lambda: iter(rows), tf.float64, [10]).repeat().batch(100),
        "threads": D.range(10**9).batch(100).map(lambda x: x + 1, 2).prefetch(2),
    }


def test_inner_dataset_functions_compile_once(monkeypatch):
    compiled = []
    build_body = function_bodies.build_body
    monkeypatch.setattr(
        function_bodies, "build_body", lambda *of: compiled.append(of) or build_body(*of)
    )
    with tf.Graph().as_default(), tf.Session() as session:
        following = tf.data.make_one_shot_iterator(pipelines()["inner"]).get_next()
        session.run(following)
        before = len(compiled)
        for _ in range(3):
            session.run(following)
    assert before and len(compiled) == before


@pytest.mark.parametrize("name", pipelines())
def test_memory_stays_flat(name):
    with tf.Graph().as_default():
        following = tf.data.make_one_shot_iterator(pipelines()[name]).get_next()
        with tf.Session() as session:
            for _ in range(10):
                session.run(following.op)
            tracemalloc.start()
            try:
                before = tracemalloc.get_traced_memory()[0]
                for _ in range(40):
                    session.run(following.op)
                grown = tracemalloc.get_traced_memory()[0] - before
            finally:
                tracemalloc.stop()
    assert grown < 60_000  # 4,000 elements


def test_deleted_cache_is_empty(eager):
    raw, kinds = tf.raw_ops, {"output_types": [tf.int64], "output_shapes": [()]}
    handle, deleter = raw.AnonymousMemoryCache()
    source, held = tf.data.Dataset.range(1)._variant_tensor, handle._array
    cached = raw.CacheDatasetV2(input_dataset=source, filename="", cache=handle, **kinds)
    raw.DatasetToSingleElement(dataset=cached, **kinds)
    assert len(held.elements) == 1
    raw.DeleteMemoryCache(handle=handle, deleter=deleter)
    assert not held.elements


def threaded(elements):
    """Pipelines over a generator; their threads reference its function, plan and graph."""
    experimental = tf.data.experimental

    def inner(x):
        return elements.map(lambda y: x + y).prefetch(1)

    return {
        "prefetch": elements.prefetch(1),
        "batch": elements.batch(4).prefetch(1),
        "shuffle": elements.shuffle(4).repeat().prefetch(1),
        "cache": elements.take(4).cache().repeat().prefetch(1),
        "unbatch": elements.batch(2).apply(experimental.unbatch()).prefetch(1),
        "map": elements.map(lambda x: x + 1, num_parallel_calls=2).prefetch(1),
        "map_and_batch": elements.apply(experimental.map_and_batch(lambda x: x + 1, 4, 2)),
        "interleave": elements.interleave(inner, 2),
        "parallel interleave": elements.interleave(inner, 2, num_parallel_calls=2),
        "sloppy interleave": elements.apply(experimental.parallel_interleave(inner, 2)),
        "sample": experimental.sample_from_datasets([elements.prefetch(1), elements.prefetch(1)]),
        "zip": tf.data.Dataset.zip((elements.prefetch(1), elements.prefetch(1))),
        "device": elements.apply(experimental.prefetch_to_device("/cpu:0", 2)),
        "statistics": elements.apply(experimental.latency_stats("ms")).prefetch(1),
    }


def generator_of_zeros(alive):
    def generator():
        alive.add(this := object())
        try:
            while True:
                yield 0.0
        finally:
            alive.remove(this)

    return tf.data.Dataset.from_generator(generator, tf.float64, [])


@pytest.mark.parametrize("name", threaded(tf.data.Dataset.range(1)))
def test_dropped_session_ends_its_pipeline(name):
    def run(alive):
        with tf.Graph().as_default() as graph:
            iterator = tf.data.make_initializable_iterator(
                threaded(generator_of_zeros(alive))[name]
            )
            following = iterator.get_next()
            session = tf.Session()  # it is never closed
            session.run(iterator.initializer)
            for _ in range(3):
                session.run(following)
            return weakref.ref(graph)

    def is_over():
        gc.collect()
        return not alive and all(graph() is None for graph in graphs)

    alive = set()
    with no_thread_stays():
        graphs = [run(alive) for _ in range(3)]
        until(is_over)
