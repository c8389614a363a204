"""Control flow in eager mode is Python's; checks fail immediately. Values and messages are TensorFlow 1.15.5's."""

import pytest

import tfmini as tf

pytestmark = pytest.mark.usefixtures("eager")


def number(value):
    return tf.constant(value)


def test_cond_calls_one_branch():
    def never():
        raise AssertionError

    assert tf.cond(number(True), lambda: number(1), never).numpy() == 1
    assert tf.cond(False, never, lambda: number(2)).numpy() == 2
    assert tf.cond(number(True), lambda: None, never) is None
    assert tf.cond(number(True), lambda: [3], never, strict=True) == [3]
    pairs = [(number(False), never), (number(True), lambda: number(2))]
    assert tf.case(pairs, default=never).numpy() == 2
    assert tf.switch_case(number(1), {0: never, 1: lambda: number(6)}).numpy() == 6
    assert tf.switch_case(number(7), [never], default=lambda: number(9)).numpy() == 9


def test_while_loop_runs_in_python():
    assert tf.while_loop(lambda i: i < 5, lambda i: i + 1, [number(0)]).numpy() == 5
    ended = tf.while_loop(lambda i: i < 5, lambda i: i + 1, [number(0)], maximum_iterations=3)
    assert ended.numpy() == 3
    i, doubled = tf.while_loop(lambda i, j: i < 5, lambda i, j: (i + 1, j * 2), (0, 1))
    assert (i.numpy(), doubled.numpy()) == (5, 32)
    [kept] = tf.while_loop(lambda i: i < 2, lambda i: [i + 1], [0], return_same_structure=True)
    assert kept.numpy() == 2
    _, grown = tf.while_loop(
        lambda i, x: i < 2, lambda i, x: (i + 1, tf.concat([x, x], 0)), (number(0), number([1]))
    )
    assert grown.numpy().tolist() == [1, 1, 1, 1]
    with pytest.raises(ValueError, match="don't have the same nested structure"):
        tf.while_loop(lambda i: i < 3, lambda i: (i + 1, i), [number(0)])


def test_map_fn_and_scan():
    rows = number([1, 2, 3])
    assert tf.map_fn(lambda x: x * 2, rows).numpy().tolist() == [2, 4, 6]
    assert tf.scan(lambda a, x: a + x, rows).numpy().tolist() == [1, 3, 6]
    reverse = tf.scan(lambda a, x: a + x, rows, initializer=10, reverse=True)
    assert reverse.numpy().tolist() == [16, 15, 13]
    assert tf.foldl(lambda a, x: a - x, rows).numpy() == -4
    assert tf.foldr(lambda a, x: a - x, rows, initializer=number(1)).numpy() == -5


@pytest.mark.parametrize(
    "message, check",
    [
        (
            "Expected 'tf.Tensor(False, shape=(), dtype=bool)' to be true. Summarized data: b'x'\n1, 2, ...",
            lambda: tf.Assert(number(False), ["x", number([1, 2, 3])], summarize=2),
        ),
        (
            "mm\nCondition x == y did not hold.\nIndices of first 1 different values:\n[[1]]\nCorresponding x "
            "values:\n[2]\nCorresponding y values:\n[3]\nFirst 1 elements of x:\n[1]\nFirst 1 elements of y:\n[1]",
            lambda: tf.assert_equal(number([1, 2]), number([1, 3]), message="mm", summarize=1),
        ),
        (
            "Condition x < y did not hold.\nFirst 1 elements of x:\n[3]\nFirst 1 elements of y:\n[2]",
            lambda: tf.assert_less(number(3), number(2)),
        ),
        (
            "no\nCondition x < 0 did not hold element-wise:\nx (shape=(2,) dtype=int32) = \n['1', '-5']",
            lambda: tf.assert_negative(number([1, -5]), message="no"),
        ),
        (
            "Shape of tensor dummy_input [2] is not compatible with expected shape [3]. [Op:EnsureShape]",
            lambda: tf.ensure_shape(number([1, 2]), [3]),
        ),
        (
            "msg : Tensor had NaN values [Op:CheckNumerics]",
            lambda: tf.debugging.check_numerics(float("nan"), "msg"),
        ),
    ],
)
def test_failed_checks_raise_immediately(message, check):
    with pytest.raises(tf.errors.InvalidArgumentError) as caught:
        check()
    assert str(caught.value) == message


@pytest.mark.parametrize(
    "kind, message, check",
    [
        (
            ValueError,
            ".  Tensor  must have rank 2.  Received rank 1, shape (2,)",
            lambda: tf.assert_rank(number([1, 2]), 2),
        ),
        (
            TypeError,
            " tensor must be of type <dtype: 'float32'>",
            lambda: tf.assert_type(number(1), tf.float32),
        ),
        (
            TypeError,
            "  Expected \"x\" to be integer type.  Found: tensor of dtype <dtype: 'float32'>",
            lambda: tf.assert_integer(number(1.0)),
        ),
        (
            ValueError,
            "Expected scalar shape, saw shape: (1,).",
            lambda: tf.assert_scalar(number([1])),
        ),
        (
            RuntimeError,
            "assign op does not support eager execution. Arg 'output_ref' is a ref.",
            lambda: tf.raw_ops.Assign(ref=number(1), value=number(2)),
        ),
    ],
)
def test_static_checks_without_values(kind, message, check):
    with pytest.raises(kind) as caught:
        check()
    assert str(caught.value) == message


def test_print_runs_immediately(capsys):
    tf.print("x", number([1, 2]), {"a": number(1)}, output_stream="file:///dev/stdout")
    assert tf.strings.format("{} {}", (number([1, 2]), number("a"))).numpy() == b'[1 2] "a"'
