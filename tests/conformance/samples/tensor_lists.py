"""Tensor lists and optional values: their contents after a few steps."""

import numpy as np

from tests.conformance.samples import Sample
from tfmini._src.graph.opdef import raw

ROWS = np.array([[1.0, -2.0, 3.0], [0.5, 4.0, -1.0]], "f")
WIDTH = np.array([3], np.int32)
ANY_WIDTH = np.array([-1], np.int32)


def rows(tf, shape=WIDTH):
    """A list of two vectors."""
    return raw.TensorListFromTensor(ROWS, shape)


def read(held, count=-1):
    """All items of a list of vectors."""
    return raw.TensorListStack(held, WIDTH, np.float32, count)


def build(make):
    return {"build": lambda tf: [make(tf)]}


def empty(tf):
    held = raw.EmptyTensorList(WIDTH, 2, np.float32)
    return read(raw.TensorListPushBack(raw.TensorListPushBack(held, ROWS[1]), ROWS[0]))


def reserved(tf):
    return read(raw.TensorListSetItem(raw.TensorListReserve(WIDTH, 3, np.float32), 1, ROWS[0]))


def popped(tf):
    shorter, last = raw.TensorListPopBack(rows(tf), -1, np.float32)
    return read(shorter), last


def older_versions(tf):
    """A list is unaffected by lists derived from it."""
    first = rows(tf)
    second = raw.TensorListPushBack(first, ROWS[0] * 2)
    third = raw.TensorListSetItem(first, 0, ROWS[1] * 3)
    fourth, _ = raw.TensorListPopBack(second, WIDTH, np.float32)
    fifth = raw.TensorListSetItem(fourth, 1, ROWS[0])
    return tuple(read(held) for held in (third, first, fifth, second, fourth))


def sizes(tf):
    parts = raw.TensorListSplit(ROWS[0], ANY_WIDTH, np.array([1, 2], np.int64))
    return raw.TensorListConcat(parts, np.float32)


def joined(tf):
    parts = raw.TensorListSplit(ROWS[0], ANY_WIDTH, np.array([2, 0, 1], np.int64))
    return raw.TensorListConcatV2(parts, ANY_WIDTH, np.array([], np.int64), np.float32)


def batch(tf):
    lists = tf.stack([rows(tf), raw.TensorListResize(rows(tf), 1)])
    one, other = tf.unstack(raw.TensorListPushBackBatch(lists, ROWS), num=2)
    return read(one), read(other)


def scattered(op, *more):
    return lambda tf: read(getattr(raw, op)(ROWS, np.array([2, 0], np.int32), WIDTH, *more))


def optional(tf):
    held = raw.OptionalFromValue([ROWS, np.int32(4)])
    return (
        raw.OptionalHasValue(held),
        *raw.OptionalGetValue(held, [np.float32, np.int32], [[2, 3], []]),
    )


def without(tf):
    return raw.OptionalHasValue(raw.OptionalNone())


ZERO = np.zeros(3, "f")
GIVEN = (np.bool_(True), ROWS, np.int32(4))
SAMPLES = [
    Sample("EmptyTensorList", **build(empty), expect=ROWS[::-1]),
    Sample("TensorListPushBack", **build(empty), expect=ROWS[::-1]),
    Sample("TensorListReserve", **build(reserved), expect=np.stack([ZERO, ROWS[0], ZERO])),
    Sample("TensorListSetItem", **build(reserved), expect=np.stack([ZERO, ROWS[0], ZERO])),
    Sample("TensorListPopBack", **build(popped), expect=(ROWS[:1], ROWS[1])),
    Sample(
        "TensorListStack",
        **build(older_versions),
        expect=(
            np.stack([ROWS[1] * 3, ROWS[1]]),
            ROWS,
            np.stack([ROWS[0], ROWS[0]]),
            np.stack([ROWS[0], ROWS[1], ROWS[0] * 2]),
            ROWS,
        ),
    ),
    Sample("TensorListFromTensor", **build(lambda tf: read(rows(tf))), expect=ROWS),
    Sample("TensorListLength", **build(lambda tf: raw.TensorListLength(rows(tf))), expect=2),
    Sample(
        "TensorListElementShape",
        **build(lambda tf: raw.TensorListElementShape(rows(tf, ANY_WIDTH), np.int64)),
        expect=np.array([-1]),
    ),
    Sample(
        "TensorListGetItem",
        **build(lambda tf: raw.TensorListGetItem(rows(tf), 1, WIDTH, np.float32)),
        expect=ROWS[1],
    ),
    Sample(
        "TensorListResize",
        **build(lambda tf: read(raw.TensorListResize(rows(tf), 3))),
        expect=np.stack([*ROWS, ZERO]),
    ),
    Sample(
        "TensorListConcatLists",
        **build(lambda tf: read(raw.TensorListConcatLists(rows(tf), rows(tf), np.float32))),
        expect=np.concatenate([ROWS, ROWS]),
    ),
    Sample("TensorListPushBackBatch", **build(batch), expect=(np.stack([*ROWS, ROWS[0]]), ROWS)),
    Sample(
        "TensorListGather",
        **build(
            lambda tf: raw.TensorListGather(
                rows(tf), np.array([1, 1, 0], np.int32), WIDTH, np.float32
            )
        ),
        expect=ROWS[[1, 1, 0]],
    ),
    Sample(
        "TensorListScatter",
        **build(scattered("TensorListScatter")),
        expect=np.stack([ROWS[1], ZERO, ROWS[0]]),
    ),
    Sample(
        "TensorListScatterV2",
        **build(scattered("TensorListScatterV2", 4)),
        expect=np.stack([ROWS[1], ZERO, ROWS[0], ZERO]),
    ),
    Sample(
        "TensorListScatterIntoExistingList",
        **build(
            lambda tf: read(
                raw.TensorListScatterIntoExistingList(
                    rows(tf), ROWS[:1] * 5, np.array([1], np.int32)
                )
            )
        ),
        expect=np.stack([ROWS[0], ROWS[0] * 5]),
    ),
    Sample("TensorListConcat", **build(sizes), expect=(ROWS[0], np.array([1, 2]))),
    Sample("TensorListConcatV2", **build(joined), expect=(ROWS[0], np.array([2, 0, 1]))),
    Sample("TensorListSplit", **build(joined), expect=(ROWS[0], np.array([2, 0, 1]))),
    Sample("OptionalFromValue", **build(optional), expect=GIVEN),
    Sample("OptionalGetValue", **build(optional), expect=GIVEN),
    Sample("OptionalHasValue", **build(without), expect=np.bool_(False)),
    Sample("OptionalNone", **build(without), expect=np.bool_(False)),
    Sample(
        "AddN",
        **build(lambda tf: read(raw.AddN([rows(tf), rows(tf), rows(tf)]))),
        expect=3 * ROWS,
        note="of lists",
    ),
    Sample(
        "ZerosLike",
        **build(lambda tf: read(raw.ZerosLike(rows(tf)))),
        expect=0 * ROWS,
        note="of a list",
    ),
]
