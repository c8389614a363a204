"""Stacks: last in, first out; a closed one is read before closing."""

import numpy as np

import tfmini as tf
from tests.conformance.samples import Sample
from tfmini._src.graph.opdef import raw

A = np.array([[1.0, -2.0], [0.5, 3.0]], "f")
B = np.array([7.0, 8.0, 9.0], "f")


def in_order(*makers):
    """The results of the functions, each dependent on the previous one."""
    results = []
    for make in makers:
        with tf.control_dependencies(results[-1:]):
            results.append(make())
    return results


def new(tf):
    stack = raw.StackV2(tf.constant(-1), elem_type=tf.float32)
    return stack, raw.StackPushV2, raw.StackPopV2, raw.StackCloseV2


def old(tf):
    return raw.Stack(elem_type=tf.float32), raw.StackPush, raw.StackPop, raw.StackClose


def used(made):
    def build(tf):
        stack, push, pop, close = made(tf)
        results = in_order(
            lambda: push(stack, A),
            lambda: push(stack, B),
            lambda: pop(stack, tf.float32),
            lambda: pop(stack, tf.float32),
            lambda: close(stack),
        )
        return [tuple(results[:4])]

    return build


SAMPLES = [
    Sample(op, build=used(made), expect=(A, B, B, A))
    for made, ops in (
        (new, ("StackV2", "StackPushV2", "StackPopV2", "StackCloseV2")),
        (old, ("Stack", "StackPush", "StackPop", "StackClose")),
    )
    for op in ops
]
