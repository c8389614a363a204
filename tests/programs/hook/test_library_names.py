"""Libraries written for TensorFlow 1.x: each name that they use exists, each call has valid arguments."""

import inspect
import re
from collections import defaultdict
from fnmatch import fnmatchcase
from pathlib import Path

import pytest

from tests.programs.hook.test_module_names import member
from tests.support import cases
from tfmini._src.programs.hook.missing_names import MissingName, MissingType

pytestmark = pytest.mark.usefixtures("tensorflow")

LINES = Path(__file__).with_name("library_names.txt").read_text().splitlines()
CALL = re.compile(r"> tf([\w.]+)\((\d+)(?:, )?(.*)\)")

LEFT_OUT = (
    *("*.tpu.*", "*.tpu_estimator.*", "*TPU*", "tensorflow.contrib.tensor_forest.*"),
    "tensorflow.python.ops.control_flow_ops.XLAControlFlowContext",
    "tensorflow.compat.v2.xla.experimental.compile",
    "tensorflow.contrib.compiler.xla.compile",
    "tensorflow.contrib.memory_stats.MaxBytesInUse",
    "tensorflow.lite.TFLiteConverter.from_saved_model",
    "tensorflow.python.autograph.*",  # rewriting of a library's own sources
    "tensorflow.python.keras.utils.generic_utils.func_*",  # bytecode of another Python
    "tensorflow.python.ops.linalg.linear_operator_addition.add_operators",
    "tensorflow.python.framework.constant_op._tensor_shape_tensor_conversion_function",
    "tensorflow.python.framework.function_def_to_graph.function_def_to_graph",
    "tensorflow.python.framework.op_def_registry.register_op_list",
    "tensorflow.python.pywrap_tensorflow.TF_Get*",
    "tensorflow.python.saved_model.loader_impl.get_asset_tensors",
)


NAMES = defaultdict(list)  # by module
for module, *found in (line.split() for line in LINES if line.startswith("tf")):
    NAMES["tensorflow" + module[2:]] += found
CALLS = [
    (f"tensorflow{m[1]}", int(m[2]), m[3].split(", ") if m[3] else [])
    for m in filter(None, map(CALL.fullmatch, LINES))
]


def lookup(name):
    """The object of `from OWNER import NAME` in a tuple; () if it is missing."""
    owner, _, last = name.rpartition(".")
    try:
        value = getattr(member(owner), last)
    except AttributeError:
        return ()
    return () if isinstance(value, (MissingName, MissingType)) else (value,)


def is_left_out(name):
    return any(fnmatchcase(name, pattern) for pattern in LEFT_OUT)


@pytest.mark.filterwarnings("ignore")
@cases.parametrize(cases.groups({"modules": list(NAMES)}))
def test_library_names_exist(group, check_each):
    check_each(group, check_names)


def check_names(module):
    full = [f"{module}.{name}" for name in NAMES[module]]
    assert [name for name in full if not lookup(name) and not is_left_out(name)] == []


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("pattern", LEFT_OUT)
def test_left_out_names_are_missing(pattern):
    full = [f"{module}.{name}" for module in NAMES for name in NAMES[module]]
    assert any(not lookup(name) for name in full if fnmatchcase(name, pattern))


@pytest.mark.filterwarnings("ignore")
def test_library_calls_bind():
    refused = []
    for name, count, keywords in CALLS:
        for function in () if is_left_out(name) else lookup(name):
            if inspect.isbuiltin(function):
                continue
            try:
                inspect.signature(function).bind(*range(count), **dict.fromkeys(keywords))
            except TypeError as error:
                refused.append((name, count, keywords, str(error)))
    assert refused == []
