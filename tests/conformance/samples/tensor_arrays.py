"""TensorArrays of all three versions: written, read, joined and split; gradients accumulate."""

import numpy as np

import tfmini as tf
from tests.conformance.samples import Sample
from tfmini._src.graph.opdef import raw

A = np.array([1.0, 2.0], "f")
B = np.array([3.0, -4.0], "f")
AB = np.array([A, B])
TALL = np.array([[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]], "f")
FLOW = np.float32(0)
NOTHING = np.zeros(2, "f")
SIZE = tf.int32.as_numpy_dtype(2)


def new(size=2, **attrs):
    return tuple(raw.TensorArrayV3(tf.constant(size), tf.float32, **attrs))


def second(size=2, **attrs):
    return raw.TensorArrayV2(tf.constant(size), tf.float32, **attrs), tf.constant(FLOW)


def first(size=2, **attrs):
    return raw.TensorArray(tf.constant(size), tf.float32, **attrs), tf.constant(FLOW)


MADE = {"V3": new, "V2": second, "": first}


def with_both(version, **attrs):
    """An array that contains A and B."""
    handle, flow = MADE[version](**attrs)
    write = getattr(raw, "TensorArrayWrite" + version)
    flow = write(handle, 0, A, flow)
    return handle, write(handle, 1, B, flow)


def read_back(version):
    def build(tf):
        handle, flow = with_both(version, clear_after_read=False)
        read = getattr(raw, "TensorArrayRead" + version)
        return [(flow, read(handle, 1, flow, tf.float32), read(handle, 0, flow, tf.float32))]

    return build


def gathered(version, **attrs):
    def build(tf):
        handle, flow = with_both(version)
        gather = getattr(raw, "TensorArrayGather" + version)
        return [gather(handle, [1, 0], flow, tf.float32, **attrs)]

    return build


def scattered(version):
    def build(tf):
        handle, flow = MADE[version](3, dynamic_size=True)
        scatter = getattr(raw, "TensorArrayScatter" + version)
        flow = scatter(handle, [3, 1], AB, flow)
        size = getattr(raw, "TensorArraySize" + version)(handle, flow)
        read = getattr(raw, "TensorArrayRead" + version)
        return [(size, read(handle, 3, flow, tf.float32), read(handle, 1, flow, tf.float32))]

    return build


def split_and_joined(version, **attrs):
    def build(tf):
        handle, flow = MADE[version](element_shape=[None, 2])
        split = getattr(raw, "TensorArraySplit" + version)
        flow = split(handle, TALL, np.array([1, 2]), flow)
        concat = getattr(raw, "TensorArrayConcat" + version)
        return [concat(handle, flow, tf.float32, **attrs)]

    return build


def packed(tf):
    handle, flow = first()
    flow = raw.TensorArrayUnpack(handle, AB, flow)
    return [raw.TensorArrayPack(handle, flow, tf.float32, element_shape=[2])]


def closed(version):
    def build(tf):
        handle, flow = with_both(version)
        value = getattr(raw, "TensorArrayRead" + version)(handle, 0, flow, tf.float32)
        with tf.control_dependencies([value]):
            close = getattr(raw, "TensorArrayClose" + version)(handle)
        with tf.control_dependencies([close]):
            return [tf.identity(value)]

    return build


def gradients(op, version, *shape):
    """Elements of the gradient array written twice are summed; unwritten ones are zero."""

    def build(tf):
        handle, flow = with_both(version)
        made = getattr(raw, op)(handle, flow, *shape, source="gradients")
        if version == "V3":
            made, flow = made
        if version == "":  # the gradient handle is a reference again
            with tf.control_dependencies([made.op]):
                flow = tf.identity(flow)
        write = getattr(raw, "TensorArrayWrite" + version)
        outer = np.ones([*np.ravel(shape).astype(int), 1], "f")
        outer = outer if shape else np.float32(1)
        flow = write(made, 1, outer * A, flow)
        flow = write(made, 1, outer * B, flow)
        read = getattr(raw, "TensorArrayRead" + version)
        return [(read(made, 0, flow, tf.float32), read(made, 1, flow, tf.float32))]

    return build


SAMPLES = [
    Sample(
        "TensorArrayGradWithShape",
        build=gradients("TensorArrayGradWithShape", "V3", [3]),
        expect=(np.zeros([3, 2], "f"), np.ones([3, 1], "f") * (A + B)),
    ),
    Sample("TensorArrayPack", build=packed, expect=AB),
    Sample("TensorArrayUnpack", build=packed, expect=AB),
]
for version in MADE:
    SAMPLES += [
        Sample("TensorArray" + version, build=read_back(version), expect=(FLOW, B, A)),
        Sample("TensorArrayWrite" + version, build=read_back(version), expect=(FLOW, B, A)),
        Sample("TensorArrayRead" + version, build=read_back(version), expect=(FLOW, B, A)),
        Sample("TensorArrayGather" + version, build=gathered(version), expect=AB[::-1]),
        Sample(
            "TensorArrayGather" + version,
            build=gathered(version, element_shape=[2]),
            expect=AB[::-1],
            note="of known shapes",
        ),
        Sample("TensorArrayScatter" + version, build=scattered(version), expect=(4, A, B)),
        Sample("TensorArraySize" + version, build=scattered(version), expect=(4, A, B)),
        Sample(
            "TensorArraySplit" + version,
            build=split_and_joined(version),
            expect=(TALL, np.array([1, 2])),
        ),
        Sample(
            "TensorArrayConcat" + version,
            build=split_and_joined(version, element_shape_except0=[2]),
            expect=(TALL, np.array([1, 2])),
        ),
        Sample("TensorArrayClose" + version, build=closed(version), expect=A),
        Sample(
            "TensorArrayGrad" + version,
            build=gradients("TensorArrayGrad" + version, version),
            expect=(NOTHING, A + B),
        ),
    ]
