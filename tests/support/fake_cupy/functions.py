"""The functions of CuPy's modules: NumPy's under CuPy's rules, and special implementations."""

import inspect

import numpy as np

from tests.support.fake_cupy.array import ndarray
from tests.support.fake_cupy.dispatch import call
from tests.support.fake_cupy.machine import current
from tests.support.fake_cupy.signatures import checker, table
from tests.support.fake_cupy.storage import Storage
from tests.support.fake_cupy.transforms import use_plan

# Functions that synchronize, for a shape or decision that depends on values.
WAITING = frozenset(
    "argwhere average bincount compress delete extract flatnonzero histogram histogram2d histogramdd intersect1d"
    " ix_ mask_indices nanmax nanmin nonzero ravel_multi_index real_if_close setdiff1d setxor1d trim_zeros"
    " union1d unique unique_all unique_counts unique_inverse unique_values unravel_index".split()
)
# cuBLAS, cuSOLVER, cuFFT, cuRAND: CuPy rejects them in a capture.
LIBRARY = frozenset("matmul dot vdot inner outer tensordot einsum kron convolve correlate".split())
LIBRARIES = ("cupy.linalg", "cupy.fft", "cupy.random", "cupyx.scipy.linalg")
# They modify their first argument, or wait depending on arguments; nothing uses them.
UNKNOWN = frozenset("choose fill_diagonal place put put_along_axis putmask".split())
NO_TRANSFORMS = frozenset("fftfreq rfftfreq fftshift ifftshift".split())
# The first argument need not be an array.
FREE = frozenset(
    "ndim shape size isscalar iscomplexobj isrealobj result_type can_cast promote_types min_scalar_type"
    " broadcast_shapes einsum concatenate concat stack vstack hstack dstack column_stack row_stack block where"
    " broadcast_arrays isdtype issubdtype isclose allclose meshgrid ix_ atleast_1d atleast_2d atleast_3d"
    " common_type select lexsort unravel_index ravel_multi_index arange linspace logspace eye identity tri"
    " indices bartlett blackman hamming hanning kaiser zeros ones empty full may_share_memory shares_memory"
    " iterable base_repr binary_repr diag_indices tril_indices triu_indices mask_indices".split()
)


def positions(text):
    """Names of the positional parameters."""
    names = []
    for part in text.split(", "):
        if part == "*" or part.startswith("**"):
            break
        if part != "/":
            names.append(part.partition("=")[0])
    return names


def from_numpy(full, function, name, method=False):
    """Wraps NumPy's `function`: checks CuPy's parameters and runs it by `call`."""
    row = table()[full]
    check = checker(full)
    names = positions(row.parameters)
    position = names.index("out") if "out" in names else None
    waits = name in WAITING
    module = full.rpartition(".")[0]
    library = name in LIBRARY or module in LIBRARIES
    free = name in FREE or method or module == "cupy.random"

    def run(*args, **kwargs):
        if check is not None:
            check(*args, **kwargs)
        if not free and args and not isinstance(args[0], Storage):
            raise TypeError(f"{full}: an array of the device is needed, not {type(args[0])}")
        if module == "cupy.fft" and isinstance(args[0], Storage) and not args[0].size:
            raise ValueError("Invalid number of FFT data points (0) specified.")
        if module == "cupy.fft" and isinstance(args[0], Storage) and name not in NO_TRANSFORMS:
            use_plan(name, args[0], args[1:], kwargs)
        out = kwargs.pop("out", None)
        if position is not None and len(args) > position:
            out = args[position]
            kwargs.update(zip(names[position + 1 :], args[position + 1 :]))
            args = args[:position]
        if name == "min" and out is not None:
            # cupy/_core/_routines_statistics.pyx, _ndarray_min: `out` goes to CUB as the dtype
            raise TypeError(f"Wrong type ({type(out)}) of arguments for cupy_equal")
        return call(name, function, args, kwargs, sync=waits, out=out, library=library)

    run.__name__ = name
    run.__doc__ = function.__doc__
    if check is not None:
        run.__signature__ = inspect.signature(check)
    return run


def strict(full, function):
    """Wraps `function` so that each call is checked against the real function's parameters."""
    check = checker(full)

    def run(*args, **kwargs):
        check(*args, **kwargs)
        return function(*args, **kwargs)

    run.__name__ = function.__name__
    run.__signature__ = inspect.signature(check)
    return run


def array_method(name):
    """An ndarray method implemented by NumPy's."""
    return from_numpy(f"cupy.ndarray.{name}", getattr(np.ndarray, name), name, method=True)


def add_methods():
    """Adds the real ndarray's remaining methods."""
    for full, row in table().items():
        if full.startswith("cupy.ndarray.") and row.kind == "function":
            name = full[len("cupy.ndarray.") :]
            if not hasattr(ndarray, name) and hasattr(np.ndarray, name) and name not in UNKNOWN:
                setattr(ndarray, name, array_method(name))
    for operator, ufunc in BINARY.items():
        setattr(ndarray, f"__{operator}__", _binary(ufunc))
        if operator not in COMPARISONS:
            setattr(ndarray, f"__r{operator}__", _reflect(ufunc))
            setattr(ndarray, f"__i{operator}__", _in_place(ufunc))
    for operator, ufunc in UNARY.items():
        setattr(ndarray, f"__{operator}__", _unary(ufunc))


BINARY = {
    "add": "add",
    "sub": "subtract",
    "mul": "multiply",
    "matmul": "matmul",
    "truediv": "true_divide",
    "floordiv": "floor_divide",
    "mod": "remainder",
    "divmod": "divmod",
    "pow": "power",
    "and": "bitwise_and",
    "or": "bitwise_or",
    "xor": "bitwise_xor",
    "lshift": "left_shift",
    "rshift": "right_shift",
    "lt": "less",
    "le": "less_equal",
    "gt": "greater",
    "ge": "greater_equal",
    "eq": "equal",
    "ne": "not_equal",
}
COMPARISONS = frozenset(("lt", "le", "gt", "ge", "eq", "ne"))
UNARY = {"neg": "negative", "pos": "positive", "abs": "absolute", "invert": "invert"}


def _binary(name):
    return lambda self, other: getattr(current.cupy, name)(self, other)


def _reflect(name):
    return lambda self, other: getattr(current.cupy, name)(other, self)


def _in_place(name):
    if name == "matmul":

        def assign(self, other):
            self[...] = current.cupy.matmul(self, other)
            return self

        return assign
    return lambda self, other: getattr(current.cupy, name)(self, other, out=self)


def _unary(name):
    return lambda self: getattr(current.cupy, name)(self)
