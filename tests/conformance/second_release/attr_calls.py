"""Calls of ops of 1.15.5 with attrs that releases after it added, and in TensorFlow 2 a record of what each gives.

usage: python attr_calls.py FILE      (a Python with TensorFlow 2: writes FILE, an npz of results, by "NUMBER/OUTPUT")
"""

import sys

import numpy as np

ROWS = np.arange(20, dtype="f").reshape(5, 4) / 3
IMAGES = ((np.arange(2 * 5 * 6 * 2) * 37 % 101) / 50 - 1).astype("f").reshape(2, 5, 6, 2)
FILTER = ((np.arange(3 * 2 * 2 * 2) * 29 % 53) / 20 - 1).astype("f").reshape(3, 2, 2, 2)
PADS = [0, 0, 1, 0, 1, 1, 0, 0]
SEGMENTS = {"indices": np.array([4, 0, 1, 1]), "segment_ids": np.array([0, 0, 2, 2], "i8")}
WIDE = {"Tsegmentids": "int64"}
VECTORS = {"scale": np.array([1.0, 2.0], "f"), "offset": np.array([0.5, -1.0], "f")}
RUNNING = {"mean": np.array([1.0, -3.0], "f"), "variance": np.array([2.0, 0.25], "f")}
NORM = {"x": IMAGES, **VECTORS, **RUNNING}
POOL = {
    "ksize": [1, 3, 2, 1],
    "strides": [1, 2, 1, 1],
    "padding": "EXPLICIT",
    "explicit_paddings": PADS,
}
EACH = {"strides": [1, 1, 1, 1], "padding": "EXPLICIT", "explicit_paddings": PADS}
POINTS = np.array([[0, 1], [7, 0], [-1, 2], [2, 3]], "i")
IGNORED = {"bad_indices_policy": "IGNORE"}
CUBE = np.sin(np.arange(2 * 4 * 6)).reshape(2, 4, 6)


def largest(x):
    """MaxPool with POOL, in numpy."""
    padded = np.pad(x, list(zip(PADS[::2], PADS[1::2])), constant_values=-np.inf)
    rows = range(0, padded.shape[1] - 2, 2)
    return np.stack(
        [
            np.stack(
                [padded[:, i : i + 3, j : j + 2].max((1, 2)) for j in range(padded.shape[2] - 1)], 1
            )
            for i in rows
        ],
        1,
    )


POOLED = largest(IMAGES)
CONVOLVED = np.cos(np.arange(2 * 4 * 7 * 4, dtype="f")).reshape(2, 4, 7, 4)

# (op, inputs in their order, attrs)
CALLS = [
    *((f"SparseSegment{kind}", {"data": ROWS, **SEGMENTS}, WIDE) for kind in ("Sum", "Mean", "SqrtN")),
    *((f"SparseSegment{kind}WithNumSegments", {"data": ROWS, **SEGMENTS, "num_segments": np.int32(4)}, WIDE)
      for kind in ("Sum", "Mean", "SqrtN")),
    *((f"SparseSegment{kind}Grad", {"grad": ROWS[:3], **SEGMENTS, "output_dim0": np.int32(5)}, WIDE)
      for kind in ("Mean", "SqrtN")),
    *((f"FusedBatchNorm{version}", NORM, {"exponential_avg_factor": 0.25, "epsilon": 0.01, "is_training": training})
      for version in ("", "V2", "V3") for training in (True, False)),
    *(("TopKV2", {"input": ROWS % 2, "k": np.array(3, kind)}, {"index_type": index})
      for kind, index in (("i", "int64"), ("i2", "int32"), ("i8", "int16"))),
    ("MaxPool", {"input": IMAGES}, POOL),
    ("MaxPool", {"input": (IMAGES * 50).astype("i")}, POOL),
    ("MaxPoolGrad", {"orig_input": IMAGES, "orig_output": POOLED, "grad": np.cos(POOLED)}, POOL),
    ("DepthwiseConv2dNative", {"input": IMAGES, "filter": FILTER}, EACH),
    ("DepthwiseConv2dNativeBackpropInput",
     {"input_sizes": np.array(IMAGES.shape, "i"), "filter": FILTER, "out_backprop": CONVOLVED}, EACH),
    ("DepthwiseConv2dNativeBackpropFilter",
     {"input": IMAGES, "filter_sizes": np.array(FILTER.shape, "i"), "out_backprop": CONVOLVED}, EACH),
    ("GatherNd", {"params": ROWS, "indices": POINTS}, IGNORED),
    ("GatherNd", {"params": ROWS, "indices": POINTS[:, None, :1]}, IGNORED),
    ("GatherNd", {"params": ROWS, "indices": POINTS[:1]}, {"bad_indices_policy": "ERROR"}),
    ("ScatterNd", {"indices": POINTS, "updates": ROWS[0], "shape": np.array([5, 4], "i")}, IGNORED),
    *((f"TensorScatter{kind}", {"tensor": ROWS, "indices": POINTS[:, :1], "updates": -ROWS[:4]}, IGNORED)
      for kind in ("Add", "Sub", "Update")),
    *((f"RFFT{rank}", {"input": CUBE, "fft_length": np.array(CUBE.shape[-count:], "i")},
       {"Tcomplex": "complex128"}) for count, rank in enumerate(("", "2D", "3D"), 1)),
    *((f"IRFFT{rank}", {"input": CUBE + 1j, "fft_length": np.array([*CUBE.shape[:2], 10][-count:], "i")},
       {"Treal": "float64"}) for count, rank in enumerate(("", "2D", "3D"), 1)),
]  # fmt: skip


def write(path):
    import tensorflow as tf  # noqa: PLC0415  there alone

    found = {}
    for number, (name, inputs, attrs) in enumerate(CALLS):
        tensors = {key: tf.constant(value) for key, value in inputs.items()}
        given = {k: getattr(tf, v) if hasattr(tf, str(v)) else v for k, v in attrs.items()}
        given.pop("Tsegmentids", None)  # inferred from the input
        result = getattr(tf.raw_ops, name)(**tensors, **given)
        for place, value in enumerate(result if isinstance(result, tuple) else [result]):
            found[f"{number}/{place}"] = value.numpy()
    np.savez_compressed(path, **found)


if __name__ == "__main__":
    write(sys.argv[1])
