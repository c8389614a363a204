"""cupy.ndarray: the operations that differ from NumPy's methods (methods.py provides the rest)."""

import numpy as np

from tests.support.fake_cupy import copies
from tests.support.fake_cupy.dispatch import call
from tests.support.fake_cupy.dtypes import check_dtype, garbled_cast
from tests.support.fake_cupy.errors import CUDARuntimeError
from tests.support.fake_cupy.indexing import fill, get_item, scatter, set_item
from tests.support.fake_cupy.machine import current
from tests.support.fake_cupy.storage import Storage

IMPLICIT = (
    "Implicit conversion to a NumPy array is not allowed. "
    "Please use `.get()` to construct a NumPy array explicitly."
)


class Flags:
    """CuPy's memory layout flags of an array."""

    def __init__(self, flags):
        self.c_contiguous = flags.c_contiguous
        self.f_contiguous = flags.f_contiguous
        self.owndata = False
        self.fnc = flags.fnc
        self.forc = flags.forc

    def __getitem__(self, name):
        attributes = {"C_CONTIGUOUS": "c_contiguous", "F_CONTIGUOUS": "f_contiguous"}
        return getattr(self, attributes.get(name, name.lower()))


class ndarray(Storage):
    """An array on a device."""

    __slots__ = ()
    __array_priority__ = 100
    __hash__ = None

    def __new__(cls, shape, dtype=float, memptr=None, strides=None, order="C"):
        shape = (int(shape),) if isinstance(shape, (int, np.integer)) else tuple(map(int, shape))
        if any(length < 0 for length in shape):
            raise ValueError("Negative dimensions are not allowed")
        dtype = check_dtype(dtype)
        if order not in ("C", "F", None):
            raise ValueError(f"order not understood. order={order}")
        if memptr is None:
            if strides is not None:
                raise ValueError("memptr is required if strides is given.")
            return cls._allocate(shape, dtype, order)
        array = object.__new__(cls)
        array._over(shape, dtype, memptr, strides, order)
        return array

    # Facts ---------------------------------------------------------------------------------------

    shape = property(lambda self: self._a.shape, lambda self, shape: self._set_shape(shape))
    dtype = property(lambda self: self._a.dtype)
    ndim = property(lambda self: self._a.ndim)
    size = property(lambda self: self._a.size)
    nbytes = property(lambda self: self._a.nbytes)
    itemsize = property(lambda self: self._a.itemsize)
    strides = property(lambda self: self._a.strides)
    flags = property(lambda self: Flags(self._a.flags))
    base = property(lambda self: self._base)
    T = property(lambda self: self.device_view(self._a.T))
    mT = property(lambda self: self.device_view(self._a.mT))

    def _set_shape(self, shape):
        self._a.shape = shape

    @property
    def real(self):
        return self.device_view(self._a.real) if self._a.dtype.kind == "c" else self

    @real.setter
    def real(self, value):
        self.real[...] = value

    @property
    def imag(self):
        if self._a.dtype.kind == "c":
            return self.device_view(self._a.imag)
        return call("imag", np.zeros_like, (self,), {})

    @imag.setter
    def imag(self, value):
        if self._a.dtype.kind != "c":
            raise TypeError("cannot set imag of a real array")
        self.imag[...] = value

    @property
    def __cuda_array_interface__(self):
        state = current.machine.current_stream_state()
        interface = {
            "shape": self.shape,
            "typestr": self.dtype.str,
            "descr": self.dtype.descr,
            "stream": state.pointer or 1,
            "version": 3,
            "strides": None if self._a.flags.c_contiguous else self.strides,
            "data": (self.data.ptr if self.size else 0, False),
        }
        return interface

    def __dlpack__(self, *, stream=None, max_version=None, dl_device=None, copy=None):
        machine = current.machine
        if self._device != machine.thread.device:
            raise BufferError("the array is on another device than the current one")
        if stream not in (None, -1) and machine.current_stream_state().capture is None:
            producer = machine.current_stream_state()
            producer.advance(machine)
            machine.stream_state(stream).join(producer.known)
        return Capsule(self)

    def __dlpack_device__(self):
        return 2, self._device

    # To the host ---------------------------------------------------------------------------------

    def __array__(self, dtype=None, copy=None):
        raise TypeError(IMPLICIT)

    def get(self, stream=None, order="C", out=None, blocking=True):
        """A numpy array with the values; `blocking=False` needs a pinned `out` and a later wait."""
        machine = current.machine
        if out is not None:
            if not isinstance(out, np.ndarray):
                raise TypeError("Only numpy.ndarray can be obtained from cupy.ndarray")
            if self.dtype != out.dtype:
                raise TypeError(f"{out.dtype} array cannot be obtained from {self.dtype} array")
            if self.shape != out.shape:
                raise ValueError(
                    f"Shape mismatch. Expected shape: {self.shape}, actual shape: {out.shape}"
                )
        elif not self.size:
            return np.empty(self.shape, self.dtype)
        device = machine.thread.device
        machine.thread.device = self._device
        try:
            source = self
            if out is None:
                if order == "A":
                    order = "F" if self._a.flags.fnc else "C"
                out = np.empty(self.shape, self.dtype, order)
            if out.flags.c_contiguous and not self._a.flags.c_contiguous:
                source = self.copy("C")
            elif out.flags.f_contiguous and not self._a.flags.f_contiguous:
                source = self.copy("F")
            elif not (out.flags.c_contiguous or out.flags.f_contiguous):
                raise RuntimeError(
                    "`out` cannot be specified when copying to non-contiguous ndarray"
                )
            state = machine.current_stream_state() if stream is None else stream.state()
            if self.size:
                copies.device_to_host(
                    out.ctypes.data, source.data.ptr, self.nbytes, state, blocking
                )
            elif blocking:
                machine.sync("ndarray.get")
        finally:
            machine.thread.device = device
        return out

    def set(self, arr, stream=None):
        """Copies from a NumPy array of the same shape and dtype."""
        if not isinstance(arr, np.ndarray):
            raise TypeError("Only numpy.ndarray can be set to cupy.ndarray")
        if self.dtype != arr.dtype:
            raise TypeError(f"{arr.dtype} array cannot be set to {self.dtype} array")
        if self.shape != arr.shape:
            raise ValueError(f"Shape mismatch. Old shape: {self.shape}, new shape: {arr.shape}")
        if self._a.flags.c_contiguous:
            arr = np.ascontiguousarray(arr)
        elif self._a.flags.f_contiguous:
            arr = np.asfortranarray(arr)
        else:
            raise RuntimeError("Cannot set to non-contiguous array")
        machine = current.machine
        if self._device != machine.thread.device:
            raise CUDARuntimeError(400)
        state = machine.current_stream_state() if stream is None else stream.state()
        if self.size:
            copies.host_to_device(self.data.ptr, arr.ctypes.data, self.nbytes, state)

    def item(self):
        if self.size != 1:
            raise ValueError("can only convert an array of size 1 to a Python scalar")
        return self.get().item()

    def tolist(self):
        return self.get().tolist()

    def tobytes(self, order="C"):
        return self.get().tobytes(order)

    def __float__(self):
        return float(self.get())

    def __int__(self):
        return int(self.get())

    def __bool__(self):
        return bool(self.get())

    def __complex__(self):
        return complex(self.get())

    def __bytes__(self):
        return bytes(self.get())

    def __repr__(self):
        with current.machine.allow_sync():
            return repr(self.get())

    def __str__(self):
        with current.machine.allow_sync():
            return str(self.get())

    def __format__(self, text):
        return format(self.get(), text)

    # Copies --------------------------------------------------------------------------------------

    def copy(self, order="C"):
        """A copy on the current device, from the device of the array."""
        machine = current.machine
        if self._device == machine.thread.device:
            return call("copy", lambda a: a.copy(order), (self,), {}, keeps=True)
        if not (self._a.flags.c_contiguous or self._a.flags.f_contiguous):
            with current.device_class(self._device):
                return_from = self.copy(order)
            machine.stream_state(0).join({})
            return return_from.copy(order)
        duplicate = ndarray._allocate(
            self.shape, self.dtype, "C" if self._a.flags.c_contiguous else "F"
        )
        if self.size:
            state = machine.current_stream_state()
            copies.device_to_device(duplicate.data.ptr, self.data.ptr, self.nbytes, state, "p2p")
        return duplicate

    def astype(self, dtype, order="K", casting=None, subok=None, copy=True):
        if casting is not None:
            raise TypeError("casting is not supported yet")
        if subok is not None:
            raise TypeError("subok is not supported yet")
        dtype = check_dtype(dtype)
        if not copy and dtype == self.dtype:
            return self
        return call("astype", lambda a: garbled_cast(a, dtype, order), (self,), {}, keeps=True)

    def view(self, dtype=None, type=None):
        return self.device_view(
            self._a.view() if dtype is None else self._a.view(check_dtype(dtype))
        )

    def fill(self, value):
        if not isinstance(value, Storage):
            fill(self, value)
            return
        if value.shape:
            raise ValueError("non-scalar cupy.ndarray cannot be used for fill")
        value = value.astype(self.dtype, copy=False)
        # cupy/_core/core.pyx, fill: compares a device scalar with 0 on the host.
        if self._a.flags.c_contiguous and value == 0:
            fill(self, 0)
        else:
            self[...] = value

    def reshape(self, *shape, order="C", copy=None):
        shape = shape[0] if len(shape) == 1 else shape
        return call("reshape", lambda a: a.reshape(shape, order=order), (self,), {})

    def transpose(self, *axes):
        return self.device_view(self._a.transpose(*axes))

    # Indexing ------------------------------------------------------------------------------------

    def __len__(self):
        if not self.shape:
            raise TypeError("len() of unsized object")
        return self.shape[0]

    def __iter__(self):
        if not self.shape:
            raise TypeError("iteration over a 0-d array")
        return (self[index] for index in range(self.shape[0]))

    def __getitem__(self, key):
        return get_item(self, key)

    def __setitem__(self, key, value):
        set_item(self, key, value)

    def scatter_add(self, slices, value):
        scatter(self, slices, value, "add")

    def scatter_max(self, slices, value):
        scatter(self, slices, value, "max")

    def scatter_min(self, slices, value):
        scatter(self, slices, value, "min")

    # In numpy's functions --------------------------------------------------------------------------

    def __array_ufunc__(self, ufunc, method, *inputs, **kwargs):
        mine = getattr(current.cupy, ufunc.__name__, None)
        if mine is None:
            return NotImplemented
        if "out" in kwargs:
            out = kwargs["out"]
            kwargs["out"] = out[0] if len(out) == 1 else out
        return (mine if method == "__call__" else getattr(mine, method))(*inputs, **kwargs)

    def __array_function__(self, func, types, args, kwargs):
        module = current.cupy
        for part in func.__module__.split(".")[1:]:
            if not part.startswith("_"):
                module = getattr(module, part, None)
        mine = getattr(module, func.__name__, None)
        if mine is None or mine is func:
            return NotImplemented
        return mine(*args, **kwargs)


class Capsule:
    """Emulates a DLPack capsule: keeps the array alive."""

    def __init__(self, array):
        self.array = array
