"""Restores old behavior in a program's own calls: ragged lists, Python 2 pickles, empty matches.

For example, `np.array([[1], [1, 2]])` used to create an object array, which `np.savez` wrote and `np.load` read;
`pickle.load` needs an encoding for Python 2 pickles; `np.fromstring` accepted bytes; `np.issubdtype(x, float)` was true
for any float; `ndimage.rotate` accepted an array as angle; `re.split` did not split at empty matches; scikit-learn's
TSNE had an argument `n_iter`, `np.reshape` one called `newshape`; `yaml.load` needed no loader; h5py returned text as
bytes to decode, and opened files for writing by default; numpy treated a list of slices as a tuple. `file_shims`,
`introsort`, `method_shims`, `numpy_dtype_shims`, `numpy_integer_shims`, `pandas_shims`, `single_element_shims` and
`tensor_element_shims` have more. Calls that now fail or behave differently are redirected in the program's own source,
its modules and tests, and in libraries of that era; other code is unaffected.
"""

from __future__ import annotations

import ast
import builtins
import inspect
import math
import pickle
import random
import re
import sys
from collections.abc import Callable
from types import CodeType
from typing import Any

import numpy as np

from tfmini._src.base.names.safety import is_safe
from tfmini._src.graph.autograph_status import rewriters
from tfmini._src.programs.hook.extra_names import is_strict
from tfmini._src.programs.hook.warn_once import warn_once
from tfmini._src.programs.runner import (
    file_shims,
    introsort,
    method_shims,
    numpy_dtype_shims,
    numpy_integer_shims,
    pandas_shims,
    single_element_shims,
    tensor_element_shims,
)
from tfmini._src.programs.runner.python2 import language_version

_CALL = "__tfmini_call__"
_DECODE = "__tfmini_decode__"
_INDEX = "__tfmini_index__"
_ITEM = "__tfmini_item__"
_METHOD = "__tfmini_method__"
_PERCENT = "__tfmini_percent__"
_SIZED_CALL = "__tfmini_sized__"
_SUM = "__tfmini_sum__"
_NAMES = (
    *("array", "asarray", "fromstring", "load", "loads", "save", "savez", "savez_compressed"),
    *("argsort", "issubdtype", "rotate", "TSNE", "File", "float", "int", "complex"),
    *("arange", "expand_dims", "prod", "randint", "sample", "shuffle"),
    *("vstack", "hstack", "dstack", "stack", "column_stack"),
    *("meshgrid", "broadcast_arrays", "atleast_1d", "atleast_2d", "atleast_3d"),
    *numpy_integer_shims.INTEGER_TYPES,
    *numpy_integer_shims.FILL_FUNCTIONS,
)
_CALL_PATTERN = re.compile(
    rb"\b(argsort|array|asarray|fromstring|loads?|save|savez|savez_compressed|issubdtype|rotate|re\.split|TSNE|File"
    rb"|float|int|complex|sample|shuffle|[vhd]?stack|column_stack|tostring|ptp|itemset|newbyteorder|getchildren|getiterator|get_array)\s*\("
    rb"|\bmath\.|%|\bnewshape\s*=|\.decode\s*\("
    rb"|\b(axisbg|base[xy]|b|encoding|frameon|hold|interpolation|nonpos[xy]|normed|projection|sparse|warn)\s*=|\bU|U['\"]"
    rb"|\.attrs\b|\bslice\s*\(|\bnumpy\b|\bpandas\b"
)
# Identities of functions whose calls change only after a TypeError.
_PLAIN = {
    id(function)
    for function in (
        *(float, int, complex, np.arange, *vars(math).values(), random.randint, random.sample),
        *(random.shuffle, np.random.randint, np.random.sample, np.random.shuffle),
    )
}
# Libraries of the functions with restored behavior; "" is the one of builtin methods.
_LIBRARIES = {
    "",
    *"_io _pickle builtins h5py inspect io json math matplotlib numpy pandas pickle random re".split(),
    *"scipy simplejson sklearn yaml".split(),
}
_ABSTRACT_TYPES = {float: np.floating, int: np.signedinteger, complex: np.complexfloating}
_NO_ARRAYS = ("file", "allow_pickle", "fix_imports")  # np.save and np.savez arguments
_MEASURES = ("ndim", "shape", "size")
_SIZE_METHODS = ("read", "reshape")
_SLICES = re.compile(rb"\bslice\s*\(")
_READS_HDF5 = re.compile(rb"h5py|hdf5|\.attrs\b", re.IGNORECASE)


class _Calls(ast.NodeTransformer):
    """Redirects calls of these names to `call`, `decode` to `decode`, items to `item`, assigned indices to `to_index`.

    Args:
      source: the source code, which determines the applicable rewrites.
    """

    def __init__(self, source: bytes) -> None:
        self._decodes = bool(_READS_HDF5.search(source))
        self._slices = bool(_SLICES.search(source))
        self._frames = b"pandas" in source
        self._rewrites_sizes = b"frombuffer" in source

    def visit_Call(self, node: ast.Call) -> ast.AST:
        self.generic_visit(node)
        function = node.func
        if isinstance(function, ast.Attribute) and function.attr == "decode":
            if self._decodes:
                node.args.insert(0, function.value)
                node.func = ast.copy_location(ast.Name(_DECODE, ast.Load()), function)
            return node
        if isinstance(function, ast.Attribute) and function.attr in method_shims.METHODS:
            name = ast.copy_location(ast.Constant(function.attr), function)
            node.args[:0] = [function.value, name]
            node.func = ast.copy_location(ast.Name(_METHOD, ast.Load()), function)
            return node
        if self._rewrites_sizes and getattr(function, "attr", "") in _SIZE_METHODS and node.args:
            node.args.insert(0, function)
            node.func = ast.copy_location(ast.Name(_SIZED_CALL, ast.Load()), function)
            return node
        shim = _SUM if _may_sum_generator(node) else _CALL
        if shim == _SUM or _may_need_shim(node.func, self._frames) or _has_old_argument(node):
            node.args.insert(0, node.func)
            node.func = ast.copy_location(ast.Name(shim, ast.Load()), node.func)
        return node

    def visit_BinOp(self, node: ast.BinOp) -> ast.AST:
        self.generic_visit(node)
        if not isinstance(node.op, ast.Mod) or not _is_text(node.left):
            return node
        function = ast.copy_location(ast.Name(_PERCENT, ast.Load()), node)
        return ast.copy_location(ast.Call(function, [node.left, node.right], []), node)

    def visit_Subscript(self, node: ast.Subscript) -> ast.AST:
        self.generic_visit(node)
        is_attrs_item = isinstance(node.value, ast.Attribute) and node.value.attr == "attrs"
        by_name = self._slices and isinstance(node.slice, ast.Name)
        if not isinstance(node.ctx, ast.Load):
            if by_name:
                function = ast.copy_location(ast.Name(_INDEX, ast.Load()), node)
                node.slice = ast.copy_location(ast.Call(function, [node.slice], []), node.slice)
            return node
        if not (by_name or is_attrs_item):
            return node
        function = ast.copy_location(ast.Name(_ITEM, ast.Load()), node)
        return ast.copy_location(
            ast.Call(function, [node.value, numpy_integer_shims.as_value(node.slice)], []), node
        )


def _is_text(node: ast.expr) -> bool:
    """Whether the node is a text or bytes literal, or a sum with one."""
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add):
        return _is_text(node.left) or _is_text(node.right)
    return isinstance(node, ast.Constant) and isinstance(node.value, (str, bytes))


def _may_sum_generator(node: ast.Call) -> bool:
    """Whether the node is `np.sum` of an argument that is or may be a generator, or a list with tensors."""
    function = node.func
    return (
        isinstance(function, ast.Attribute)
        and function.attr == "sum"
        and getattr(function.value, "id", "") in ("np", "numpy")
        and bool(node.args)
        and isinstance(node.args[0], (ast.Call, ast.GeneratorExp, ast.List, ast.Name))
    )


def _may_need_shim(function: ast.expr, has_frames: bool) -> bool:
    if isinstance(function, ast.Attribute) and isinstance(function.value, ast.Name):
        module = function.value.id
        if module == "math" or (function.attr == "split" and module == "re"):
            return True
        if module in ("np", "numpy") and function.attr in _MEASURES:
            return True
    name = getattr(function, "attr", getattr(function, "id", ""))
    return name in _NAMES or (has_frames and name in pandas_shims.RESTORED_CALLS)


def _has_old_argument(node: ast.Call) -> bool:
    """Whether a call may use a removed argument: a keyword, or a file mode."""
    words = [word.arg for word in node.keywords]
    name = getattr(node.func, "attr", getattr(node.func, "id", ""))
    if name == "open":
        values = [*node.args[1:2], *(word.value for word in node.keywords if word.arg == "mode")]
        modes = [mode.value for mode in values if isinstance(mode, ast.Constant)]
        return any(isinstance(mode, str) and "U" in mode for mode in modes)
    return "newshape" in words or method_shims.has_old_word(name, words)


def may_have_old_calls(source: bytes) -> bool:
    """Whether source code mentions any redirected call."""
    return bool(_CALL_PATTERN.search(source))


def compile_source(source: str | bytes, filename: str) -> CodeType:
    """Compiles a program's source code with old calls redirected unless --strict is set."""
    data = source if isinstance(source, bytes) else source.encode("utf-8", "replace")
    if language_version.is_python2_source(data):
        tree = rewrite_calls(language_version.converter().parse_python2(data, filename), data)
        return compile(tree, filename, "exec", dont_inherit=True)
    code = compile(source, filename, "exec", dont_inherit=True)
    if is_strict() or not may_have_old_calls(data):
        return code
    tree = rewrite_calls(ast.parse(source, filename), data)
    return compile(tree, filename, "exec", dont_inherit=True)


def rewrite_calls(tree: ast.Module, source: bytes) -> ast.Module:
    """Rewrites a syntax tree so that old calls and items keep their behavior; a no-op with --strict."""
    if b"numpy" in source and not is_strict():
        tree = single_element_shims.Items().visit(tree)
    return _restore_calls(tree, source)


def _restore_calls(tree: ast.Module, source: bytes) -> ast.Module:
    """Applies to a tree the part of `rewrite_calls` that is compatible with AutoGraph, which converts item assignments
    itself.
    """
    if is_strict():
        return tree
    supply()
    if b"pandas" in source:
        tree = pandas_shims.Frames().visit(tree)
    if b"numpy" in source:
        tree = numpy_integer_shims.Numbers(tree).visit(tree)
    if numpy_dtype_shims.applies_to(source):
        tree = numpy_dtype_shims.Dtypes().visit(tree)
    return ast.fix_missing_locations(_Calls(source).visit(tree))


def supply() -> None:
    """Installs the functions called by rewritten source code, and makes AutoGraph rewrite the code it converts."""
    if _restore_calls not in rewriters:
        rewriters.append(_restore_calls)
    setattr(builtins, _CALL, call)
    setattr(builtins, _DECODE, decode)
    setattr(builtins, _INDEX, to_index)
    setattr(builtins, _ITEM, item)
    setattr(builtins, _METHOD, _method)
    setattr(builtins, _PERCENT, single_element_shims.percent)
    setattr(builtins, _SIZED_CALL, single_element_shims.call_with_sizes)
    setattr(builtins, _SUM, method_shims.sum_generator)
    for shims in (numpy_integer_shims, pandas_shims, single_element_shims):
        for name, function in shims.FUNCTIONS.items():
            setattr(builtins, name, function)


def decode(value: Any, /, *args: Any, **kwargs: Any) -> Any:
    """Returns `value.decode(...)`; text is returned unchanged."""
    return value if type(value) is str else value.decode(*args, **kwargs)


class _FalsyEmptyArray(np.ndarray):
    """An empty array, which is falsy."""

    def __bool__(self) -> bool:
        return bool(self.size) and super().__bool__()


def to_index(index: Any, /) -> Any:
    """Returns the index itself; a tuple for a list of slices, which older NumPy accepted."""
    if type(index) is not list or not any(type(part) is slice for part in index):
        return index
    warn_once(
        "slices", "numpy no longer accepts a list of slices; it is converted to a tuple here."
    )
    return tuple(index)


def item(values: Any, index: Any, /) -> Any:
    """Returns `values[index]`, with h5py 2 attribute types and lists of slices, which older NumPy accepted."""
    value = values[to_index(index) if type(values) is np.ndarray else index]
    if type(values).__module__ != "h5py._hl.attrs":
        return value
    if isinstance(value, np.ndarray) and not value.size:
        return value.view(_FalsyEmptyArray)
    string_type = sys.modules["h5py"].check_string_dtype(values.get_id(index).dtype)
    # h5py reports "ascii" for fixed-length bytes.
    if string_type is None or string_type.encoding != "ascii":
        return value
    return value.encode() if isinstance(value, str) else np.array(value, bytes)


def _method(value: Any, name: str, /, *args: Any, **kwargs: Any) -> Any:
    return method_shims.method(value, name, call, *args, **kwargs)


def call(function: Callable, /, *args: Any, **kwargs: Any) -> Any:
    """Calls `function(*args, **kwargs)`, with its 2018 behavior if it now fails."""
    if id(function) in _PLAIN:
        try:
            return function(*args, **kwargs)
        except TypeError:
            pass
    elif function is np.array or function is np.asarray:
        return _array(function, args, kwargs)
    elif function is np.prod:
        return tensor_element_shims.call(function, args, kwargs)
    elif function is np.ndim or function is np.shape or function is np.size:
        return function(*map(_list_as_array, args), **kwargs)
    elif numpy_integer_shims.is_handled(function):
        return numpy_integer_shims.call(function, args, kwargs)
    elif (getattr(function, "__module__", "") or "").partition(".")[0] not in _LIBRARIES:
        return function(*args, **kwargs)
    if method_shims.is_handled(function):
        return method_shims.call(function, args, kwargs)
    if function is inspect.stack:
        frames = inspect.getouterframes(sys._getframe(1), *args, **kwargs)
        return [frame for frame in frames if frame.frame.f_code is not call.__code__]
    if "projection" in kwargs and getattr(function, "__name__", "") == "gca":
        return method_shims.axes(function, args, kwargs)
    kwargs = method_shims.current_keywords(function, kwargs)
    module_name = getattr(function, "__module__", None) or ""
    if module_name.startswith("pandas"):
        return pandas_shims.call(function, args, kwargs)
    if any(function is writes for writes in (np.save, np.savez, np.savez_compressed)):
        return _save_arrays(function, args, kwargs)
    if function is np.load and is_safe():
        return file_shims.load_without_pickles(function, args, kwargs)
    if function is np.load and len(args) < 3 and "allow_pickle" not in kwargs:
        return file_shims.load_arrays(function, args, kwargs)
    if function is np.issubdtype:
        return _is_subtype(*args, **kwargs)
    if function is np.fromstring:
        return _from_bytes(args, kwargs)
    if function is pickle.load or function is pickle.loads:
        return file_shims.unpickle(function, args, kwargs)
    if module_name.startswith("scipy.ndimage"):
        return _rotate(function, args, kwargs)
    if _sorts_indices(function):
        return introsort.sorting_indices(function, args, kwargs)
    if function is re.split:
        return method_shims.split(*args, **kwargs)
    if function is np.reshape and "newshape" in kwargs:
        return _reshape(args, kwargs)
    if module_name == "yaml" and function.__name__ == "load":
        return file_shims.load_yaml(function, args, kwargs)
    if module_name == "h5py._hl.files" and len(args) == 1:
        return file_shims.open_hdf5(function, args[0], kwargs)
    if "n_iter" in kwargs and module_name.startswith("sklearn.manifold"):
        return _embedding(function, args, kwargs)
    return function(*args, **kwargs)


def _sorts_indices(function: Callable) -> bool:
    """Whether the function is `np.argsort` or the array method."""
    if function is np.argsort:
        return True
    array = getattr(function, "__self__", None)
    return isinstance(array, np.ndarray) and getattr(function, "__name__", "") == "argsort"


def _save_arrays(function: Callable, args: tuple, kwargs: dict[str, Any]) -> Any:
    """Saves arrays, converting ragged nested lists to object arrays."""
    words = {k: v if k in _NO_ARRAYS else _list_as_array(v) for k, v in kwargs.items()}
    return function(*args[:1], *map(_list_as_array, args[1:]), **words)


def _list_as_array(value: Any) -> Any:
    return _array(np.array, (value,), {}) if isinstance(value, (list, tuple)) else value


def _is_subtype(dtype: Any, scalar_type: Any, /) -> bool:
    """Implements `np.issubdtype`, with Python's number types matching numbers of any size."""
    if np.issubdtype(dtype, scalar_type):
        return True
    abstract_type = _ABSTRACT_TYPES.get(scalar_type) if isinstance(scalar_type, type) else None
    if abstract_type is None or not np.issubdtype(dtype, abstract_type):
        return False
    text = f"is of one size today; np.{abstract_type.__name__} is meant."
    warn_once(f"issubdtype {scalar_type}", f"np.issubdtype(dtype, {scalar_type.__name__}) {text}")
    return True


def _array(function: Callable, args: tuple, kwargs: dict[str, Any]) -> Any:
    try:
        return tensor_element_shims.call(function, args, kwargs)
    except OverflowError:
        dtype = np.dtype(args[1] if len(args) > 1 else kwargs.get("dtype"))
        if dtype.kind not in "iu":
            raise
        return function(numpy_integer_shims.wrap_around(args[0], dtype), *args[1:], **kwargs)
    except ValueError as error:
        if kwargs.get("copy") is False and "avoid copy" in str(error):
            warn_once(
                "copy", "np.array(copy=False) copies if necessary here, like copy=None in NumPy 2."
            )
            return _array(function, args, {**kwargs, "copy": None})
        if "inhomogeneous" not in str(error):
            raise
        if len(args) > 1 or "dtype" in kwargs:
            converted = single_element_shims.to_scalars(args[0])
            if converted is args[0]:
                raise
            return function(converted, *args[1:], **kwargs)
    warn_once(
        "ragged",
        "numpy requires dtype=object for ragged lists; it is set here.",
    )
    return _array(function, args, {**kwargs, "dtype": object})


def _from_bytes(args: tuple, kwargs: dict[str, Any]) -> Any:
    try:
        return np.fromstring(*args, **kwargs)
    except ValueError as error:
        if "binary mode" not in str(error):
            raise
    warn_once(
        "fromstring", "np.fromstring of bytes was removed; a copy of np.frombuffer replaces it."
    )
    if args and isinstance(args[0], str):
        args = (args[0].encode("utf-8", "surrogateescape"), *args[1:])
    return np.frombuffer(*args[:3], **{k: v for k, v in kwargs.items() if k != "sep"}).copy()


def _rotate(function: Callable, args: tuple, kwargs: dict[str, Any]) -> Any:
    """Implements `ndimage.rotate` with a one-element array as the angle, which was once accepted."""
    angle = args[1] if len(args) > 1 else kwargs.get("angle")
    if function.__name__ != "rotate" or not isinstance(angle, np.ndarray) or angle.shape != (1,):
        return function(*args, **kwargs)
    warn_once(
        "rotate",
        "scipy.ndimage.rotate no longer accepts a one-element array; it is converted to a number here.",
    )
    if len(args) > 1:
        return function(args[0], angle.item(), *args[2:], **kwargs)
    return function(*args, **{**kwargs, "angle": angle.item()})


def _embedding(function: Callable, args: tuple, kwargs: dict[str, Any]) -> Any:
    if "n_iter" not in inspect.signature(function).parameters:
        warn_once("TSNE", "TSNE(n_iter=...) was removed; max_iter=... replaces it.")
        kwargs["max_iter"] = kwargs.pop("n_iter")
    return function(*args, **kwargs)


def _reshape(args: tuple, kwargs: dict[str, Any]) -> Any:
    """Calls `np.reshape` with NumPy 2.1's name of the shape parameter; the older name is deprecated, later removed."""
    if "shape" in inspect.signature(np.reshape).parameters:
        warn_once("newshape", "np.reshape(newshape=...) is shape=... since NumPy 2.1.")
        kwargs["shape"] = kwargs.pop("newshape")
    return np.reshape(*args, **kwargs)
