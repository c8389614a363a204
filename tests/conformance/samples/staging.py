"""Staging areas, ordered and keyed: put, peeked at, counted, taken, cleared."""

import numpy as np

import tfmini as tf
from tests.conformance.samples import Sample
from tfmini._src.graph.opdef import raw

X, Y = np.array([1.0, 2.0], np.float32), np.array(7, np.int32)
TYPES = {"dtypes": [tf.float32, tf.int32], "shared_name": "area"}


def in_order(*after):
    """Two tuples are put; then the result of `after`."""

    def build(_):
        puts = [raw.Stage([value, Y], shared_name="area") for value in (X, X * 2)]
        return [*puts, *(make() for make in after)]

    return build


def unstage():
    return raw.Unstage(**TYPES)


def by_key(prefix, after):
    """Keys 5 and 3 are put, and a part of 4; then the result of `after`."""

    def node(name, *args, **attrs):
        return getattr(raw, prefix + name)(*args, **{**TYPES, **attrs})

    def build(_):
        puts = [node("MapStage", key, [0, 1], [X * key, Y]) for key in (3, 5)]
        return [*puts, node("MapStage", 4, [1], [Y]), *after(node)]

    return build


def any_key(node):
    return [node("MapUnstageNoKey", [0], dtypes=[tf.float32]).values[0]]


def rows_of(prefix):
    def row(name, expect, after):
        return Sample(f"{prefix}{name}", expect=expect, build=by_key(prefix, after))

    three = (X * 3, Y)
    return [
        row("MapStage", three, lambda node: [node("MapUnstage", 3, [0, 1])]),
        row("MapUnstage", Y, lambda node: [node("MapUnstage", 5, [1], dtypes=[tf.int32])]),
        row("MapUnstageNoKey", X * 3, any_key),
        row("MapPeek", X * 5, lambda node: [node("MapPeek", 5, [0], dtypes=[tf.float32])]),
        row("MapSize", np.int32(2), lambda node: [node("MapSize")]),
        row("MapIncompleteSize", np.int32(1), lambda node: [node("MapIncompleteSize")]),
        row("MapClear", np.int32(0), lambda node: [node("MapClear"), node("MapSize")]),
    ]


SAMPLES = [
    Sample("Stage", expect=(X, Y), build=in_order(unstage)),
    Sample("Unstage", expect=(X * 2, Y), build=in_order(unstage, unstage)),
    Sample("StagePeek", expect=(X * 2, Y), build=in_order(lambda: raw.StagePeek(1, **TYPES))),
    Sample("StageSize", expect=np.int32(2), build=in_order(lambda: raw.StageSize(**TYPES))),
    Sample(
        "StageClear",
        expect=np.int32(0),
        build=in_order(lambda: raw.StageClear(**TYPES), lambda: raw.StageSize(**TYPES)),
    ),
    *rows_of(""),
    *rows_of("Ordered"),
]
