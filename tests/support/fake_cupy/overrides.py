"""CuPy functions that differ from NumPy's in defaults, results or in-place behavior."""

import numpy as np

from tests.support.fake_cupy import choosing
from tests.support.fake_cupy.array import ndarray
from tests.support.fake_cupy.dispatch import call
from tests.support.fake_cupy.dtypes import BFLOAT16, garbled_cast
from tests.support.fake_cupy.machine import current
from tests.support.fake_cupy.storage import Storage


def need(*arrays):
    for array in arrays:
        if not isinstance(array, Storage):
            raise TypeError(f"Unsupported type {type(array)}")


def send(count):
    """Records implicit copies of small host data to the device, rejected in a capture (cupy/cuda/memory.pyx,
    copy_from_host_async).
    """
    machine = current.machine
    if machine.current_stream_state().capture is not None:
        raise RuntimeError("the current stream is capturing, so H2D transfers are disallowed")
    machine.counters.copies["h2d"] += count


# Values that NumPy returns as Python's, CuPy as 0-d arrays --------------------------------------------


def array_equal(a1, a2, equal_nan=False):
    need(a1, a2)
    return call(
        "array_equal", lambda a, b: np.asarray(np.array_equal(a, b, equal_nan)), (a1, a2), {}
    )


def allclose(a, b, rtol=1e-05, atol=1e-08, equal_nan=False):
    return call(
        "allclose", lambda x, y: np.asarray(np.allclose(x, y, rtol, atol, equal_nan)), (a, b), {}
    )


def count_nonzero(a, axis=None):
    need(a)
    return call("count_nonzero", lambda x: np.asarray(np.count_nonzero(x, axis)), (a,), {})


def matmul(*args, out=None, **kwargs):
    if len(args) != 2 or kwargs:
        raise TypeError("the fake's matmul takes two arrays and out")
    need(*args)
    return call("matmul", np.matmul, args, {}, out=out, library=True)


# Choosing elements -----------------------------------------------------------------------------------


def take(a, indices, axis=None, out=None):
    need(a)
    if isinstance(indices, (list, np.ndarray)):
        indices = current.cupy.asarray(indices)

    if out is not None and out.dtype != a.dtype:
        raise TypeError("Output dtype mismatch")
    if out is not None and out.shape != np.take(a._a, np.zeros(np.shape(indices), int), axis).shape:
        raise ValueError("Output shape mismatch")  # cupy/_core/_routines_indexing.pyx, _take

    def gather(a, indices, out=None):
        count = a.size if axis is None else a.shape[axis]
        if count:  # NumPy itself would count down from uninitialized memory, forever
            indices = np.asarray(indices) % count
        result = np.take(a, indices, axis=axis, mode="wrap")
        if out is None:
            return result
        out[...] = result
        return out

    return call("take", gather, (a, indices), {}, out=out)


def take_along_axis(a, indices, axis):
    need(a, indices)

    def gather(a, indices):
        length = a.size if axis is None else a.shape[axis]
        return np.take_along_axis(a, indices % max(length, 1), axis)

    return call("take_along_axis", gather, (a, indices), {})


def repeat(a, repeats, axis=None):
    """cupy/_core/_routines_manipulation.pyx, _repeat: repeats given as a list become a device array, whose sum
    determines the result's size.
    """
    need(a)
    if isinstance(repeats, np.ndarray):
        raise TypeError("'repeats' does not accept numpy.ndarray; convert with cupy.array() first")
    if isinstance(repeats, Storage) and not np.can_cast(repeats.dtype, np.intp):
        raise TypeError(f"Cannot cast array data from {repeats.dtype!r} to {np.dtype(np.intp)!r}")
    if isinstance(repeats, (list, tuple)):
        repeats = current.cupy.array(repeats, np.intp)
    waits = isinstance(repeats, Storage)
    return call("repeat", lambda a, r: np.repeat(a, r, axis), (a, repeats), {}, sync=waits)


# Joining: cupy/_core/_routines_manipulation.pyx, concatenate_method -----------------------------------

_MANY = 8  # maximum number of separately copied arrays
_SMALL = 2 << 20  # average bytes per array below which more of them share one kernel


def concatenate(tup, axis=0, out=None, *, dtype=None, casting="same_kind"):
    arrays = list(tup)
    if not arrays:
        raise ValueError("Cannot concatenate from empty tuple")
    for array in arrays:
        if not isinstance(array, Storage):
            raise TypeError("Only cupy arrays can be concatenated")
        if not array.ndim:
            raise TypeError("zero-dimensional arrays cannot be concatenated")
    machine = current.machine
    by_table = len(arrays) > _MANY and len({a.dtype for a in arrays}) == 1
    if by_table and sum(a.nbytes for a in arrays) < _SMALL * len(arrays):
        same = all(a.flags.c_contiguous and a.shape == arrays[0].shape for a in arrays)
        send(1 if same else 3)  # addresses; offsets and strides
    else:
        machine.counters.launches += len(arrays) - 1
        machine.counters.launch_names["concatenate"] += len(arrays) - 1
    named = {"axis": axis, "casting": casting} | ({} if dtype is None else {"dtype": dtype})
    return call("concatenate", np.concatenate, (arrays,), named, out=out)


def stack(tup, axis=0, out=None, *, dtype=None, casting="same_kind"):
    arrays = list(tup)
    need(*arrays)
    position = np.lib.array_utils.normalize_axis_index(axis, arrays[0].ndim + 1)
    index = (slice(None),) * position + (None,)
    return concatenate([a[index] for a in arrays], position, out, dtype=dtype, casting=casting)


# Order -----------------------------------------------------------------------------------------------


def stable(kind):
    if kind not in (None, "stable"):
        raise ValueError("kind can only be None or 'stable'")


_SORT = 5  # launches of a radix sort over a few digits


def sortable(a):
    """Thrust compares only the dtypes of cupy/cuda/common.pyx, _get_dtype_id; rows of one element need no sorting."""
    if a.dtype == BFLOAT16:
        raise ValueError(f"Unsupported dtype ({a.dtype})")


def sort(a, axis=-1, kind=None):
    stable(kind)
    need(a)
    sortable(a)
    if a.ndim == 0:
        raise ValueError("Cannot sort a zero-dimensional array")
    return call("sort", lambda a: np.sort(a, axis, kind="stable"), (a,), {}, launches=_SORT)


def argsort(a, axis=-1, kind=None):
    stable(kind)
    need(a)
    sortable(a)
    return call("argsort", lambda a: np.argsort(a, axis, kind="stable"), (a,), {}, launches=_SORT)


def partition(a, kth, axis=-1):
    need(a)
    sortable(a)
    return call("partition", lambda a: np.sort(a, axis, kind="stable"), (a,), {})


def sort_in_place(self, axis=-1, kind=None):
    stable(kind)
    if not self.flags.c_contiguous:
        raise NotImplementedError("Sorting non-contiguous array is not supported.")
    sortable(self)
    call("sort", lambda a, out: out.sort(axis, kind="stable"), (self,), {}, out=self)


def partition_in_place(self, kth, axis=-1):
    sort_in_place(self, axis)


def searchsorted(a, v, side="left", sorter=None):
    """cupy/_sorting/search.py, _searchsorted; scalars are copied to the device."""
    if not isinstance(a, Storage):
        raise NotImplementedError("Only int or ndarray are supported for a")
    if not isinstance(v, Storage):
        if not isinstance(v, (int, float, complex)):
            raise NotImplementedError("Only python scalars or ndarrays are supported for v")
        v = current.cupy.asarray(v)
    if a.ndim != 1:
        raise ValueError(
            f"object {'too deep' if a.ndim else 'of too small depth'} for desired array"
        )
    if sorter is not None:
        a = a.take(sorter)
    return call("searchsorted", lambda a, v: np.searchsorted(a, v, side), (a, v), {})


def isin(element, test_elements, assume_unique=False, invert=False):
    """cupy/_logic/truth.py, in1d: sorts the test elements."""
    need(element, test_elements)
    if element.size and test_elements.size:
        test_elements = sort(test_elements.ravel())
    return call("isin", lambda a, b: np.isin(a, b, invert=invert), (element, test_elements), {})


# Numbers that become arrays, each a launch ------------------------------------------------------------


def nan_to_num(x, copy=True, nan=0.0, posinf=None, neginf=None):
    """cupy/_math/misc.py, _check_nan_inf: each replacement becomes a device array."""
    need(x)
    real = np.dtype(x.dtype.char.lower()) if x.dtype.kind == "c" else x.dtype
    for replacement in (nan, posinf, neginf):
        replacement = np.inf if replacement is None else replacement
        current.cupy.asarray(replacement if real.kind == "f" else 0, real)
    named = {"nan": nan, "posinf": posinf, "neginf": neginf}
    if copy:
        return call("nan_to_num", lambda a: np.nan_to_num(a, **named), (x,), {})

    def in_place(a, out):
        out[...] = np.nan_to_num(a, **named)
        return out

    return call("nan_to_num", in_place, (x,), {}, out=x)


def diff(a, n=1, axis=-1, prepend=None, append=None):
    """cupy/_math/sumprod.py: `prepend` and `append` become device arrays."""
    need(a)
    a_first, a_last = (
        end if end is None or isinstance(end, Storage) else current.cupy.asarray(end)
        for end in (prepend, append)
    )
    named = {"prepend": a_first, "append": a_last}
    named = {name: end for name, end in named.items() if end is not None}
    return call("diff", lambda a, **ends: np.diff(a, n, axis, **ends), (a,), named)


# In place --------------------------------------------------------------------------------------------


def _alike(dst, src):
    """Whether arrays are nonempty and pass cupy/_manipulation/basic.py, _can_memcpy."""
    in_order = dst.flags.c_contiguous and src.flags.c_contiguous
    in_order = in_order or (dst.flags.f_contiguous and src.flags.f_contiguous)
    return in_order and dst.dtype == src.dtype and 0 < dst.size == src.size


def copyto(dst, src, casting="same_kind", where=None):
    need(dst)
    if isinstance(src, (np.ndarray, list, tuple)):
        raise TypeError(f"Unsupported type {type(src)}")
    if not isinstance(src, (Storage, np.generic)):
        np.copyto(np.empty((), dst.dtype), src, casting=casting)  # TypeError for another kind
    elif not np.can_cast(src.dtype, dst.dtype, casting):
        raise TypeError(f"Cannot cast {src.dtype!r} to {dst.dtype!r} in {casting} casting mode")
    if where is not None:
        need(where)
    elif not dst.size:
        return
    if isinstance(src, Storage) and where is None and _alike(dst, src):
        state = current.machine.current_stream_state()
        kind = "d2d" if src._device == dst._device else "p2p"
        current.copies.device_to_device(dst.data.ptr, src.data.ptr, src.nbytes, state, kind)
        return
    if isinstance(src, Storage) and src._device != dst._device:
        src = src.copy()

    def put(src, where, out):
        values = garbled_cast(np.asarray(src), out.dtype)
        np.copyto(out, values, where=True if where is None else where)

    call("copyto", put, (src, where), {}, out=dst)


def nonzero(a):
    need(a)
    return call("nonzero", lambda a: a.nonzero(), (a,), {}, sync=True)


def result_type(*arrays_and_dtypes):
    return np.result_type(*[a._a if isinstance(a, Storage) else a for a in arrays_and_dtypes])


def can_cast(from_, to, casting="safe"):
    return np.can_cast(from_.dtype if isinstance(from_, Storage) else from_, to, casting)


def min_scalar_type(a):
    return a.dtype if isinstance(a, Storage) else np.min_scalar_type(a)


def ndim(a):
    return a.ndim if isinstance(a, Storage) else np.ndim(a)


def shape(a):
    return a.shape if isinstance(a, Storage) else np.shape(a)


def size(a, axis=None):
    return a.size if axis is None else a.shape[axis]


def get_array_module(*args):
    return current.cupy if any(isinstance(arg, Storage) for arg in args) else np


def shares_memory(a, b, max_work=None):
    return np.shares_memory(a._a, b._a)


def as_strided(x, shape=None, strides=None):
    shape = x.shape if shape is None else tuple(shape)
    strides = x.strides if strides is None else tuple(strides)
    return ndarray(shape, x.dtype, x.data, strides)


def sliding_window_view(x, window_shape, axis=None, *, subok=False, writeable=False):
    if writeable:
        raise NotImplementedError("Writeable views are not supported.")
    view = np.lib.stride_tricks.sliding_window_view(x._a, window_shape, axis)
    return x.device_view(view)


FUNCTIONS = {
    function.__name__: function
    for function in (
        array_equal,
        allclose,
        concatenate,
        stack,
        matmul,
        count_nonzero,
        take,
        take_along_axis,
        repeat,
        sort,
        argsort,
        partition,
        searchsorted,
        isin,
        nan_to_num,
        diff,
        copyto,
        nonzero,
        result_type,
        can_cast,
        min_scalar_type,
        ndim,
        shape,
        size,
        get_array_module,
        shares_memory,
    )
}
FUNCTIONS |= {
    "where": choosing.where,
    "clip": choosing.clip,
    "may_share_memory": shares_memory,
}
METHODS = {
    "clip": choosing.clip_method,
    "take": take,
    "repeat": repeat,
    "argsort": argsort,
    "sort": sort_in_place,
    "partition": partition_in_place,
    "nonzero": nonzero,
}
