"""Text GraphDefs for graph rewriting tools: images, a convolution, a normalization.

Runs under both tfmini and TensorFlow: `python -m tests.programs.compat.tool_graphs FOLDER` writes them as files.
"""

import os
import sys

import numpy as np

PARTS = ("gamma", "beta", "mean", "variance")
EPSILON = 0.25


def values(depthwise=False):
    """The convolution's weights, and gamma, beta, mean and variance, by name."""
    numbers = np.random.RandomState(1)
    shape = (2, 2, 3, 2) if depthwise else (2, 2, 3, 6)
    result = {"weights": numbers.rand(*shape).astype("f")}
    result.update((part, numbers.rand(6).astype("f")) for part in PARTS)
    return result


def node(name, op, *inputs, **attrs):
    lines = [f'name: "{name}" op: "{op}"']
    lines += [f'input: "{each}"' for each in inputs]
    lines += ['attr {{ key: "{}" value {{ {} }} }}'.format(*pair) for pair in sorted(attrs.items())]
    return "node {{ {} }}".format("\n".join(lines))


def constant(name, array):
    dtype = {"f": "DT_FLOAT", "i": "DT_INT32"}[array.dtype.kind]
    field = {"f": "float_val", "i": "int_val"}[array.dtype.kind]
    dims = " ".join(f"dim {{ size: {size} }}" for size in array.shape)
    numbers = " ".join(f"{field}: {number!r}" for number in array.ravel().tolist())
    tensor = f"tensor {{ dtype: {dtype} tensor_shape {{ {dims} }} {numbers} }}"
    return node(name, "Const", dtype=f"type: {dtype}", value=tensor)


FLOAT = {"T": "type: DT_FLOAT"}


def graph(normalization="FusedBatchNorm", depthwise=False, resized=False, padded=False):
    """images -> (big -> padded ->) conv -> bn -> copy -> out, and an unused node."""
    nodes = [node("images", "Placeholder", dtype="type: DT_FLOAT")]
    nodes += [constant(name, array) for name, array in values(depthwise).items()]
    before = "images"
    if resized:
        nodes.append(constant("size", np.array([8, 8], "i")))
        attrs = dict(FLOAT, align_corners="b: true")
        nodes.append(node("big", "ResizeBilinear", before, "size", **attrs))
        before = "big"
    if padded:
        nodes.append(constant("paddings", np.array([[0, 0], [1, 1], [1, 1], [0, 0]], "i")))
        attrs = dict(FLOAT, mode='s: "SYMMETRIC"', Tpaddings="type: DT_INT32")
        nodes.append(node("pad", "MirrorPad", before, "paddings", **attrs))
        before = "pad"
    attrs = dict(FLOAT, strides="list { i: 1 i: 1 i: 1 i: 1 }", padding='s: "SAME"')
    attrs["data_format"] = 's: "NHWC"'
    kind = "DepthwiseConv2dNative" if depthwise else "Conv2D"
    nodes.append(node("conv", kind, before, "weights", **attrs))
    if normalization == "FusedBatchNorm":
        inputs = PARTS
        attrs = dict(FLOAT, epsilon=f"f: {EPSILON!r}", is_training="b: false")
    else:
        inputs = ("mean", "variance", "beta", "gamma")
        scaled = "true" if normalization == "scaled" else "false"
        attrs = dict(FLOAT, variance_epsilon=f"f: {EPSILON!r}")
        attrs["scale_after_normalization"] = "b: " + scaled
        normalization = "BatchNormWithGlobalNormalization"
    nodes.append(node("bn", normalization, "conv", *inputs, **attrs))
    nodes.append(node("copy", "Identity", "bn", **FLOAT))
    nodes.append(node("out", "Relu", "copy", **FLOAT))
    nodes.append(constant("unused", np.array(3, "i")))
    return "\n".join(nodes)


GRAPHS = {
    "fused": {},
    "depthwise": {"depthwise": True},
    "global": {"normalization": "scaled"},
    "unscaled": {"normalization": "unscaled"},
    "resized": {"resized": True},
    "padded": {"padded": True},
    "both": {"resized": True, "padded": True},
}


def write(folder):
    """Writes each graph to a file NAME.pbtxt."""
    for name, options in GRAPHS.items():
        with open(os.path.join(folder, name + ".pbtxt"), "w") as file:
            file.write(graph(**options))


if __name__ == "__main__":
    write(sys.argv[1])
