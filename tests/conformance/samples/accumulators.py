"""Accumulators of dense gradients in both forms, and of sparse ones."""

import numpy as np

import tfmini as tf
from tests.conformance.samples import Sample
from tfmini._src.graph.opdef import raw

ONE, TWO = np.array([1.0, 2.0], np.float32), np.array([3.0, 8.0], np.float32)


def node(name, form, *args, **attrs):
    return getattr(raw, form + name)(*args, **attrs)


def filled(form, finish=(), **attrs):
    """An accumulator with two gradients; then the result of `finish`."""

    def build(_):
        made = node("ConditionalAccumulator", form, dtype=tf.float32, shape=[2], **attrs)
        adds = [node("AccumulatorApplyGradient", form, made, 0, value) for value in (ONE, TWO)]
        return [*adds, *finish(made, form)]

    return build


def taken(made, form):
    return [node("AccumulatorTakeGradient", form, made, 2, dtype=tf.float32)]


def counted(made, form):
    return [node("AccumulatorNumAccumulated", form, made)]


def stepped(made, form):
    old = node("AccumulatorApplyGradient", form, made, 4, ONE)
    return [node("AccumulatorSetGlobalStep", form, made, 5), old, *counted(made, form)]


def rows_of(form):
    mean = (ONE + TWO) / 2
    return [
        Sample(f"{form}ConditionalAccumulator", expect=mean, build=filled(form, taken)),
        Sample(
            f"{form}AccumulatorApplyGradient",
            expect=ONE + TWO,
            build=filled(form, taken, reduction_type="SUM"),
        ),
        Sample(f"{form}AccumulatorTakeGradient", expect=mean, build=filled(form, taken)),
        Sample(f"{form}AccumulatorNumAccumulated", expect=np.int32(2), build=filled(form, counted)),
        Sample(f"{form}AccumulatorSetGlobalStep", expect=np.int32(2), build=filled(form, stepped)),
    ]


def sparse(_):
    made = raw.SparseConditionalAccumulator(dtype=tf.float32, shape=[4, 2])
    adds = [
        raw.SparseAccumulatorApplyGradient(made, 0, numbers, np.stack([ONE, TWO]), [4, 2], True)
        for numbers in ([0, 2], [2, 3])
    ]
    return [*adds, raw.SparseAccumulatorTakeGradient(made, 2, dtype=tf.float32)]


JOINED = (np.array([0, 2, 3]), np.array([ONE, (ONE + TWO) / 2, TWO]), np.array([4, 2]))
SAMPLES = [
    *rows_of(""),
    *rows_of("Resource"),
    Sample("SparseConditionalAccumulator", expect=JOINED, build=sparse),
    Sample("SparseAccumulatorApplyGradient", expect=JOINED, build=sparse),
    Sample("SparseAccumulatorTakeGradient", expect=JOINED, build=sparse),
]
