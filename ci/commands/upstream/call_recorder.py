"""Records the public functions that TensorFlow's tests call, with their arguments as plain data.

    python3.7 ci/commands/upstream/call_recorder.py FOLDER --sources DIR --output FILE ... < names    as worker.py

Runs under TensorFlow 1.15.5. Writes a line of JSON to FOLDER for each outermost call of a public function, constructor
or method with serializable arguments (`tests/conformance/recorded_calls` reads them), keeping the smallest call of each
kind (`call_kinds`). Results are not recorded: they are recomputed from the record alone.
"""

import functools
import inspect
import json
import os
import runpy
import sys
import threading
import types

import numpy as np
import tensorflow as tf
from tensorflow.python.framework import func_graph, tensor_util
from tensorflow.python.ops import resource_variable_ops

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [HERE, os.path.dirname(os.path.dirname(os.path.dirname(HERE)))]
import call_kinds  # noqa: E402  # next to this file
import shim  # noqa: E402

from tests.conformance import public_names  # noqa: E402

MAX_ELEMENTS = 200  # per array; larger ones are drawn again
MAX_DRAWN = 5000
MAX_CALLS = 400  # per function and test file
MAX_ANCESTORS = 300
LONGEST_TEXT = 60

# Namespaces whose functions act on files, processes or whole graphs, or take arguments that only a test has.
LEFT_OUT = (
    "tf.test tf.raw_ops tf.gfile tf.app tf.flags tf.logging tf.sysconfig tf.resource_loader tf.python_io tf.io.gfile "
    "tf.profiler tf.distribute tf.contrib.distribute tf.contrib.tpu tf.contrib.eager tf.contrib.testing tf.errors "
    "tf.saved_model tf.estimator tf.keras.models tf.keras.estimator tf.user_ops tf.version tf.debugging.set_log "
    "tf.autograph tf.Graph tf.Session tf.InteractiveSession tf.Operation tf.Tensor tf.train.Saver tf.train.Server "
    "tf.enable_ tf.disable_ tf.py_func tf.load_ tf.train.SessionManager tf.contrib.learn tf.contrib.graph_editor "
    "tf.GradientTape tf.executing_eagerly tf.function tf.contrib.framework.nest tf.Module tf.keras.datasets "
    "tf.get_default_graph tf.get_default_session tf.reset_default_graph tf.set_random_seed tf.print tf.Print "
    "tf.random.set_seed tf.random.set_random_seed tf.compat.as_ tf.register_tensor tf.data.experimental.make_saveable"
).split()
PACKAGES = (os.path.dirname(tf.sysconfig.get_lib()), os.path.dirname(os.__file__))
HELPERS = ("testing_utils.py", "test_base.py", "linear_operator_test_util.py")
METHODS = ("__call__", "__getitem__")
RANDOM = ("RandomUniform", "RandomUniformInt", "RandomStandardNormal", "TruncatedNormal")


class NotPlain(Exception):
    """An argument that cannot be serialized."""


class Recorder:
    """Wraps TensorFlow's public names and records calls from outside."""

    def __init__(self):
        self._names = {}  # public names, by object id
        self._made = {}  # records of objects returned by recorded calls, by id, with the object
        self._converted_ops = threading.local()
        self._sessions = {}
        self._counts = {}
        self._smallest = {}
        self._out = None
        self._wrap()

    def start(self, path):
        self._out = open(path, "a")

    def _wrap(self):
        functions, classes = {}, {}
        for full, value in sorted(_public(), key=_plainest):
            if id(value) in self._names:
                continue
            if isinstance(value, types.FunctionType):
                self._names[id(value)] = full
                if not full.startswith(tuple(LEFT_OUT)):
                    functions[id(value)] = (value, self._function(value, full))
            elif isinstance(value, type) and not hasattr(value, "DESCRIPTOR"):
                self._names[id(value)] = full
                classes[id(value)] = (value, full)
        for original, wrapper in functions.values():
            self._names[id(wrapper)] = self._names[id(original)]
        for module in list(sys.modules.values()):
            if getattr(module, "__name__", "").startswith(("tensorflow.", "tensorflow_")):
                _replace(module, functions)
        done = set()
        for cls, full in classes.values():
            if full.startswith(tuple(LEFT_OUT)) or issubclass(cls, (BaseException, tf.Tensor)):
                continue
            for base in cls.__mro__:
                if base.__module__.startswith("tensorflow") and base not in done:
                    done.add(base)
                    self._wrap_class(base)

    def _wrap_class(self, cls):
        for name, value in list(vars(cls).items()):
            public = not name.startswith("_") or name in METHODS
            if name == "__init__" and isinstance(value, types.FunctionType):
                setattr(cls, name, self._constructor(value))
            elif public and isinstance(value, types.FunctionType):
                setattr(cls, name, self._method(value, name))
            elif public and isinstance(value, staticmethod) and id(cls) in self._names:
                full = self._names[id(cls)] + "." + name
                setattr(cls, name, staticmethod(self._function(value.__func__, full)))

    def _function(self, function, full):
        @functools.wraps(function)
        def wrapper(*args, **kwargs):
            return self._call(function, full, None, args, kwargs)

        wrapper.__signature__ = inspect.signature(function)
        return wrapper

    def _constructor(self, function):
        @functools.wraps(function)
        def __init__(this, *args, **kwargs):
            name = self._names.get(id(type(this)))
            if name is None or name.startswith(tuple(LEFT_OUT)):
                return function(this, *args, **kwargs)
            return self._call(functools.partial(function, this), name, None, args, kwargs, this)

        __init__.__signature__ = inspect.signature(function)
        return __init__

    def _method(self, function, name):
        @functools.wraps(function)
        def method(this, *args, **kwargs):
            return self._call(functools.partial(function, this), "." + name, this, args, kwargs)

        method.__signature__ = inspect.signature(function)
        return method

    def _call(self, function, full, this, args, kwargs, made=None):
        thread_state = self._converted_ops
        if getattr(thread_state, "call", False) or not _is_of_a_test(sys._getframe(2)):
            return function(*args, **kwargs)
        if self._out is None or tf.executing_eagerly():
            return function(*args, **kwargs)
        thread_state.call = True
        try:
            record = self._record(function, full, this, args, kwargs)
            try:
                result = function(*args, **kwargs)
            except Exception:
                self._write(record)
                raise
            self._write(record)
            made = result if made is None else made
            if record is not None and not _is_plain(made):
                self._made[id(made)] = (record, made)
            return result
        finally:
            thread_state.call = False

    def _record(self, function, full, this, args, kwargs):
        """The call as plain data, or None."""
        try:
            if isinstance(tf.get_default_graph(), func_graph.FuncGraph):
                return None
            record = {"f": full}
            if this is not None:
                record["o"] = self._encode(this)
                if not isinstance(record["o"], dict):
                    return None
                full = call_kinds.owner(record["o"]) + full
            self._counts[full] = self._counts.get(full, 0) + 1
            if self._counts[full] > MAX_CALLS:
                return None
            if args:
                record["a"] = [self._encode(each) for each in args]
            if kwargs:
                record["k"] = {key: self._encode(value) for key, value in kwargs.items()}
            record["n"] = list(inspect.signature(function).parameters)[: len(args)]
            return record
        except NotPlain:
            return None
        except Exception as error:
            print("NOT RECORDED", full, repr(error)[:200], file=sys.stderr)
            return None

    def _write(self, record):
        if record is None:
            return
        text = json.dumps(record, sort_keys=True)
        kind = call_kinds.kind(record)
        if len(text) < min(6000, self._smallest.get(kind, 6000)):
            self._smallest[kind] = len(text)
            self._out.write(text + "\n")
            self._out.flush()

    def _encode(self, value):
        if value is None or isinstance(value, (bool, int)):
            return value
        if type(value) is float:
            return value if np.isfinite(value) else {"float": repr(value)}
        if type(value) is str:
            return _text(value)
        if type(value) is bytes:
            return {"bytes": _text(value.decode("latin1"))}
        if id(value) in self._names:
            return {"name": self._names[id(value)]}
        if id(value) in self._made and not isinstance(value, tf.Tensor):
            return {"call": self._made[id(value)][0]}
        if isinstance(value, list):
            return [self._encode(each) for each in value]
        if isinstance(value, dict) and type(value) is dict:
            return {"dict": [[self._encode(k), self._encode(value[k])] for k in value]}
        for encoding in (self._encoded_array, self._encoded_tensor, self._encoded_other):
            encoded = encoding(value)
            if encoded is not None:
                return encoded
        raise NotPlain(type(value))

    def _encoded_array(self, value):
        if isinstance(value, np.ndarray):
            return _array("array", value)
        if isinstance(value, np.generic):
            return _array("scalar", np.asarray(value))
        if isinstance(value, type) and issubclass(value, np.generic):
            return {"numpy": value.__name__}
        return {"np.dtype": value.name} if isinstance(value, np.dtype) else None

    def _encoded_tensor(self, value):
        if isinstance(value, tf.Variable):
            return self._encoded_variable(value)
        if isinstance(value, tf.Tensor):
            return self._encoded_plain_tensor(value)
        if isinstance(value, tf.SparseTensor):
            parts = (value.indices, value.values, value.dense_shape)
            return {"sparse": [self._encode(each) for each in parts]}
        if isinstance(value, tf.SparseTensorValue):
            return {"sparse_value": [self._encode(np.asarray(each)) for each in value]}
        if isinstance(value, tf.IndexedSlices):
            parts = (value.values, value.indices, value.dense_shape)
            return {"slices": [self._encode(each) for each in parts]}
        if isinstance(value, tf.RaggedTensor):
            splits = [self._encode(each) for each in value.nested_row_splits]
            return {"ragged": [self._encode(value.flat_values), splits]}
        return None

    def _encoded_plain_tensor(self, value):
        if value.dtype.is_compatible_with(tf.resource) or value.dtype == tf.variant:
            raise NotPlain("handle")
        dtype = value.dtype
        if dtype._is_ref_dtype or value.op._control_flow_context is not None:
            raise NotPlain("reference or inside of a loop")
        recorded = self._made.get(id(value))
        if recorded and recorded[0]["f"] == "tf.keras.Input":
            return {"call": recorded[0]}
        array = self._constant_value(value)
        static = None if value.shape.ndims is None else value.shape.as_list()
        if array is None:
            return {"placeholder": dtype.name, "s": static}
        record = _array("tensor", array)
        record["tensor"] = dtype.name
        if static != list(array.shape):
            record["static"] = static
        return record

    def _encoded_variable(self, value):
        if not isinstance(value.initial_value, tf.Tensor):
            raise NotPlain("variable of an unknown value")
        array = self._constant_value(value.initial_value)
        if array is None:
            raise NotPlain("variable of an unknown value")
        record = _array("variable", array)
        record["variable"] = value.dtype.base_dtype.name
        record["resource"] = isinstance(value, resource_variable_ops.BaseResourceVariable)
        return record

    def _constant_value(self, tensor):
        """The value of a tensor that depends only on constants, or None."""
        if isinstance(tensor.graph, func_graph.FuncGraph):
            raise NotPlain("inside of a function")
        graph = tensor.graph
        unfeedable = type(graph._unfeedable_tensors)(graph._unfeedable_tensors)
        constant = tensor_util.constant_value(tensor)
        graph._unfeedable_tensors = unfeedable
        if constant is not None:
            return np.asarray(constant)
        waiting, seen = [tensor.op], set()
        while waiting:
            op = waiting.pop()
            if op in seen:
                continue
            seen.add(op)
            stateful = op.op_def.is_stateful and op.type not in RANDOM
            fed = op.type.startswith("Placeholder") or op.control_inputs
            if stateful or fed or len(seen) > MAX_ANCESTORS:
                return None
            waiting += [each.op for each in op.inputs]
        session = self._sessions.get(id(tensor.graph))
        if session is None:
            self._sessions.clear()
            session = self._sessions[id(tensor.graph)] = tf.Session(graph=tensor.graph)
        return np.asarray(session.run(tensor))

    def _encoded_other(self, value):
        if isinstance(value, tf.DType):
            return {"dtype": value.name}
        if isinstance(value, tf.TensorShape):
            return {"shape": None if value.ndims is None else value.as_list()}
        if isinstance(value, tf.Dimension):
            return {"dimension": value.value}
        if isinstance(value, slice):
            parts = (value.start, value.stop, value.step)
            return {"slice": [self._encode(each) for each in parts]}
        if value is Ellipsis:
            return {"ellipsis": 1}
        if isinstance(value, tuple):
            if hasattr(value, "_asdict") and id(type(value)) in self._names:
                parts = {key: self._encode(each) for key, each in value._asdict().items()}
                return {"call": {"f": self._names[id(type(value))], "k": parts, "n": []}}
            if type(value) is tuple:
                return {"tuple": [self._encode(each) for each in value]}
        return None


def _is_of_a_test(frame):
    """Whether a caller is a test or a test helper, not the library itself."""
    path = frame.f_code.co_filename
    return not path.startswith(PACKAGES) or path.endswith(HELPERS)


def _public():
    """Public names and objects, including contrib."""
    modules, seen = [("tf", tf)], set()
    modules += [
        ("tf.contrib." + part, getattr(tf.contrib, part, None)) for part in public_names.CONTRIB
    ]
    while modules:
        path, module = modules.pop()
        if module is None or path in seen:
            continue
        seen.add(path)
        for name, value in public_names.public(module):
            full = path + "." + name
            if not isinstance(value, types.ModuleType):
                yield full, value
            elif public_names.is_namespace(value, full):
                modules.append((full, value))


def _plainest(named):
    full = named[0]
    return (
        full.startswith("tf.compat"),
        ".slim." in full,
        ".contrib." in full,
        full.count("."),
        len(full),
        full,
    )


def _replace(module, functions):
    inner = getattr(module, "_tfmw_wrapped_module", None)
    for names in filter(None, [vars(module), vars(inner) if inner is not None else None]):
        for name, value in list(names.items()):
            if id(value) in functions and functions[id(value)][0] is value:
                names[name] = functions[id(value)][1]


def _is_plain(value):
    return value is None or isinstance(value, (bool, int, float, str, bytes, list, dict))


def _text(value):
    if len(value) > LONGEST_TEXT or value.startswith("/") or "tmp" in value or value.count(" ") > 4:
        raise NotPlain("text")
    return value


def _array(kind, array):
    """An array by its values or, if large, by the range from which to draw them."""
    record = {kind: array.dtype.name, "s": list(array.shape)}
    if array.dtype.kind in "OSU":
        items = [each if isinstance(each, bytes) else str(each).encode() for each in array.ravel()]
        if len(items) > MAX_ELEMENTS:
            raise NotPlain("many texts")
        record[kind] = "object" if array.dtype.kind == "O" else array.dtype.kind
        record["v"] = [_text(each.decode("latin1")) for each in items]
        return record
    if array.dtype.kind not in "biufc" and array.dtype.name != "bfloat16":
        raise NotPlain("structured")
    if array.size > MAX_ELEMENTS:
        if array.size > MAX_DRAWN or array.dtype.kind not in "iuf":
            raise NotPlain("large")
        low, high = array.min(), array.max()
        if not (np.isfinite(low) and np.isfinite(high)):
            raise NotPlain("large, not finite")
        record["drawn"] = [_round(low, array.dtype), _round(high, array.dtype)]
        return record
    flat = array.ravel()
    if array.dtype.kind == "c":
        record["v"] = [[_round(z.real, z.real.dtype), _round(z.imag, z.imag.dtype)] for z in flat]
    else:
        record["v"] = [_round(each, array.dtype) for each in flat]
    return record


def _round(value, dtype):
    if dtype.kind in "iub":
        return value.item()
    value = float(value)
    if not np.isfinite(value):
        return repr(value)
    digits = {"float64": 12, "float16": 5, "bfloat16": 4}.get(dtype.name, 8)
    value = float(f"{value:.{digits}g}")
    return (
        int(value)
        if value == int(value) and abs(value) < 1e6 and not (value == 0 and np.signbit(value))
        else value
    )


def main():
    directory = os.path.abspath(sys.argv.pop(1))
    recorder, install = Recorder(), shim.install

    def install_and_record(*arguments):
        install(*arguments)
        recorder.start(os.path.join(directory, f"{os.getpid()}.jsonl"))

    shim.install = install_and_record
    runpy.run_path(os.path.join(HERE, "worker.py"))


if __name__ == "__main__":
    main()
