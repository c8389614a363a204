"""The public names of a tensorflow or a tfmini, each in a line: its kind, signature or value.

Runs under TensorFlow 1.15.5 on Python 3.7 (`ci/record` writes tests/golden/api.json.xz with it) and
under tfmini (`tests/conformance/test_api.py` compares). A description is one dict:

    "tf.add": "function (x, y, name=None)"          "tf.Session": "class (target='', ...)"
    "tf.Session.run": "method (fetches, ...)"       "tf.Session.graph": "property"
    "tf.newaxis": "value None"                      "tf.ConfigProto": "message"
    "tf.raw_ops.Add": "function (x, y, name=None)"  "tf.train": "module"
"""

import enum
import inspect
import types

from tests.support import goldens

PATH = goldens.golden_path("api.json.xz")

# tf.contrib is too large to record completely: the parts that programs use.
CONTRIB = (
    *(
        "bayesflow",
        "checkpoint",
        "cluster_resolver",
        "copy_graph",
        "kernel_methods",
        "mixed_precision",
        "linear_optimizer",
        "model_pruning",
        "quantize",
        "receptive_field",
        "saved_model",
        "signal",
        "solvers",
        "stateless",
    ),
    *(
        "crf",
        "deprecated",
        "cudnn_rnn",
        "data",
        "distribute",
        "distributions",
        "estimator",
        "factorization",
        "feature_column",
        "framework",
        "graph_editor",
        "grid_rnn",
        "image",
        "integrate",
        "layers",
    ),
    *("learn", "legacy_seq2seq", "lookup", "losses", "metrics", "nn", "opt", "predictor"),
    *("resampler", "rnn", "seq2seq", "slim", "sparsemax", "staging", "summary", "tensorboard"),
    *("tensor_forest", "testing", "tfprof", "timeseries", "tpu", "training", "util"),
)

# Namespaces recorded elsewhere, or not at all.
LEFT_OUT = {"tf.compat.v1", "tf.compat.v2", "tf.lite", "tf.tpu"}

NEST = "tensorflow.python.util.nest"
BIJECTORS = "tensorflow.contrib.distributions.python.ops.bijectors"

# Dunder methods called by users, and those called only by Python.
CALLED = {"__call__", "__getitem__"}
SPECIAL = {"__contains__", "__enter__", "__exit__", "__iter__", "__len__"}


def describe(tf, namespaces=None):
    """Descriptions of all public names under `tf`; limited to modules in `namespaces`, if given."""
    names = {}
    modules = [("tf", tf)]
    if hasattr(tf, "contrib"):
        found = [(part, getattr(tf.contrib, part, None)) for part in CONTRIB]
        modules += [("tf.contrib." + part, module) for part, module in found if module]
    while modules:
        path, module = modules.pop()
        for name, value in public(module):
            full = path + "." + name
            if not isinstance(value, types.ModuleType):
                names.update(entry(full, value))
            elif full in namespaces if namespaces else is_namespace(value, full):
                names[full] = "module"
                modules.append((full, value))
    return names


def public(module):
    """A module's public names and values: its `__all__`, or all except those of `__future__`."""
    ours = module.__name__.startswith("tfmini")
    for name in module.__all__ if ours and hasattr(module, "__all__") else sorted(dir(module)):
        if not name.startswith("_"):
            value = getattr(module, name, None)
            if type(value).__name__ != "_Feature":
                yield name, value


def is_namespace(module, full):
    """Whether a module of TensorFlow is a namespace, instead of only being imported there."""
    name = getattr(module, "__name__", "")
    known = (
        "._api.v1." in name
        or ".api._v1." in name
        or name in ("tensorflow.python.platform.flags", NEST, BIJECTORS)
    )
    return known and full not in LEFT_OUT


def entry(full, value):
    if isinstance(value, type):
        if hasattr(value, "DESCRIPTOR"):
            return {full: "message"}
        return dict(members(full, value), **{full: "class " + constructor(value)})
    if callable(value):
        return {full: "function " + signature(value)}
    return {full: "value " + default(value)}


def constructor(cls):
    """The signature of a class: of its __init__, else of its __new__; "" for an enumeration."""
    if issubclass(cls, enum.Enum):
        return ""
    for name in ("__init__", "__new__"):
        method = getattr(cls, name)
        if method is not getattr(object, name) and hasattr(method, "__code__"):
            return signature(method, bound=True)
    return "()"


def members(full, cls):
    """The attributes of a class that TensorFlow defines, rather than Python or another library."""
    made = {}
    for name in dir(cls):
        owner = next((c for c in cls.__mro__ if name in vars(c)), None)
        if owner is None or (name.startswith("_") and name not in CALLED | SPECIAL):
            continue
        if type(vars(owner)[name]).__name__ == "_OnlyEager":  # raises in graphs, with a hint
            continue
        if not owner.__module__.startswith(("tensorflow", "tfmini")):
            continue
        made[full + "." + name] = "method" if name in SPECIAL else member(vars(owner)[name])
    return made


def member(value):
    if isinstance(value, (classmethod, staticmethod)):
        return (
            type(value).__name__
            + " "
            + signature(value.__func__, bound=isinstance(value, classmethod))
        )
    if inspect.isroutine(value) and not isinstance(value, types.MemberDescriptorType):
        return "method " + signature(value, bound=True)
    if isinstance(value, enum.Enum):
        return "value " + str(value.value)
    if inspect.isdatadescriptor(value):
        return "property"
    return "value " + default(value)


def signature(function, bound=False):
    """`(x, y=None, **kwargs)`, without annotations, and without the first parameter if it is bound."""
    try:
        found = inspect.signature(function)
    except (TypeError, ValueError):
        return "(?)"
    parts = []
    for parameter in list(found.parameters.values())[1 if bound else 0 :]:
        text = parameter.name
        if parameter.kind is parameter.VAR_POSITIONAL:
            text = "*" + text
        elif parameter.kind is parameter.VAR_KEYWORD:
            text = "**" + text
        elif parameter.kind is parameter.KEYWORD_ONLY:
            text = "[" + text + "]"
        if parameter.default is not parameter.empty:
            text += "=" + default(parameter.default)
        parts.append(text)
    return "(" + ", ".join(parts) + ")"


def default(value):
    """The text of a default or a constant, independent of the library."""
    if value is None or isinstance(value, (bool, int, float, str, bytes)):
        return repr(value)
    if isinstance(value, (set, frozenset)):
        return "{" + ", ".join(sorted(default(item) for item in value)) + "}"
    if isinstance(value, (tuple, list)):
        brackets = "[]" if isinstance(value, list) else "()"
        return brackets[0] + ", ".join(default(item) for item in value) + brackets[1]
    if type(value).__name__ == "DType":
        return "tf." + value.name
    if isinstance(value, enum.Enum):
        return value.name
    named = getattr(value, "__name__", None)
    return "<" + (named or type(value).__name__) + ">"


def write(tf):
    goldens.write(PATH, describe(tf), sort_keys=True)


def read():
    return goldens.read(PATH)
