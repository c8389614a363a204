"""Array storage: a NumPy array over device memory, and the memory's owner."""

import numpy as np

from tests.support.fake_cupy.machine import current
from tests.support.fake_cupy.memory import MemoryPointer, alloc


class Storage:
    """A device array without its operations."""

    __slots__ = ("_a", "_memory", "_device", "_bounds", "_values", "_base", "tenure", "__weakref__")

    def _over(self, shape, dtype, pointer, strides, order):
        """Initializes the array with that shape over the memory at `pointer`."""
        memory = pointer.mem
        tenure = memory.tenure
        if tenure is None:
            self._a = np.empty(shape, dtype, order=order or "C")
            if self._a.nbytes:
                raise ValueError("no memory behind the pointer")
        else:
            segment = tenure.segment
            offset = pointer.ptr - segment.base
            if strides is None:
                self._a = np.ndarray(shape, dtype, segment.view, offset, order=order or "C")
            else:
                self._a = np.ndarray(shape, dtype, segment.view, offset, strides)
        self._memory = memory
        self._device = memory.device_id
        self._bounds = None
        self._values = None
        self._base = None
        self.tenure = tenure

    @classmethod
    def _allocate(cls, shape, dtype, order="C", strides=None):
        """A new array filled with garbage, from the current allocator."""
        storage = object.__new__(cls)
        size = dtype.itemsize
        for length in shape:
            size *= length
        storage._over(shape, dtype, alloc(size), strides if size else None, order)
        return storage

    def device_view(self, numpy_view):
        """The device array for a NumPy view of this array's values."""
        view = object.__new__(type(self))
        view._a = numpy_view
        view._memory = self._memory
        view._device = self._device
        view._bounds = None
        view._values = None
        view._base = self if self._base is None else self._base
        view.tenure = self.tenure
        return view

    def bounds(self):
        """The address of the first byte, and the address past the last."""
        bounds = self._bounds
        if bounds is None:
            a = self._a
            low = high = a.__array_interface__["data"][0]
            if a.flags.c_contiguous or a.flags.f_contiguous:
                high += a.nbytes
            else:
                for length, stride in zip(a.shape, a.strides):
                    if stride < 0:
                        low += stride * (length - 1)
                    else:
                        high += stride * (length - 1)
                high += a.itemsize
            bounds = self._bounds = (low, high)
        return bounds

    @property
    def data(self):
        address = self._a.__array_interface__["data"][0] if self._a.nbytes else self._memory.ptr
        return MemoryPointer(self._memory, address - self._memory.ptr)

    @property
    def device(self):
        return current.device_class(self._device)
