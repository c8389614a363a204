"""Array creation from shapes, host arrays, and other devices' arrays."""

import numpy as np

from tests.support.fake_cupy import copies
from tests.support.fake_cupy.array import IMPLICIT, Capsule, ndarray
from tests.support.fake_cupy.dispatch import call
from tests.support.fake_cupy.dtypes import check_dtype
from tests.support.fake_cupy.indexing import fill
from tests.support.fake_cupy.machine import current
from tests.support.fake_cupy.memory import MemoryPointer, UnownedMemory
from tests.support.fake_cupy.storage import Storage
from tests.support.fake_cupy.streams import wait_for


def array(obj, dtype=None, copy=True, order="K", subok=False, ndmin=0, *, blocking=False):
    """A device array from device arrays or anything that NumPy accepts."""
    if subok:
        raise NotImplementedError("subok is not supported")
    if hasattr(obj, "__cuda_array_interface__") and not isinstance(obj, Storage):
        obj = from_interface(obj)
    if isinstance(obj, Storage):
        target = obj.dtype if dtype is None else check_dtype(dtype)
        if obj._device != current.machine.thread.device:
            obj = obj.copy("C")
            copy = None
        if copy or target != obj.dtype:
            if copy is False and obj._device == current.machine.thread.device:
                raise ValueError("Unable to avoid copy while creating an array as requested.")
            obj = obj.astype(target, order if order in ("C", "F", "K", "A") else "K")
        if order in ("C", "F") and not (
            obj.flags.c_contiguous if order == "C" else obj.flags.f_contiguous
        ):
            obj = obj.copy(order)
        if obj.ndim < ndmin:
            obj = obj.reshape((1,) * (ndmin - obj.ndim) + obj.shape)
        return obj
    if _shape_of_arrays(obj) is not None:
        stacked = current.cupy.stack([array(item) for item in obj])
        return stacked if dtype is None else stacked.astype(dtype, copy=False)
    host = np.array(
        obj, dtype=dtype, order="C" if order in ("K", "A", None) else order, ndmin=ndmin
    )
    result = ndarray._allocate(host.shape, check_dtype(host.dtype), "C" if order != "F" else "F")
    if not host.ndim:
        # Scalars are passed with the launch: cupy/_core/core.pyx, _array_default.
        fill(result, host)
    elif result.size:
        result.set(np.asarray(host, order="F" if order == "F" else "C"))
        if blocking:
            current.machine.sync("cupy.array(blocking=True)")
            current.machine.learn(current.machine.current_stream_state().known)
    return result


def _shape_of_arrays(obj):
    """The shape of a nested list of device arrays of equal shapes, or None: NumPy rejects others
    (cupy/_core/core.pyx, _compute_concat_info_impl).
    """
    if isinstance(obj, Storage):
        return obj.shape
    first = _shape_of_arrays(obj[0]) if isinstance(obj, (list, tuple)) and obj else None
    if first is None or any(_shape_of_arrays(item) != first for item in obj):
        return None
    return (len(obj), *first)


def asarray(a, dtype=None, order=None, *, copy=None, blocking=False):
    return array(a, dtype, copy, order or "K", blocking=blocking)


def asanyarray(a, dtype=None, order=None, *, copy=None, blocking=False):
    return array(a, dtype, copy, order or "K", blocking=blocking)


def ascontiguousarray(a, dtype=None):
    return array(a, dtype, None, "C", ndmin=1)


def asfortranarray(a, dtype=None):
    """cupy/_core/core.pyx, _internal_asfortranarray: cuBLAS transposes float matrices."""
    target = a.dtype if dtype is None else check_dtype(dtype)
    if target == a.dtype and a.ndim == 2 and target.char in "fd" and not a.flags.f_contiguous:
        result = ndarray(a.shape, a.dtype, order="F")
        call("asfortranarray", _assign, (a,), {}, out=result, library=a.flags.c_contiguous)
        return result
    return array(a, dtype, None, "F", ndmin=1)


def _assign(values, out):
    out[...] = values


def copy(a, order="K"):
    return a.copy(order=order)


def asnumpy(a, stream=None, order="C", out=None, *, blocking=True):
    if isinstance(a, Storage):
        return a.get(stream=stream, order=order, out=out, blocking=blocking)
    if hasattr(a, "__cuda_array_interface__"):
        return array(a).get(stream=stream, order=order, out=out, blocking=blocking)
    host = np.asarray(a, order=order)
    if out is not None:
        out[...] = host
        return out
    return host


def _shape(shape):
    return (int(shape),) if isinstance(shape, (int, np.integer)) else tuple(map(int, shape))


def empty(shape, dtype=float, order="C"):
    return ndarray(shape, dtype, order=order)


def zeros(shape, dtype=float, order="C"):
    result = ndarray(shape, dtype, order=order)
    if result.size:
        state = current.machine.current_stream_state()
        copies.fill(result.data.ptr, 0, result.nbytes, state)
    return result


def full(shape, fill_value, dtype=None, order="C"):
    if dtype is None:
        dtype = fill_value.dtype if isinstance(fill_value, Storage) else np.array(fill_value).dtype
    result = ndarray(shape, dtype, order=order)
    current.cupy.copyto(result, fill_value, casting="unsafe")
    return result


def ones(shape, dtype=float, order="C"):
    result = ndarray(shape, dtype, order=order)
    result[...] = 1
    return result


def _like(a, dtype, order, subok, shape):
    if subok is not None:
        raise TypeError("subok is not supported yet")
    dtype = a.dtype if dtype is None else dtype
    if order == "K" and shape is None:
        strides = np.empty_like(a._a, dtype, order).strides
        return ndarray._allocate(a.shape, check_dtype(dtype), "C", strides)
    order = "F" if order == "F" or (order in "AK" and a.flags.fnc) else "C"
    return ndarray(a.shape if shape is None else _shape(shape), dtype, order=order)


def empty_like(prototype, dtype=None, order="K", subok=None, shape=None):
    return _like(prototype, dtype, order, subok, shape)


def zeros_like(a, dtype=None, order="K", subok=None, shape=None):
    result = _like(a, dtype, order, subok, shape)
    result[...] = 0
    return result


def ones_like(a, dtype=None, order="K", subok=None, shape=None):
    result = _like(a, dtype, order, subok, shape)
    result[...] = 1
    return result


def full_like(a, fill_value, dtype=None, order="K", subok=None, shape=None):
    result = _like(a, dtype, order, subok, shape)
    current.cupy.copyto(result, fill_value, casting="unsafe")
    return result


def creator(name):
    """A NumPy function that creates an array from scalars, as one launch."""
    function = getattr(np, name)

    def make(*args, **kwargs):
        if any(isinstance(arg, Storage) for arg in args):
            raise TypeError(IMPLICIT)
        return call(name, function, args, kwargs)

    make.__name__ = name
    return make


def from_interface(obj):
    """An array over another library's memory; waits for that library's work."""
    machine = current.machine
    facts = obj.__cuda_array_interface__
    stream = facts.get("stream")
    if facts.get("version", 0) >= 3 and stream is not None:
        producer = machine.stream_state(stream)
        if producer is not machine.current_stream_state():
            machine.wait("__cuda_array_interface__")  # on the host
            wait_for(machine, producer)
    dtype = np.dtype(facts["typestr"])
    size = dtype.itemsize
    strides = facts.get("strides")
    for axis, length in enumerate(facts["shape"]):
        size = size * length if strides is None else size + strides[axis] * max(length - 1, 0)
    memory = UnownedMemory(facts["data"][0], size, obj, -1 if size else machine.thread.device)
    return ndarray(facts["shape"], dtype, MemoryPointer(memory, 0), strides)


def from_dlpack(array, *, device=None, copy=None):
    """An array over another array's memory; the current stream waits for the producer's."""
    kind, ordinal = array.__dlpack_device__()
    if kind not in (2, 3, 13):
        raise TypeError("CPU arrays cannot be directly imported to CuPy. Use `cupy.array(...)`")
    machine = current.machine
    if ordinal != machine.thread.device:
        # CuPy makes the array's device current during the call.
        with current.device_class(ordinal):
            return from_dlpack(array, device=device, copy=copy)
    state = machine.current_stream_state()
    capsule = array.__dlpack__(stream=state.pointer or 1)
    return fromDlpack(capsule)


def fromDlpack(dltensor):
    if not isinstance(dltensor, Capsule):
        raise TypeError("only the capsules of this fake can be taken")
    array, dltensor.array = dltensor.array, None
    if array is None:
        raise ValueError("A DLPack tensor object cannot be consumed multiple times")
    return array.device_view(array._a)


OWN = {
    function.__name__: function
    for function in (
        array,
        asarray,
        asanyarray,
        ascontiguousarray,
        asfortranarray,
        copy,
        asnumpy,
        empty,
        zeros,
        full,
        ones,
        empty_like,
        zeros_like,
        ones_like,
        full_like,
        from_dlpack,
        fromDlpack,
    )
}
GENERATED = {
    name: creator(name)
    for name in ("arange", "linspace", "logspace", "eye", "identity", "tri", "indices")
}
