"""Convolutions on a card: whether they are right, and what a step of them takes.

    python -m tests.on_cards.convolutions                  by cuDNN, where it is found
    TFMINI_CUDNN=0 python -m tests.on_cards.convolutions   by products of windows

For each dtype and data format small ones, with their gradients, are compared with the CPU's, captured and not; steps of
large ones are timed, captured. Fails if a result is wrong. `ci/gpu --first` runs both.
"""

import os
import sys
import time

import numpy as np

import tfmini as tf
from tfmini._src.devices.gpu.process_gpus import session_gpus

STEPS = 20
LARGE = {"batch": 32, "side": 56, "depth": 64}
LIMITS = {"float16": 1e-2, "float32": 1e-4, "float64": 1e-9}  # relative, of the largest element


def outputs(x, w, data_format, kind):
    """A convolution and its gradients."""
    steps = [1, 2, 2, 1] if data_format == "NHWC" else [1, 1, 2, 2]
    function = tf.nn.depthwise_conv2d_native if kind == "depthwise" else tf.nn.conv2d
    y = function(x, w, strides=steps, padding="SAME", data_format=data_format)
    return [y, *tf.gradients(y, [x, w])]


def run(values, data_format, kind, config=None, steps=1):
    """A session's value of it, the last of some times."""
    with tf.Graph().as_default(), tf.Session(config=config) as session:
        feed = {tf.placeholder(value.dtype, value.shape): value for value in values}
        fetches = outputs(*feed, data_format, kind)
        for _ in range(steps):
            found = session.run(fetches, feed)
        return found


def differences(dtype, data_format, kind):
    """The largest difference from the CPU's, relative, and between captured runs and others."""
    random = np.random.RandomState(0)
    shape = (3, 3, 8, 2) if kind == "depthwise" else (3, 3, 8, 16)
    x, w = random.randn(2, 14, 13, 8), random.randn(*shape)
    off = tf.ConfigProto(device_count={"GPU": 0})
    want = run([x, w], "NHWC", kind, off)
    if data_format == "NCHW":
        x = np.moveaxis(x, -1, 1)
        want[:2] = (np.moveaxis(value, -1, 1) for value in want[:2])
    given = [x.astype(dtype), w.astype(dtype)]
    once, captured = (run(given, data_format, kind, steps=steps) for steps in (1, 5))
    far = max(np.abs(a - b).max() / np.abs(b).max() for a, b in zip(once, want))
    apart = max(np.abs(a - b).max() for a, b in zip(once, captured))
    return float(far), float(apart)


def milliseconds(dtype, data_format, kind):
    """Of a step, the median of some after what is captured has been."""
    batch, side, depth = LARGE["batch"], LARGE["side"], LARGE["depth"]
    shape = [batch, side, side, depth] if data_format == "NHWC" else [batch, depth, side, side]
    with tf.Graph().as_default(), tf.Session() as session:
        x = tf.Variable(tf.random_normal(shape, dtype=dtype))
        filters = 1 if kind == "depthwise" else depth
        w = tf.Variable(tf.random_normal([3, 3, depth, filters], dtype=dtype))
        _, of_x, of_w = outputs(x, w, data_format, kind)
        step = [x.assign_sub(of_x * 1e-4).op, w.assign_sub(of_w * 1e-4).op]
        session.run(tf.global_variables_initializer())
        times = []
        for _ in range(STEPS):
            begin = time.perf_counter()
            session.run(step)
            for gpu in session_gpus(None, "").values():
                gpu.compute.synchronize()
            times.append(1e3 * (time.perf_counter() - begin))
        return float(np.median(times[STEPS // 2 :]))


def main():
    os.environ.setdefault("TF_FORCE_GPU_ALLOW_GROWTH", "true")
    wrong = False
    for kind in ("convolution", "depthwise"):
        for dtype in LIMITS:
            for data_format in ("NHWC", "NCHW"):
                far, apart = differences(dtype, data_format, kind)
                wrong = wrong or not far <= LIMITS[dtype]
                took = milliseconds(dtype, data_format, kind)
                print(
                    f"{kind:11} {dtype} {data_format} {took:9.3f} ms, from the CPU's {far:.1e}"
                    f"{' WRONG' if far > LIMITS[dtype] else ''}, captured {apart:.1e} from not captured",
                    flush=True,
                )
    sys.exit(int(wrong))


if __name__ == "__main__":
    main()
