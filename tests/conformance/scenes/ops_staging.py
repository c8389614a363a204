"""Staging areas: options and names, errors at construction and run time, limits, several sessions, keyed tuples."""

import importlib

import numpy as np

from tests.conformance.scenes.ops_queues import _short_session


def _areas(tf):
    its = tf.__name__ == "tensorflow"
    name = "tensorflow.python.ops.data_flow_ops" if its else "tfmini._src.ops.queues.staging_area"
    module = importlib.import_module(name)
    return module.StagingArea, module.MapStagingArea


def _runs(stage, session, *fetches):
    for fetch in fetches:
        stage.attempt(lambda fetch=fetch: session.run(fetch))


def _made(tf, stage, kind):
    f = tf.float32
    stage.attempts(lambda: kind([f], names=["a", "b"]))


def areas_made(tf, stage):
    Area, Map = _areas(tf)
    f, i = tf.float32, tf.int32
    for kind in (Area, Map):
        _made(tf, stage, kind)
    area = Area([f, i], [[], [2]], shared_name="s", capacity=2, memory_limit=64)
    named = Area([f, i], names=["a", "b"], shared_name="n")
    one, two = tf.constant(1.0), tf.constant([1, 2])
    stage.attempts(
        lambda: area.put([]).name,
        lambda: named.put({"b": two}).name,
        lambda: [t.name for t in area.get("own_get")],
        lambda: [t.name for t in area.peek(0, "own_peek")],
        lambda: area.peek(1.5),
    )
    with tf.device("/gpu:0"):
        far = Area([f], shared_name="far")
        far.put([one])
    stage.say([t.op.type + t.device for t in far.get()], [t.op.type for t in far.peek(0)])
    stage.graph()


def maps_made(tf, stage):
    _, Map = _areas(tf)
    f, i = tf.float32, tf.int32
    area = Map([f, i], [[], [2]], shared_name="m", capacity=2, memory_limit=64)
    named = Map([f, i], names=["a", "b"], shared_name="n", ordered=True)
    one, two, key = tf.constant(1.0), tf.constant([1, 2]), tf.constant(7, tf.int64)
    stage.attempts(
        lambda: area.put(key, [one, two]),
        lambda: area.put(key, [one, two], [0]),
        lambda: area.get()[0].name,
        lambda: [t.name for t in area.get(key, [1], "own_get")[1]],
        lambda: area.get(key, 0),
        lambda: area.get(key, []),
        lambda: area.get(key, ["a"]),
        lambda: area.get(key, [0, "a"]),
        lambda: area.get(key, [5]),
        lambda: [(t.name, str(t.shape)) for t in area.peek(key, [1], "own_peek")],
        lambda: sorted(named.peek(key, ["a"])),
        lambda: [x.name for x in (area.size(), area.incomplete_size(), area.clear())],
        lambda: [x("own").name for x in (named.size, named.incomplete_size, named.clear)],
    )
    stage.graph()


def maps_run(tf, stage):
    _, Map = _areas(tf)
    f, i = tf.float32, tf.int32
    for ordered in (True, False):
        with tf.Graph().as_default():
            stage.say("ordered", ordered)
            area = Map([f, i], [[], []], shared_name="m", ordered=ordered)
            key = tf.placeholder_with_default(tf.constant(1, tf.int64), [])
            at = tf.placeholder_with_default([0, 1], [None])
            whole = area.put(key, [tf.constant(1.5), tf.constant(2)], [0, 1])
            first = area.put(key, [tf.constant(3.5)], [0])
            second = area.put(key, [tf.constant(4)], [1])
            sizes = [area.size(), area.incomplete_size()]
            raw = getattr(tf.raw_ops, "OrderedMapStage" if ordered else "MapStage")
            fed = raw(
                key=key,
                indices=at,
                values=[tf.constant(1.0), tf.constant(2)],
                dtypes=[f, i],
                shared_name="m",
            )
            with _short_session(tf) as session:
                _runs(stage, session, whole, sizes, area.peek(key), area.peek(key, [1]), sizes)
                _runs(stage, session, whole, sizes)
                stage.attempt(session.run, first, {key: 5})
                stage.attempt(session.run, first, {key: 5})
                stage.attempt(session.run, sizes)
                stage.attempt(session.run, second, {key: 5})
                stage.attempt(session.run, sizes)
                stage.attempt(session.run, area.get(key, [0]), {key: 5})
                stage.attempt(session.run, area.get(key, [0]), {key: 5})
                stage.attempt(session.run, sizes)
                stage.attempt(session.run, area.peek(key, [0]), {key: 5})
                stage.attempt(session.run, area.get(key, [1]), {key: 5})
                stage.attempt(session.run, sizes)
                for given in ([1, 0], [0, 0], [[0, 1]]):
                    stage.attempt(session.run, fed, {key: 9, at: given})
                stage.attempt(session.run, sizes)
                if ordered:
                    for number in (8, -3, 4):
                        session.run(whole, {key: number})
                    for _ in range(3):
                        _runs(stage, session, area.get())
                _runs(stage, session, area.clear(), sizes)
            with _short_session(tf) as session:
                _runs(stage, session, sizes)


def limits(tf, stage):
    Area, Map = _areas(tf)
    f = tf.float32
    value = tf.placeholder(f, [None])
    area = Area([f], shared_name="a", capacity=3, memory_limit=16)
    put, got, size = area.put([value]), area.get(), area.size()
    with _short_session(tf) as session:
        for count in (5, 4):
            stage.attempt(session.run, put, {value: np.zeros(count)})
        _runs(stage, session, size, got)
        for count in (3, 1, 0):
            stage.attempt(session.run, put, {value: np.ones(count)})
        _runs(stage, session, area.peek(1), area.peek(2), area.clear())
        stage.attempt(session.run, put, {value: np.ones(4)})
        _runs(stage, session, size, got)
    key = tf.placeholder(tf.int64, [])
    by_key = Map([f, f], shared_name="b", capacity=2, memory_limit=16)
    whole = by_key.put(key, [value, value], [0, 1])
    sizes = [by_key.size(), by_key.incomplete_size()]
    with _short_session(tf) as session:
        stage.attempt(session.run, whole, {key: 1, value: np.zeros(5)})
        stage.attempt(session.run, whole, {key: 3, value: np.zeros(3)})
        stage.attempt(session.run, whole, {key: 1, value: np.zeros(1)})
        stage.attempt(session.run, sizes)


def of_other_kinds(tf, stage):
    raw = tf.raw_ops
    s = {"shared_name": "s"}
    with _short_session(tf) as session:
        put = raw.Stage(values=[tf.constant([1.0, 2.0]), tf.constant("a")], **s)
        _runs(stage, session, put, raw.StageSize(dtypes=[], **s))
        _runs(stage, session, raw.StagePeek(index=0, dtypes=[tf.float32, tf.string], **s))
        _runs(stage, session, raw.Unstage(dtypes=[tf.float32, tf.string], **s))
        _runs(stage, session, raw.StageSize(dtypes=[], container="other", **s))
        _runs(stage, session, put, put, raw.StageClear(dtypes=[], **s))
        _runs(stage, session, raw.StageSize(dtypes=[tf.int32], **s))
        own = raw.Stage(values=[tf.constant(5)], name="own")
        _runs(stage, session, own, raw.StageSize(dtypes=[], shared_name="own"))
    stage.attempts(lambda: raw.MapSize(dtypes=[]).shape)
