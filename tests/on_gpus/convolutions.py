"""Small convolutions on a GPU: `python -m tests.on_gpus.convolutions`.

For each dtype and data format, with gradients, captured and not, they are compared with the CPU's: by cuDNN if
installed, then by matrix products. Fails if a result is wrong.
"""

import os
import subprocess
import sys

import numpy as np

import tfmini as tf

SECONDS = 60
LIMITS = {"float16": 1e-2, "float32": 1e-4, "float64": 1e-9}  # relative to the largest element


def outputs(x, w, data_format, kind):
    """A convolution and its gradients."""
    steps = [1, 2, 2, 1] if data_format == "NHWC" else [1, 1, 2, 2]
    function = tf.nn.depthwise_conv2d_native if kind == "depthwise" else tf.nn.conv2d
    y = function(x, w, strides=steps, padding="SAME", data_format=data_format)
    return [y, *tf.gradients(y, [x, w])]


def run(values, data_format, kind, config=None, steps=1):
    """A session's value of it, from the last of several runs."""
    with tf.Graph().as_default(), tf.Session(config=config) as session:
        feed = {tf.placeholder(value.dtype, value.shape): value for value in values}
        fetches = outputs(*feed, data_format, kind)
        for _ in range(steps):
            result = session.run(fetches, feed)
        return result


def differences(dtype, data_format, kind):
    """The largest relative difference from the CPU's, and between captured runs and others."""
    random = np.random.RandomState(0)
    shape = (3, 3, 8, 2) if kind == "depthwise" else (3, 3, 8, 16)
    x, w = random.randn(2, 14, 13, 8), random.randn(*shape)
    off = tf.ConfigProto(device_count={"GPU": 0})
    want = run([x, w], "NHWC", kind, off)
    if data_format == "NCHW":
        x = np.moveaxis(x, -1, 1)
        want[:2] = (np.moveaxis(value, -1, 1) for value in want[:2])
    inputs = [x.astype(dtype), w.astype(dtype)]
    once, captured = (run(inputs, data_format, kind, steps=steps) for steps in (1, 5))
    far = max(np.abs(a - b).max() / np.abs(b).max() for a, b in zip(once, want))
    apart = max(np.abs(a - b).max() for a, b in zip(once, captured))
    return float(far), float(apart)


def check():
    """Prints a line for each kind, dtype and data format; returns whether all are right."""
    by = "windows" if os.environ.get("TFMINI_CUDNN") == "0" else "cuDNN"
    wrong = 0
    for kind in ("convolution", "depthwise"):
        for dtype in LIMITS:
            for data_format in ("NHWC", "NCHW"):
                far, apart = differences(dtype, data_format, kind)
                wrong += not far <= LIMITS[dtype]
                print(
                    f"{by:7} {kind:11} {dtype} {data_format} from the CPU's {far:.1e}"
                    f"{'' if far <= LIMITS[dtype] else ' WRONG'}, captured {apart:.1e} from not captured",
                    flush=True,
                )
    return not wrong


def main():
    os.environ.setdefault("TF_FORCE_GPU_ALLOW_GROWTH", "true")
    if sys.argv[1:] == ["check"]:
        sys.exit(int(not check()))
    command = [sys.executable, "-W", "ignore", "-m", "tests.on_gpus.convolutions", "check"]
    processes = {
        name: subprocess.Popen(command, env={**os.environ, "TFMINI_CUDNN": cudnn})
        for name, cudnn in (("cuDNN", "1"), ("windows", "0"))
    }
    right = {name: process.wait(SECONDS) == 0 for name, process in processes.items()}
    print(", ".join(f"{name}: {'right' if right[name] else 'WRONG'}" for name in right))
    sys.exit(int(not all(right.values())))


if __name__ == "__main__":
    main()
