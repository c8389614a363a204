"""Arguments of a recorded call, created from the plain data that `ci/commands/upstream/call_recorder.py` writes."""

import functools

import numpy as np


def called(tf, record):
    """A recorded call in the default graph: (the function, its positional arguments, its keyword arguments)."""
    arguments = [decoded(tf, each) for each in record.get("a", ())]
    named = {key: decoded(tf, value) for key, value in record.get("k", {}).items()}
    if "p" in record:  # a property
        made = decoded(tf, record["o"])
        return lambda: getattr(made, record["f"][1:]), arguments, named
    if "o" in record:
        return getattr(decoded(tf, record["o"]), record["f"][1:]), arguments, named
    return public(tf, record["f"]), arguments, named


def public(tf, name):
    """The object of a dotted public name."""
    return functools.reduce(getattr, name.split(".")[1:], tf)


def decoded(tf, value):
    """The object represented by a part of a record."""
    if isinstance(value, list):
        return [decoded(tf, each) for each in value]
    if not isinstance(value, dict):
        return value
    return _OF_KIND[next(kind for kind in value if kind in _OF_KIND)](tf, value)


def _array(value, dtype):
    shape = value["s"]
    if "drawn" in value:
        low, high = value["drawn"]
        random = np.random.RandomState(sum(shape))
        if np.dtype(dtype).kind == "f":
            return random.uniform(low, high, shape).astype(dtype)
        return random.randint(low, high + 1, shape, np.int64).astype(dtype)
    if dtype in ("object", "S", "U"):
        items = [text if dtype == "U" else text.encode("latin1") for text in value["v"]]
        made = np.empty(len(items), object)
        made[:] = items
        return (made if dtype == "object" else np.array(items, dtype)).reshape(shape)
    items = value["v"]
    if np.dtype(dtype).kind == "c":
        items = [complex(float(real), float(imaginary)) for real, imaginary in items]
    elif np.dtype(dtype).kind == "f":
        items = [float(each) for each in items]
    return np.array(items, dtype).reshape(shape)


def _of_tensor(tf, value, kind):
    """An array in the dtype of a tensor or variable."""
    dtype = tf.as_dtype(value[kind])
    if dtype == tf.string:
        return _array(value, "object"), dtype
    plain = "float32" if dtype == tf.bfloat16 else dtype.as_numpy_dtype
    return _array(value, np.dtype(plain).name), dtype


def _tensor(tf, value):
    array, dtype = _of_tensor(tf, value, "tensor")
    made = tf.constant(array, dtype)
    return tf.placeholder_with_default(made, value["static"]) if "static" in value else made


def _variable(tf, value):
    array, dtype = _of_tensor(tf, value, "variable")
    return tf.Variable(tf.constant(array, dtype), use_resource=value["resource"])


def _result(tf, value):
    function, arguments, named = called(tf, value["call"])
    return function(*arguments, **named)


def _ragged(tf, value):
    flat, splits = decoded(tf, value["ragged"])
    return tf.RaggedTensor.from_nested_row_splits(flat, splits)


_OF_KIND = {
    "array": lambda tf, value: _array(value, value["array"]),
    "scalar": lambda tf, value: _array(value, value["scalar"])[()],
    "tensor": _tensor,
    "variable": _variable,
    "placeholder": lambda tf, value: tf.placeholder(value["placeholder"], value["s"]),
    "call": _result,
    "name": lambda tf, value: public(tf, value["name"]),
    "dtype": lambda tf, value: tf.as_dtype(value["dtype"]),
    "shape": lambda tf, value: tf.TensorShape(value["shape"]),
    "dimension": lambda tf, value: tf.Dimension(value["dimension"]),
    "numpy": lambda tf, value: getattr(np, value["numpy"]),
    "np.dtype": lambda tf, value: np.dtype(value["np.dtype"]),
    "float": lambda tf, value: float(value["float"]),
    "bytes": lambda tf, value: value["bytes"].encode("latin1"),
    "tuple": lambda tf, value: tuple(decoded(tf, value["tuple"])),
    "dict": lambda tf, value: {decoded(tf, k): decoded(tf, v) for k, v in value["dict"]},
    "slice": lambda tf, value: slice(*decoded(tf, value["slice"])),
    "ellipsis": lambda tf, value: Ellipsis,
    "sparse": lambda tf, value: tf.SparseTensor(*decoded(tf, value["sparse"])),
    "sparse_value": lambda tf, value: tf.SparseTensorValue(*decoded(tf, value["sparse_value"])),
    "slices": lambda tf, value: tf.IndexedSlices(*decoded(tf, value["slices"])),
    "ragged": _ragged,
}
