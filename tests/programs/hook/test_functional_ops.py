"""`tensorflow.python.ops.functional_ops`: results equal those of Python conditionals and loops."""

import pytest

import tfmini as tf
from tests.support.sessions import run

pytestmark = pytest.mark.usefixtures("tensorflow")


def test_functional_if():
    from tensorflow.python.framework.function import Defun
    from tensorflow.python.ops import functional_ops

    @Defun(tf.float32)
    def twice(x):
        return x * 2

    @Defun(tf.float32)
    def plus_one(x):
        return x + 1

    result = [functional_ops.If(n, [3.0], twice, plus_one)[0] for n in (7, 0, True)]
    assert run(result) == [6.0, 4.0, 6.0]


def test_functional_while_captures():
    from tensorflow.python.framework.function import Defun
    from tensorflow.python.ops import functional_ops

    step = tf.constant(3.0)

    @Defun(tf.float32)
    def below_ten(x):
        return x < 10

    @Defun(tf.float32)
    def next_value(x):
        return x + step

    assert run(functional_ops.While([1.0], below_ten, next_value)) == [10.0]

    @Defun(tf.int32)
    def other(n):
        return n < 10

    with pytest.raises(ValueError, match="While op 'cond' and 'body' signatures do not match."):
        functional_ops.While([1.0], other, next_value)

    @Defun(tf.float32)
    def capturing(x):
        return x < step

    with pytest.raises(ValueError, match="must be a function without implicitly captured inputs."):
        functional_ops.While([1.0], capturing, next_value)


@pytest.mark.parametrize("rewrite", [None, True])
@pytest.mark.parametrize("numbers", [(0, 5, 1), (10, 0, -3), (3, 3, 1)])
def test_functional_for(rewrite, numbers):
    from tensorflow.python.framework.function import Defun
    from tensorflow.python.ops import functional_ops

    @Defun(tf.int32, tf.float32)
    def add(i, total):
        return total + tf.cast(i, tf.float32)

    result = functional_ops.For(*numbers, [1.0], add, rewrite_with_while=rewrite)
    assert run(result) == [1.0 + sum(range(*numbers))]


def test_functional_for_captures():
    from tensorflow.python.framework.function import Defun
    from tensorflow.python.ops import functional_ops

    weight = tf.constant(2.0)

    @Defun(tf.int32, tf.float32)
    def add(i, total):
        return total + weight * tf.cast(i, tf.float32)

    assert run(functional_ops.For(0, 4, 1, [0.0], add)) == [12.0]


def test_partitioned_call_is_one_node(graph):
    from tensorflow.python.framework.function import Defun
    from tensorflow.python.ops import functional_ops

    @Defun(tf.float32, tf.float32)
    def both(x, y):
        return x + y, x * y

    result = functional_ops.partitioned_call([2.0, 5.0], both)
    assert run(list(result)) == [7.0, 10.0]
    assert result[0].op.type == "PartitionedCall"
    gradients = functional_ops.Gradient([2.0, 5.0, 1.0, 1.0], both)
    assert run(list(gradients)) == [6.0, 3.0]  # 1 + y, 1 + x


def test_node_functions_enter_the_library(graph):
    from tensorflow.python.framework.function import Defun

    @Defun(tf.float32, func_name="Twice")
    def twice(x):
        return x * 2

    tf.raw_ops.PartitionedCall(args=[tf.constant(2.0)], Tout=[tf.float32], f=twice)
    assert [function.signature.name for function in graph.as_graph_def().library.function] == [
        "Twice"
    ]


def test_mismatched_loop_functions_fail_at_run_time(tensorflow):
    from tensorflow.python.framework import function
    from tensorflow.python.ops import functional_ops

    two = tf.float32, tf.float32
    positive = function.Defun(*two)(lambda n, x: n > 0)
    both = function.Defun(*two)(lambda n, x: (n > 0, x))
    less = function.Defun(*two)(lambda n, x: (n - 1, x + n))
    more = function.Defun(*two)(lambda n, x: (n - 1, x + n, x))
    add = function.Defun(tf.int32, tf.float32)(lambda i, x: tf.cast(i, tf.float32) + x)
    twice = function.Defun(tf.int32, tf.float32)(lambda i, x: (x, x))
    start = [tf.constant(5.0), tf.constant(0.0)]
    failing = [
        (functional_ops.While(start, both, less), "Expected a single scalar.*got 2 tensors"),
        (functional_ops.While(start, positive, more), "returned 3 arguments. Expected: 2"),
        (functional_ops.For(0, 10, 1, [0.0], twice), "body returned 2 arguments. Expected: 1"),
        (functional_ops.For([0], 10, 1, [0.0], add), r"start must be a scalar, but \[1\]"),
        (functional_ops.For(0, [10], 1, [0.0], add), r"limit must be a scalar, but \[1\]"),
        (functional_ops.For(0, 10, 0, [0.0], add), "Invalid start/limit/delta: 0 10 0"),
    ]
    with tf.Session() as session:
        assert session.run(functional_ops.While(start, positive, less)[1]) == 15
        assert session.run(functional_ops.For(3, 3, 0, [2.0], add)[0]) == 2
        for results, text in failing:
            with pytest.raises(tf.errors.InvalidArgumentError, match=text):
                session.run(results[0])
