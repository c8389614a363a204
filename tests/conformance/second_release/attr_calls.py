"""Calls of 1.15.5's ops with attrs of later releases, and a recording of their results in TensorFlow 2.

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
PICTURES = (IMAGES[:, :3, :4, :1] * 100).round()
TURNS = np.array([[0.8, 0.6, -2, -0.6, 0.8, 1.5, 0.01, 0], [1, 0, 9, 0, -1, -7, 0, 0]], "f")
SEEN = {"images": PICTURES, "transforms": TURNS, "output_shape": np.array([5, 6], "i")}
LOGITS = np.cos(np.arange(5 * 2 * 4) ** 2.0).astype("f").reshape(5, 2, 4)
SLICES = {"min_range": np.array([-1, 0.1, -2], "f"), "max_range": np.array([1, 0.5, -1], "f")}
ENDS = {"min_range": np.float32(-1.5), "max_range": np.float32(0.5)}
THIRDS = (IMAGES[0, :, :3] * 2).astype("f")
BOTH = {"input_min": np.array([-1, 0.1, -2], "f"), "input_max": np.array([1, 0.5, -1], "f")}
BYTES = np.arange(-128, 127, 9, dtype="i1")[:24].reshape(2, 3, 4)
CUBE = np.sin(np.arange(2 * 4 * 6)).reshape(2, 4, 6)


def largest(x):
    """MaxPool with POOL, in NumPy."""
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

# (op, inputs in order, attrs)
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
    *(("ImageProjectiveTransformV2", SEEN, {"fill_mode": mode, "interpolation": way})
      for mode in ("REFLECT", "WRAP", "NEAREST") for way in ("NEAREST", "BILINEAR")),
    *(("ImageProjectiveTransformV3", SEEN | {"fill_value": np.float32(7)}, {"fill_mode": mode, "interpolation": way})
      for mode in ("CONSTANT", "REFLECT") for way in ("NEAREST", "BILINEAR")),
    *(("CTCGreedyDecoder", {"inputs": LOGITS, "sequence_length": np.array([5, 3], "i")},
       {"blank_index": blank, "merge_repeated": True}) for blank in (0, 1, -2)),
    *(("QuantizeV2", {"input": THIRDS, **SLICES}, {"T": kind, "mode": mode, "axis": 1})
      for kind, mode in (("qint8", "SCALED"), ("quint8", "MIN_COMBINED"))),
    *(("QuantizeV2", {"input": THIRDS, **ENDS}, {"T": "qint8", "mode": mode, **more})
      for mode in ("SCALED", "MIN_COMBINED", "MIN_FIRST")
      for more in ({"narrow_range": True}, {"ensure_minimum_range": 2.0})),
    *(("Dequantize", {"input": BYTES, **SLICES}, {"T": "qint8", "mode": mode, "axis": 1})
      for mode in ("SCALED", "MIN_COMBINED")),
    *(("Dequantize", {"input": BYTES, **ENDS}, {"T": "qint8", "mode": mode, "narrow_range": True})
      for mode in ("SCALED", "MIN_COMBINED")),
    *(("QuantizeAndDequantizeV2", {"input": THIRDS, "input_min": np.float32(0), "input_max": np.float32(0)},
       {"axis": 1, "narrow_range": narrow}) for narrow in (True, False)),
    ("QuantizeAndDequantizeV3", {"input": THIRDS, **BOTH, "num_bits": np.int32(4)}, {"axis": 1}),
]  # fmt: skip


def write(path):
    import tensorflow as tf  # noqa: PLC0415  there alone

    found = {}
    for number, (name, inputs, attrs) in enumerate(CALLS):
        tensors = {key: tf.constant(value) for key, value in inputs.items()}
        if name == "Dequantize":
            tensors["input"] = tf.bitcast(tensors["input"], attrs["T"])
        given = {k: getattr(tf, v) if hasattr(tf, str(v)) else v for k, v in attrs.items()}
        given.pop("Tsegmentids", None)  # inferred from the input
        if name == "Dequantize":
            given.pop("T")
        result = getattr(tf.raw_ops, name)(**tensors, **given)
        for place, value in enumerate(result if isinstance(result, tuple) else [result]):
            is_quantized = "q" in value.dtype.name
            value = tf.bitcast(value, value.dtype.name.replace("q", "")) if is_quantized else value
            found[f"{number}/{place}"] = value.numpy()
    np.savez_compressed(path, **found)


if __name__ == "__main__":
    write(sys.argv[1])
