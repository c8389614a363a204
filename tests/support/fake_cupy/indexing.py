"""CuPy's indexing rules: out-of-range indices wrap, masks synchronize, duplicates are undefined."""

import numpy as np

from tests.support.fake_cupy.dispatch import call, check_device
from tests.support.fake_cupy.dtypes import garbled_cast
from tests.support.fake_cupy.machine import current
from tests.support.fake_cupy.storage import Storage
from tests.support.fake_cupy.violations import UndefinedError

# Dtypes with atomic functions: cupy/_core/_routines_indexing.pyx, _scatter_op_single; in 14.0 (14.2 also adds and
# compares int64).
SCATTERED = {
    "add": "iefdILQ",
    "sub": "iI",
    "max": "ifdILQ",
    "min": "ifdILQ",
    "and": "ilqILQ",
    "or": "ilqILQ",
    "xor": "ilqILQ",
}
UFUNCS = {
    "add": np.add,
    "sub": np.subtract,
    "max": np.maximum,
    "min": np.minimum,
    "and": np.bitwise_and,
    "or": np.bitwise_or,
    "xor": np.bitwise_xor,
}


class Index:
    """A parsed index; `arrays` are the device arrays in it."""

    def __init__(self, array, key):
        parts = key if isinstance(key, tuple) else (key,)
        self.parts = []
        self.mask = False
        self.fancy = False
        ellipsis = False
        for part in parts:
            if isinstance(part, Storage):
                if part.dtype.kind == "b":
                    self.mask = True
                elif part.dtype.kind not in "iu":
                    raise IndexError("arrays used as indices must be of integer or boolean type")
                self.fancy = True
            elif isinstance(part, (list, np.ndarray)):
                part = current.cupy.asarray(np.asarray(part, np.int64 if len(part) == 0 else None))
                self.mask = self.mask or part.dtype.kind == "b"
                self.fancy = True
            elif isinstance(part, (bool, np.bool_)):
                part = current.cupy.asarray(part)  # _prepare_slice_list
                self.mask = self.fancy = True
            elif part is Ellipsis:
                ellipsis = True
            elif isinstance(part, slice):
                bounds = (part.start, part.stop, part.step)
                if any(isinstance(bound, Storage) for bound in bounds):
                    part = slice(*[b if b is None else int(b) for b in bounds])
            elif part is not None and not hasattr(part, "__index__"):
                raise IndexError(
                    "only integers, slices (`:`), ellipsis (`...`),"
                    "numpy.newaxis (`None`) and integer or"
                    f"boolean arrays are valid indices not {type(part)}"
                )
            self.parts.append(part)
        if not ellipsis and not self.fancy:
            self.parts.append(Ellipsis)


def plain(shape, parts):
    """The index for NumPy, with out-of-range integers in arrays wrapped."""
    taken = 0
    for part in parts:
        if isinstance(part, np.ndarray) and part.dtype.kind == "b":
            taken += part.ndim
        elif part is not None and part is not Ellipsis:
            taken += 1
    indices, axis = [], 0
    for part in parts:
        if part is None:
            indices.append(part)
            continue
        if part is Ellipsis:
            indices.append(part)
            axis += len(shape) - taken
            continue
        if isinstance(part, np.ndarray):
            if part.dtype.kind == "b":
                indices.append(part)
                axis += part.ndim
                continue
            if axis < len(shape) and shape[axis] > 0:
                part = part.astype(np.int64) % shape[axis]
        indices.append(part)
        axis += 1
    return tuple(indices)


def get_item(array, key):
    """array[key]"""
    index = Index(array, key)
    if not index.fancy:
        return array.device_view(array._a[tuple(index.parts)])

    def take(a, *parts):
        return np.array(a[plain(a.shape, parts)])

    return call("getitem", take, (array, *index.parts), {}, sync=index.mask)


def set_item(array, key, value):
    """array[key] = value; if the index has an array, a scalar is copied to the device first."""
    index = Index(array, key)
    if index.fancy:
        if isinstance(value, (np.ndarray, list, tuple)):
            raise TypeError(f"Unsupported type {type(value)}")
        if not isinstance(value, Storage):
            value = current.cupy.asarray(value, dtype=array.dtype)

        def put(value, *parts, out):
            where = plain(out.shape, parts)
            value = garbled_cast(value, out.dtype)
            if (
                not current.machine.captures
            ):  # during capture the index has no values yet; a launch has them
                refuse_duplicates(out, where, value)
            out[where] = value

        call("setitem", put, (value, *index.parts), {}, sync=index.mask, out=array)
        return
    target = array.device_view(array._a[tuple(index.parts)])
    if target.size == 0:
        return
    if not isinstance(value, Storage):
        fill(target, value)
        return
    if value.size and value._device != target._device:
        check_device("setitem", value)
    if value.shape == target.shape and value.strides == target.strides:
        if value.bounds() == target.bounds():
            return  # cupy/_core/_routines_indexing.pyx, _scatter_op: the same array
        if target.flags.c_contiguous and value.dtype == target.dtype:
            check_device("setitem", target)
            state = current.machine.current_stream_state()
            current.copies.device_to_device(target.data.ptr, value.data.ptr, value.nbytes, state)
            return

    def assign(value, out):
        while value.ndim > out.ndim and value.shape[0] == 1:
            value = value[0]
        out[...] = garbled_cast(value, out.dtype)

    call("setitem", assign, (value,), {}, out=target)


def fill(target, value):
    """Fills an array with a host scalar (cupy/_core/core.pyx, fill); zeros need no launch."""
    value = np.asarray(value, target.dtype)  # OverflowError if it does not fit
    if value.ndim:
        raise ValueError("non-scalar numpy.ndarray cannot be used for fill")
    value = value[()]
    if target.dtype.kind != "V" and value == 0 and target.flags.c_contiguous:
        if not target.size:
            return
        check_device("fill", target)
        current.copies.fill(
            target.data.ptr, 0, target.nbytes, current.machine.current_stream_state()
        )
        return

    def assign(value, out):
        out[...] = value

    call("fill", assign, (value,), {}, out=target)


def refuse_duplicates(out, where, value):
    """Rejects duplicate indices, for which the winning value is undefined."""
    indices = np.arange(out.size).reshape(out.shape)[where]
    flat = indices.ravel()
    if len(np.unique(flat)) == flat.size:
        return
    values = np.broadcast_to(value, indices.shape).ravel()
    order = np.argsort(flat, kind="stable")
    same = flat[order][1:] == flat[order][:-1]
    if (values[order][1:][same] != values[order][:-1][same]).any():
        current.machine.violate(
            UndefinedError, "a[index] = values, where the index names an element more than once"
        )


def scatter(array, slices, value, operation):
    """array[slices] op= value, accumulating duplicates."""
    index = Index(array, slices)
    if index.fancy and array.dtype.char not in SCATTERED[operation]:
        raise TypeError(
            f"scatter_{operation} does not support {array.dtype} as data type (int64 among them)"
        )
    if isinstance(value, (np.ndarray, list, tuple)):
        raise TypeError(f"Unsupported type {type(value)}")
    if index.fancy and not isinstance(value, Storage):
        value = current.cupy.asarray(value, dtype=array.dtype)
    ufunc = UFUNCS[operation]

    def apply(value, *parts, out):
        values = np.asarray(value)
        if values.dtype != out.dtype:
            values = values.astype(out.dtype)
        ufunc.at(out, plain(out.shape, parts), values)

    call(f"scatter_{operation}", apply, (value, *index.parts), {}, sync=index.mask, out=array)
