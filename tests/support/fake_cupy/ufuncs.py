"""cupy.ufunc: computed by NumPy, with CuPy's loops and type promotion."""

import numpy as np

from tests.support.fake_cupy.dispatch import call
from tests.support.fake_cupy.dtypes import BFLOAT16, check_dtype, garbled_cast
from tests.support.fake_cupy.indexing import scatter
from tests.support.fake_cupy.machine import current
from tests.support.fake_cupy.storage import Storage
from tests.support.lazy_modules import scipy


class Large(int):
    """Represents a Python integer that only uint64 can hold."""


PYTHON = {
    Large: np.dtype(np.uint64),
    int: np.dtype(np.int64),
    float: np.dtype(np.float64),
    complex: np.dtype(np.complex128),
}
WEAK = {Large: 0, int: 0, float: 0.0, complex: 0j}
SCATTERS = {
    "add": "add",
    "subtract": "sub",
    "maximum": "max",
    "minimum": "min",
    "bitwise_and": "and",
    "bitwise_or": "or",
    "bitwise_xor": "xor",
}


def char_to_dtype(char):
    return BFLOAT16 if char == "E" else np.dtype(char)


def _apart(arg, outs):
    """An input, copied if an output array shares its memory (cupy/_core/_kernel.pyx, _copy_in_args_if_needed)."""
    if not isinstance(arg, Storage) or not arg.size:
        return arg
    low, high = arg.bounds()
    for out in outs:
        if isinstance(out, Storage) and out is not arg and out.size:
            begin, end = out.bounds()
            if low < end and begin < high:
                return arg.copy()
    return arg


class ufunc:
    """A function applied to each element."""

    def __init__(self, name, loops, function, real_name=None):
        self.__name__ = name
        self.name = "cupy_" + (real_name or name)
        self.types = loops
        ins, outs = loops[0].split("->")
        self.nin, self.nout = len(ins), len(outs)
        self.nargs = self.nin + self.nout
        self._function = function
        self._loops = [
            tuple(tuple(map(char_to_dtype, side)) for side in loop.split("->")) for loop in loops
        ]
        self._found = {}

    def __repr__(self):
        return f"<ufunc '{self.name}'>"

    def __call__(self, *args, **kwargs):
        out = kwargs.pop("out", None)
        dtype = kwargs.pop("dtype", None)
        casting = kwargs.pop("casting", "same_kind")
        if kwargs:
            raise TypeError(f"Wrong arguments {kwargs}")
        if not self.nin <= len(args) <= self.nargs:
            raise TypeError(
                f"Wrong number of arguments for {self.name!r}. It must be either {self.nin} or"
                f" {self.nargs} (with outputs), but given {len(args)}."
            )
        if len(args) > self.nin:
            if out is not None:
                raise ValueError("Cannot specify 'out' as both a positional and keyword argument")
            out = args[self.nin :]
            args = args[: self.nin]
        if out is not None:
            if not isinstance(out, tuple):
                if self.nout != 1:
                    raise ValueError("'out' must be a tuple of arrays")
                out = (out,)
            elif len(out) != self.nout:
                raise ValueError("The 'out' tuple must have exactly one entry per ufunc output")
            if all(item is None for item in out):
                out = None
        return self._run(args, out, dtype, casting)

    def _run(self, args, out, dtype, casting):
        key = []
        for arg in args:
            if isinstance(arg, Storage):
                key.append(arg._a.dtype)
            else:
                argument_type = type(arg)
                if argument_type is int and arg >= 1 << 63:
                    key.append(Large)
                elif argument_type in PYTHON:
                    key.append(argument_type)
                elif argument_type is bool:
                    key.append(np.dtype(bool))
                elif isinstance(arg, np.generic):
                    key.append(check_dtype(arg.dtype))
                elif hasattr(arg, "__cuda_array_interface__"):
                    return self._run(
                        [
                            current.cupy.asarray(a) if hasattr(a, "__cuda_array_interface__") else a
                            for a in args
                        ],
                        out,
                        dtype,
                        casting,
                    )
                else:
                    raise TypeError(f"Unsupported type {argument_type}")
        key = tuple(key)
        if dtype is not None:
            dtype = check_dtype(dtype)
        loop = self._found.get((key, dtype))
        if loop is None:
            loop = self._found[key, dtype] = self._find(key, dtype)
        args = [_apart(arg, out or ()) for arg in args]
        ins, outs = loop
        function = self._function
        single = self.nout == 1

        def compute(*values, out=None):
            values = [_cast(value, input_dtype) for value, input_dtype in zip(values, ins)]
            result = function(*values)
            results = (result,) if single else result
            results = [np.asarray(r).astype(d, copy=False) for r, d in zip(results, outs)]
            if out is not None:
                for target, result in zip(out, results):
                    if np.broadcast_shapes(target.shape, result.shape) != target.shape:
                        raise ValueError(
                            f"operands could not be broadcast together with shapes {result.shape}"
                            f" {target.shape}"
                        )
                    if not np.can_cast(result.dtype, target.dtype, casting):
                        raise TypeError(
                            f"output (typecode '{result.dtype.char}') could not be coerced to provided"
                            f" output parameter (typecode '{target.dtype.char}') according to the"
                            f' casting rule "{casting}"'
                        )
                    target[...] = garbled_cast(result, target.dtype)
                return out[0] if single else tuple(out)
            return results[0] if single else tuple(results)

        return call(self.__name__, compute, args, {}, out=out)

    def _find(self, key, dtype):
        """CuPy's loop for these inputs: the first that all can be cast to."""
        if dtype is not None:
            for loop in self._loops:
                if all(result == dtype for result in loop[1]):
                    return loop
            raise TypeError(f"Wrong type ({dtype}) of arguments for {self.name}")
        types = [PYTHON.get(part, part) for part in key]
        weak = [part if part in PYTHON else None for part in key]
        arrays = [_rank(part) for part, w in zip(types, weak) if w is None]
        scalars = [_rank(part) for part, w in zip(types, weak) if w is not None]
        if not (arrays and scalars and max(arrays) >= max(scalars)):
            weak = [None] * len(weak)
        for loop in self._loops:
            for have, want, scalar in zip(types, loop[0], weak):
                if np.can_cast(have, want):
                    continue
                if scalar is None or np.result_type(WEAK[scalar], want) != want:
                    break
            else:
                return loop
        raise TypeError(f"Wrong type ({tuple(types)}) of arguments for {self.name}")

    def at(self, a, indices, b=None):
        operation = SCATTERS.get(self.__name__)
        if operation is None:
            raise NotImplementedError(f"`{self.name}.at` is not supported yet")
        scatter(a, indices, b, operation)

    def reduce(self, array, axis=0, dtype=None, out=None, keepdims=False):
        if self.__name__ == "add":
            return array.sum(axis, dtype, out, keepdims)
        if self.__name__ == "multiply":
            return array.prod(axis, dtype, out, keepdims)
        raise NotImplementedError(f"`{self.name}.reduce` is not supported yet")

    def reduceat(self, array, indices, axis=0, dtype=None, out=None):
        if self.__name__ == "add" and out is None:
            indices = current.cupy.asarray(indices)
            return call(
                "add.reduceat", lambda a, i: differences(a, i, axis, dtype), (array, indices), {}
            )
        raise NotImplementedError(f"`{self.name}.reduceat` is not supported yet")


def _rank(dtype):
    """The kind (bool, integer, inexact) that determines whether a Python scalar adapts to the arrays."""
    return {"b": 0, "i": 1, "u": 1, "f": 2, "c": 2}.get(dtype.kind, 3)


def _cast(value, dtype):
    if isinstance(value, (np.ndarray, np.generic)):
        return np.asarray(value).astype(dtype, copy=False)
    if dtype.kind in "iu" and isinstance(value, int):
        return np.asarray(dtype.type(value))  # OverflowError if it does not fit
    return np.asarray(value, dtype)


def power(x, y):
    """Integers to negative powers are 0, except for the bases -1 and 1."""
    if x.dtype.kind not in "iu":
        return np.power(x, y)
    negative = y < 0
    result = np.power(x, np.where(negative, 0, y))
    odd = np.where(x == -1, np.where(y % 2, -1, 1), np.where(x == 1, 1, 0)).astype(x.dtype)
    return np.where(negative, odd, result)


def floor_divide(x, y):
    """cupy/_core/include/cupy/carray.cuh, _floor_divide: floats are divided and rounded, so that the quotient is one
    too large if rounding reaches an integer.
    """
    if x.dtype.kind in "iu":
        return np.floor_divide(x, y)
    wide = x.dtype if x.dtype.itemsize > 2 else np.dtype("f")
    return np.floor(x.astype(wide) / y.astype(wide)).astype(x.dtype)


def remainder(x, y):
    """cupy/_core/_routines_math.pyx: unlike `fmod`, inexact for floats, and NaN for infinite divisors."""
    if x.dtype.kind in "iu":
        return np.remainder(x, y)
    return x - floor_divide(x, y) * y


def fmod(x, y):
    """cupy/_math/arithmetic.py: in double precision for integers."""
    if x.dtype.kind not in "iu":
        return np.fmod(x, y)
    return np.where(y == 0, 0, np.fmod(x.astype("d"), y.astype("d"))).astype(x.dtype)


def differences(a, starts, axis, dtype):
    """reduceat sums as differences of cumulative sums: cupy/_core/_routines_indexing.pyx, _add_reduceat. Nonfinite
    elements corrupt all later sums.
    """
    ends = np.append(starts[1:], a.shape[axis])
    total = np.cumsum(a, axis, dtype)
    total = np.concatenate([np.zeros_like(total.take([0], axis)), total], axis)
    one = (starts >= ends).reshape(-1, *(1,) * (a.ndim - axis % a.ndim - 1))
    return np.where(one, a.take(starts, axis), total.take(ends, axis) - total.take(starts, axis))


def rsqrt(x):
    return (1 / np.sqrt(x)).astype(x.dtype)


OWN = {
    "power": power,
    "pow": power,
    "floor_divide": floor_divide,
    "remainder": remainder,
    "mod": remainder,
    "fmod": fmod,
    "rsqrt": rsqrt,
}


def implementation(module, name):
    """The NumPy implementation of a CuPy ufunc, or None."""
    if name in OWN:
        return OWN[name]
    source = scipy.special if module == "cupyx.scipy.special" else np
    return getattr(source, name, None)
