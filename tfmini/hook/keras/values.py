"""Variables, constants and placeholders as Keras makes them, and how variables are set."""

from __future__ import annotations

from typing import Any

import numpy as np

import tfmini as tf
from tfmini import dtypes
from tfmini.graph.values import SparseTensor
from tfmini.hook.keras.sessions import get_session
from tfmini.hook.keras.settings import floatx
from tfmini.variables.resource_variable import ResourceVariable


def cast_to_floatx(x: Any) -> Any:
    """A tensor or array, cast to `floatx`."""
    if hasattr(x, "op"):
        return tf.cast(x, floatx())
    return np.asarray(x, dtype=floatx())


def variable(value: Any, dtype: Any = None, name: Any = None, constraint: Any = None) -> Any:
    """A variable of an array's or tensor's value; of one of scipy's sparse matrices a SparseTensor."""
    kind = dtypes.as_dtype(floatx() if dtype is None else dtype)
    if hasattr(value, "tocoo"):
        matrix = value.tocoo()
        indices = np.stack([matrix.row, matrix.col], axis=1).astype(np.int64)
        sparse: Any = SparseTensor(indices, matrix.data, matrix.shape)
        sparse._keras_shape = matrix.shape
        return sparse
    made: Any = ResourceVariable(value, dtype=kind, name=name, constraint=constraint)
    if isinstance(value, np.ndarray):
        made._keras_shape = value.shape
    elif hasattr(value, "shape"):
        made._keras_shape = tuple(value.shape.as_list())
    return made


def constant(value: Any, dtype: Any = None, shape: Any = None, name: Any = None) -> Any:
    """A constant, of `floatx` unless `dtype` says otherwise."""
    return tf.constant(value, dtype=dtype or floatx(), shape=shape, name=name)


def placeholder(
    shape: Any = None, ndim: Any = None, dtype: Any = None, sparse: bool = False, name: Any = None
) -> Any:
    """A placeholder of this static shape, or of `ndim` dimensions of any size."""
    if not shape and ndim:
        shape = (None,) * ndim
    make = tf.sparse_placeholder if sparse else tf.placeholder
    return make(floatx() if dtype is None else dtype, shape=shape, name=name)


def batch_get_value(tensors: Any) -> list:
    """The values of variables and tensors."""
    return get_session(tensors).run(tensors) if tensors else []


def set_value(x: Any, value: Any) -> None:
    """Gives a variable a value."""
    batch_set_value([(x, value)])


def batch_set_value(tuples: Any) -> None:
    """Gives variables values: pairs of a variable and an array."""
    if not tuples:
        return
    assigned, fed = [], {}
    for x, value in tuples:
        kind = dtypes.as_dtype(x.dtype.name.split("_")[0])
        value = np.asarray(value, dtype=kind.as_numpy_dtype)
        if not hasattr(x, "_assign_placeholder"):
            x._assign_placeholder = tf.placeholder(kind, shape=value.shape)
            x._assign_op = x.assign(x._assign_placeholder)
        assigned.append(x._assign_op)
        fed[x._assign_placeholder] = value
    get_session().run(assigned, feed_dict=fed)
