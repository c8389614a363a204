"""tfmini.errors: classes, codes, and string forms with the failing operation."""

import pickle
import subprocess
import sys

import pytest

from tfmini import errors
from tfmini._src.base import errors as errors_module

# TensorFlow's error codes.
CODES = {
    1: errors.CancelledError,
    2: errors.UnknownError,
    3: errors.InvalidArgumentError,
    4: errors.DeadlineExceededError,
    5: errors.NotFoundError,
    6: errors.AlreadyExistsError,
    7: errors.PermissionDeniedError,
    8: errors.ResourceExhaustedError,
    9: errors.FailedPreconditionError,
    10: errors.AbortedError,
    11: errors.OutOfRangeError,
    12: errors.UnimplementedError,
    13: errors.InternalError,
    14: errors.UnavailableError,
    15: errors.DataLossError,
    16: errors.UnauthenticatedError,
}


class FakeOp:
    """The attributes of an operation that errors use."""

    def __init__(self, name, frames, original=None):
        self.name = name
        self.traceback = frames
        self._original_op = original


@pytest.mark.parametrize("code, error_class", CODES.items())
def test_every_error_class(code, error_class):
    error = error_class("the node def", None, "it failed")
    assert isinstance(error, errors.OpError)
    assert (error.error_code, error.message, error.node_def) == (code, "it failed", "the node def")
    assert (str(error), error.op, error.args) == ("it failed", None, ())
    assert errors.exception_type_from_error_code(code) is error_class
    assert errors.error_code_from_exception_type(error_class) == code
    assert type(errors_module.make_error(None, None, "m", code)) is error_class
    loaded = pickle.loads(pickle.dumps(error))
    assert type(loaded) is error_class
    assert (loaded.message, loaded.error_code) == ("it failed", code)


@pytest.mark.parametrize(
    ("failing", "shown"),
    [
        (
            "tf.check_numerics([1e50], 'x')",
            "tfmini.errors.InvalidArgumentError: x : Tensor had Inf",
        ),
        ("tf.train.NanTensorHook(1).after_run(0, L())", "tfmini.train.NanLossDuringTrainingError"),
    ],
)
def test_tracebacks_print_the_public_name(failing, shown):
    """In a program that has not accessed `tf.errors`."""
    program = f"""
import tfmini as tf
class L: results = float("nan")
with tf.Session() as session: session.run({failing})
"""
    process = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert f"\n{shown}" in process.stderr


def test_error_code_constants():
    assert errors.OK == 0
    assert (errors.NOT_FOUND, errors.UNAUTHENTICATED, errors.DATA_LOSS) == (5, 16, 15)


def test_op_error_pickles():
    error = errors.OpError(None, None, "m", 77)
    assert pickle.loads(pickle.dumps(error)).error_code == 77
    unknown = errors.UnknownError(None, None, "m", 77)
    assert pickle.loads(pickle.dumps(unknown)).error_code == 77
    assert errors_module.make_error(None, None, "m", 77).error_code == 77


def test_unknown_codes_and_classes():
    with pytest.raises(KeyError, match="0"):
        errors.exception_type_from_error_code(0)
    with pytest.warns(UserWarning, match="Unknown class exception"):
        result = errors.error_code_from_exception_type(ValueError)
    assert type(result) is errors.UnknownError


def test_message_shows_operation_traceback():
    frames = [
        ("/home/me/train.py", 5, "<module>", "main()"),
        ("/home/lib/ops.py", 7, "matmul", "return raw.MatMul(a, b)"),
    ]
    error = errors.InvalidArgumentError(None, FakeOp("MatMul_1", frames), "bad shapes")
    assert str(error) == (
        "bad shapes\n\nOriginal stack trace for 'MatMul_1':\n"
        '  File "/home/me/train.py", line 5, in <module>\n    main()\n'
        '  File "/home/lib/ops.py", line 7, in matmul\n    return raw.MatMul(a, b)\n'
    )
    assert error.op.name == "MatMul_1"


def test_message_shows_original_operation():
    shared = [("/a/x.py", line, "f", f"line {line}") for line in range(1, 6)]
    created = [*shared, ("/a/x.py", 9, "g", "gradients()")]
    first = FakeOp("mul", [*shared, ("/a/x.py", 8, "g", "mul()")])
    error = errors.InternalError(None, FakeOp("gradients/mul", created, first), "m")

    def line(number, function, text):
        return f'  File "/a/x.py", line {number}, in {function}\n    {text}\n'

    assert str(error) == (
        "m\n\nOriginal stack trace for 'gradients/mul':\n"
        + "".join(line(n, "f", f"line {n}") for n in range(1, 6))
        + line(9, "g", "gradients()")
        + "\n...which was originally created as op 'mul', defined at:\n"
        + line(1, "f", "line 1")
        + "[elided 3 identical lines from previous traceback]\n"
        + line(5, "f", "line 5")
        + line(8, "g", "mul()")
    )
