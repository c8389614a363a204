"""Queues in both forms: created, filled, read, closed."""

import numpy as np

from tests.conformance.samples import Sample
from tfmini._src.graph.opdef import raw

ROWS = np.array([[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]], np.float32)
NUMBERS = np.array([3, 1, 2])


def queue(tf, form, kind="FIFOQueue", types=None, shapes=((2,),), **attrs):
    types = [tf.float32] if types is None else types
    made = getattr(raw, kind + form)(
        component_types=types, shapes=list(shapes), capacity=5, **attrs
    )
    return made


def node(name, form, *args, **attrs):
    return getattr(raw, name + form)(*args, **attrs)


def put(made, form, rows=ROWS):
    return node("QueueEnqueueMany", form, made, [rows])


def taken(kind, form, shapes=((2,),), **attrs):
    """A queue of that kind, filled, and all its rows except those that it retains."""

    def build(tf):
        made = queue(tf, form, kind, shapes=shapes, **attrs)
        return [put(made, form), node("QueueDequeueMany", form, made, 2, [tf.float32])]

    return build


def single(name, form):
    """One element enqueued and dequeued; with more than one op between them."""

    def build(tf):
        made = queue(tf, form)
        fill = node("QueueEnqueue", form, made, [ROWS[1]])
        if name == "QueueDequeue" or name == "QueueEnqueue":
            return [fill, node("QueueDequeue", form, made, [tf.float32])]
        if name == "QueueDequeueUpTo":
            closed = node("QueueClose", form, made)
            return [fill, closed, node(name, form, made, 3, [tf.float32])]
        if name == "QueueIsClosed" or name == "QueueClose":
            return [node("QueueClose", form, made), node("QueueIsClosed", form, made)]
        return [fill, node(name, form, made)]

    return build


def by_priority(form):
    def build(tf):
        made = queue(tf, form, "PriorityQueue", types=[tf.int64], shapes=[()])
        fill = node("QueueEnqueueMany", form, made, [NUMBERS, NUMBERS * 10])
        return [fill, node("QueueDequeueMany", form, made, 3, [tf.int64, tf.int64])]

    return build


def rows_of(form):
    return [
        Sample(f"FIFOQueue{form}", expect=ROWS[:2], build=taken("FIFOQueue", form)),
        Sample(
            f"PaddingFIFOQueue{form}",
            expect=ROWS[:2],
            build=taken("PaddingFIFOQueue", form, shapes=[[None]]),
        ),
        Sample(
            f"RandomShuffleQueue{form}",
            expect=ROWS[:0:-1],
            build=taken("RandomShuffleQueue", form, seed=1, seed2=5, min_after_dequeue=1),
        ),
        Sample(
            f"PriorityQueue{form}",
            expect=(np.array([1, 2, 3]), np.array([10, 20, 30])),
            build=by_priority(form),
        ),
        Sample(f"QueueEnqueue{form}", expect=ROWS[1], build=single("QueueEnqueue", form)),
        Sample(f"QueueEnqueueMany{form}", expect=ROWS[:2], build=taken("FIFOQueue", form)),
        Sample(f"QueueDequeue{form}", expect=ROWS[1], build=single("QueueDequeue", form)),
        Sample(f"QueueDequeueMany{form}", expect=ROWS[:2], build=taken("FIFOQueue", form)),
        Sample(f"QueueDequeueUpTo{form}", expect=ROWS[1:2], build=single("QueueDequeueUpTo", form)),
        Sample(f"QueueClose{form}", expect=np.bool_(True), build=single("QueueClose", form)),
        Sample(f"QueueIsClosed{form}", expect=np.bool_(True), build=single("QueueIsClosed", form)),
        Sample(f"QueueSize{form}", expect=np.int32(1), build=single("QueueSize", form)),
    ]


SAMPLES = [*rows_of("V2"), *rows_of("")]
