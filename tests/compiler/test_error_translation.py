"""Kernel errors as seen by programs: class, message, node, and the line that created it."""

import numpy as np
import pytest

import tfmini as tf
from tests.executor.programs import lowered
from tfmini._src.base import errors
from tfmini._src.compiler import error_translation
from tfmini._src.compiler.error_translation import translate

GPU = "/job:localhost/replica:0/task:0/device:GPU:3"
CPU = "/job:localhost/replica:0/task:0/device:CPU:0"


@pytest.fixture
def node(graph):
    """The sum of a vector of unknown length and one of 3 elements, in int16."""
    x = tf.placeholder(tf.int16, [None], name="x")
    total = tf.add(x, tf.placeholder(tf.int16, [3], name="y"), name="total")
    program = lowered(total, feeds=[x, total.op.inputs[1]])
    (error,) = [n for n in program.nodes if n.kind == "op" and n.origin.name == "total"]
    return error


def translated(error, node, inputs=(), **more):
    """An error's class and text, without its file."""
    result = translate(error, node, list(inputs), {}, lambda: "what is in use", **more)
    assert result.op is node.origin or more
    text = result.message.replace(__file__, "HERE")
    first, _, rest = text.partition("\n\t [[node total (defined at HERE:")
    assert rest or more, text
    return type(result), first, rest.partition(" ]]")[2]


INPUTS = (np.zeros(5, np.int16), np.zeros(3, np.int16))


def test_broadcast_errors_become_incompatible_shapes(node):
    error = translated(ValueError("operands could not be broadcast"), node, INPUTS)
    assert error == (errors.InvalidArgumentError, "Incompatible shapes: [5] vs. [3]", "")


def test_other_errors_become_internal(node):
    undecodable = UnicodeDecodeError("utf-8", b"\xff", 0, 1, "invalid start byte")
    for error in (TypeError("no such thing"), ZeroDivisionError("by 0"), undecodable):
        result = translated(error, node, INPUTS[:1])
        assert result == (errors.InternalError, f"{type(error).__name__}: {error}", "")


def test_kernel_range_errors_become_invalid_argument(node):
    wanted = "Add cannot compute with inputs of these shapes or elements: x: int16[5], y: int16[3]"
    for error in (IndexError("too far"), OverflowError("too large")):
        result = translated(error, node, INPUTS)
        assert result == (errors.InvalidArgumentError, f"{wanted} ({error})", "")


def test_exit_exceptions_are_not_translated(node):
    assert translate(KeyboardInterrupt(), node, [], {}, str) is None
    assert translate(SystemExit(3), node, [], {}, str) is None


@pytest.mark.parametrize(
    "error",
    [
        MemoryError(),
        ValueError("array is too big; `arr.size * arr.dtype.itemsize` is larger"),
        ValueError("Maximum allowed dimension exceeded"),
        ValueError("iterator is too large"),
    ],
)
def test_memory_errors_become_resource_exhausted(node, error):
    inputs = np.zeros(1, np.int16), np.zeros(3, np.int16)
    text = f"OOM when allocating tensor with shape[3] and type int16 on {CPU} by allocator cpu"
    expected = (errors.ResourceExhaustedError, text, "\nwhat is in use\n")
    assert translated(error, node, inputs) == expected
    node.device = GPU
    text = (
        f"OOM when allocating tensor with shape[3] and type int16 on {GPU} by allocator GPU_3_bfc"
    )
    assert translated(error, node, inputs)[1] == text


def test_static_shape_replaces_freed_inputs(node):
    for inputs in ((None, INPUTS[1]), (np.zeros((2, 2)), INPUTS[0])):
        assert "with shape[3] and type int16" in translated(MemoryError(), node, inputs)[1]


def test_kernel_message_placeholders_name_node(node):
    error = errors.NotFoundError(None, None, "{{name}} has no {{node}}here")
    kind, text, rest = translated(error, node)
    assert (kind, rest) == (errors.NotFoundError, "")
    assert text.startswith("total has no node total (defined at HERE:") and text.endswith("here")


def test_unclassified_error_code_is_preserved(node):
    error = translate(errors.OpError(None, None, "odd", 77), node, [], {}, str)
    assert (type(error), error.error_code, error.op) == (errors.OpError, 77, node.origin)


def test_fetch_error_names_retval(node):
    error = errors.FailedPreconditionError(None, None, "Attempting to use uninitialized value w")
    result = translate(error, node, [], {}, str, retval="_retval_w_0_0")
    assert result.message == f"{error.message}\n\t [[{{{{node _retval_w_0_0}}}}]]"
    assert result.op is None and type(result) is errors.FailedPreconditionError
    other = translate(
        errors.NotFoundError(None, None, "x"), node, [], {}, str, retval="_retval_w_0_0"
    )
    assert other.op is node.origin


def test_failed_line_is_outermost_non_call():
    source = (
        "def inner(n):\n    return 1 // n\n\ndef outer(n):\n    m = n - 1\n    return inner(m)\n"
    )
    names = {}
    exec(compile(source, "made.py", "exec"), names)
    with pytest.raises(ZeroDivisionError, match="zero") as caught:
        names["outer"](1)
    trace = caught.value.__traceback__
    lines = error_translation.failing_lines(trace, "made.py")
    assert lines == [(6, {"n": 1, "m": 0}), (2, {"n": 0})]
    assert error_translation.failing_line(trace, "made.py") == lines[0]
    assert error_translation.failing_line(trace, "made.py", frozenset([6])) == lines[1]
    assert error_translation.failing_line(trace, "made.py", frozenset([6, 2])) == lines[1]
    assert error_translation.failing_line(trace, "other.py") is None
