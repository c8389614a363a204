"""Calls of ops added after 1.15, and a recording of their results in TensorFlow 2.

usage: python op_calls.py FILE      (a Python with TensorFlow 2: writes FILE, an npz of the results, by "NUMBER/OUTPUT")
"""

import sys

import numpy as np

X = np.array([-0.75, -0.25, 0.5, 0.9], "f")
POSITIVE = np.array([0.3, 1.0, 2.5], "d")
BANDS = np.arange(1, 7, dtype="f").reshape(1, 2, 3)
MATRIX = np.arange(12, dtype="f").reshape(3, 4)
NONE, ONE = np.zeros(0, "f"), np.int32(1)
KEY, COUNTER = np.array([0x123456789ABCDEF0], "u8"), np.array([3, 2**40 + 5], "u8")
DRAWN = {"shape": np.array([2, 3], "i"), "key": KEY, "counter": COUNTER, "alg": ONE}
POINTS, VALUES = np.array([[1], [3], [1]], "i"), np.array([5.0, -9.0, 2.0], "f")
HITS = {"size": np.int64(4), "weights": NONE}


def diagonals(name, **more):
    align = [{"align": side} for side in ("LEFT_RIGHT", "RIGHT_LEFT", "LEFT_LEFT", "RIGHT_RIGHT")]
    return [(name, more | side) for side in align]


CALLS = [
    *((name, {"x": X}) for name in ("Erfinv", "Dawsn", "FresnelCos", "FresnelSin", "BesselI0", "BesselI1")),
    *((name, {"x": X.astype("d")}) for name in ("Erfinv", "BesselJ0", "BesselJ1")),
    *((f"Bessel{name}", {"x": POSITIVE}) for name in ("K0", "K0e", "K1", "K1e", "Y0", "Y1")),
    *((name, {"x": POSITIVE}) for name in ("Expint", "Spence")),
    ("Ndtri", {"x": np.array([0.1, 0.5, 0.99], "f")}),
    ("Xlog1py", {"x": np.array([0.0, 2.0, -1.0], "f"), "y": np.array([-1.0, 3.0, 0.5], "f")}),
    *diagonals("MatrixDiagV3", diagonal=BANDS, k=np.array([0, 1], "i"), num_rows=np.int32(3),
               num_cols=np.int32(-1), padding_value=np.float32(9)),
    ("MatrixDiagV3", {"diagonal": MATRIX, "k": np.int32(-2), "num_rows": np.int32(-1),
                      "num_cols": np.int32(-1), "padding_value": np.float32(0)}),
    *diagonals("MatrixDiagPartV3", input=MATRIX, k=np.array([-2, 3], "i"), padding_value=np.float32(7)),
    ("MatrixDiagPartV3", {"input": MATRIX, "k": np.array([1], "i"), "padding_value": np.float32(0)}),
    *diagonals("MatrixSetDiagV3", input=MATRIX, diagonal=-np.arange(9, dtype="f").reshape(3, 3),
               k=np.array([-1, 1], "i")),
    ("MatrixSetDiagV3", {"input": MATRIX, "diagonal": np.ones(3, "f"), "k": np.int32(0)}),
    ("TensorScatterMax", {"tensor": np.zeros(4, "f"), "indices": POINTS, "updates": VALUES}),
    ("TensorScatterMin", {"tensor": np.zeros(4, "f"), "indices": POINTS, "updates": VALUES}),
    ("DenseBincount", {"input": np.array([1, 3, 1, 9]), **HITS}),
    ("DenseBincount", {"input": np.array([[1, 1], [3, 0]]), **HITS, "binary_output": True}),
    ("DenseBincount", {"input": np.array([1, 3, 1]), **HITS, "weights": np.array([0.5, 2, 4], "f")}),
    ("RaggedBincount", {"splits": np.array([0, 2, 2, 3]), "values": np.array([1, 1, 3]), **HITS}),
    ("SparseBincount", {"indices": np.array([[0, 1], [1, 0], [1, 2]]), "values": np.array([2, 2, 2]),
                        "dense_shape": np.array([2, 3]), **HITS}),
    ("SparseBincount", {"indices": np.array([[0], [1]]), "values": np.array([2, 2]),
                        "dense_shape": np.array([3]), **HITS}),
    ("StatelessRandomGetKeyCounter", {"seed": np.array([5, -7])}),
    ("StatelessRandomGetKeyCounterAlg", {"seed": np.array([5, 7], "i")}),
    ("StatelessRandomGetAlg", {}),
    *((f"Stateless{name}V2", {**DRAWN, "dtype": "float32"})
      for name in ("RandomNormal", "RandomUniform", "TruncatedNormal")),
    ("StatelessRandomNormalV2", {**DRAWN, "alg": np.int32(3), "dtype": "float64"}),
    *(("StatelessRandomUniformFullIntV2", {**DRAWN, "dtype": kind})
      for kind in ("int32", "int64", "uint32", "uint64")),
    *(("StatelessRandomUniformIntV2", {**DRAWN, "minval": np.array(2, kind), "maxval": np.array(90, kind)})
      for kind in ("i4", "i8")),
    *(("DecodeImage", {"contents": data, "dtype": kind, "expand_animations": False}) for data in (
        b"BM:\x00\x00\x00\x00\x00\x00\x006\x00\x00\x00(\x00\x00\x00\x01\x00\x00\x00\x01\x00\x00\x00\x01\x00\x18"
        + bytes(25) + b"\x01\x02\xff\x00",
        b"GIF89a\x01\x00\x01\x00\x80\x00\x00\xff\x00\x00\x00\x00\x00,\x00\x00\x00\x00\x01\x00\x01\x00\x00\x02"
        b"\x02D\x01\x00;",
    ) for kind in ("uint8", "uint16", "float32")),
]  # fmt: skip


def write(path):
    import tensorflow as tf  # noqa: PLC0415  there alone

    found = {}
    for number, (name, arguments) in enumerate(CALLS):
        given = {
            key: getattr(tf, value) if isinstance(value, str) and key == "dtype" else value
            for key, value in arguments.items()
        }
        result = getattr(tf.raw_ops, name)(**given)
        for place, value in enumerate(result if isinstance(result, tuple) else [result]):
            found[f"{number}/{place}"] = value.numpy()
    np.savez_compressed(path, **found)


if __name__ == "__main__":
    write(sys.argv[1])
