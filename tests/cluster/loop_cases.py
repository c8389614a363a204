"""Loops with bodies on several tasks, and their values; as a program: loop_cases.py MODULE TARGET [NAME ...]."""

import importlib
import json
import os
import sys

import numpy as np

if __name__ == "__main__":
    os.environ["TF_CPP_MIN_LOG_LEVEL"] = "2"
tf = importlib.import_module(sys.argv[1] if __name__ == "__main__" else "tfmini")
A, B = "/job:ps/task:0", "/job:worker/task:0"


def counted():
    with tf.device(A):

        def body(i, x):
            with tf.device(B):
                return i + 1, x * 2.0 + tf.cast(i, tf.float32)

        return tf.while_loop(lambda i, x: i < 5, body, [tf.constant(0), tf.constant(1.0)])


def condition_elsewhere():
    with tf.device(A):

        def test(i):
            with tf.device(B):
                return i < 5

        return tf.while_loop(test, lambda i: i + 1, [tf.constant(0)])


def no_iteration():
    with tf.device(A):

        def body(i):
            with tf.device(B):
                return i + 1

        return tf.while_loop(lambda i: i < 0, body, [tf.constant(7)])


def nested():
    with tf.device(A):

        def body(i, x):
            def inner(j, y):
                with tf.device(B):
                    return j + 1, y + tf.cast(i * j, tf.float32)

            _, x = tf.while_loop(lambda j, y: j < i, inner, [tf.constant(0), x])
            return i + 1, x

        return tf.while_loop(lambda i, x: i < 4, body, [tf.constant(0), tf.constant(1.0)])


def inner_elsewhere():
    with tf.device(A):

        def body(i, x):
            with tf.device(B):
                _, x = tf.while_loop(
                    lambda j, y: j < i, lambda j, y: (j + 1, y + 1.0), [tf.constant(0), x]
                )
            return i + 1, x * 2.0

        return tf.while_loop(lambda i, x: i < 4, body, [tf.constant(0), tf.constant(1.0)])


def inner_led_elsewhere():
    with tf.device(A):

        def body(i, x):
            def inner(j, y):
                with tf.device(A):
                    return j + 1, y + 1.0

            with tf.device(B):
                _, x = tf.while_loop(lambda j, y: j < 2, inner, [tf.constant(0), x])
            return i + 1, x * 2.0

        return tf.while_loop(lambda i, x: i < 3, body, [tf.constant(0), tf.constant(1.0)])


def cond_inside():
    with tf.device(A):

        def body(i, x):
            def yes():
                with tf.device(B):
                    return x * 3.0

            def no():
                return tf.cond(tf.equal(i, 1), deep, lambda: x + 1.0)

            def deep():
                with tf.device(B):
                    return x + 10.0

            return i + 1, tf.cond(tf.equal(i % 2, 0), yes, no)

        return tf.while_loop(lambda i, x: i < 5, body, [tf.constant(0), tf.constant(1.0)])


def inside_cond():
    expected = tf.placeholder_with_default(True, [])
    with tf.device(A):
        first = tf.cond(expected, lambda: nested()[1], lambda: tf.constant(-1.0))
        return first, tf.cond(tf.logical_not(expected), lambda: nested()[1], lambda: -first)


def inner_loop_in_cond():
    with tf.device(A):

        def body(i, x):
            def yes():
                def inner(j, y):
                    with tf.device(B):
                        return j + 1, y + 1.0

                return tf.while_loop(lambda j, y: j < 3, inner, [tf.constant(0), x])[1]

            return i + 1, tf.cond(tf.equal(i % 2, 1), yes, lambda: x * 2.0)

        return tf.while_loop(lambda i, x: i < 4, body, [tf.constant(0), tf.constant(1.0)])


def inner_loop_not_taken():
    with tf.device(A):

        def body(i, x):
            with tf.device(B):
                factor = tf.cast(i, tf.float32) + 2.0

            def inner(j, y):
                both = tf.add(*tf.raw_ops.Switch(data=y, pred=j < 2))  # never alive
                with tf.device(B):
                    return j + 1, tf.raw_ops.Merge(inputs=[y * factor, both]).output

            def yes():
                return tf.while_loop(lambda j, y: j < 2, inner, [tf.constant(0), x])[1]

            return i + 1, tf.cond(tf.equal(i % 2, 1), yes, lambda: x + 1.0)

        return tf.while_loop(lambda i, x: i < 4, body, [tf.constant(0), tf.constant(1.0)])


def never_alive():
    with tf.device(A):

        def body(i, x):
            both = tf.add(*tf.raw_ops.Switch(data=x, pred=i < 2))
            with tf.device(B):
                return i + 1, tf.raw_ops.Merge(inputs=[x * 2.0, both]).output

        return tf.while_loop(lambda i, x: i < 3, body, [tf.constant(0), tf.constant(1.0)])


def trigger():
    with tf.device(A):

        def body(i, x):
            rarely = tf.identity(tf.raw_ops.Switch(data=x, pred=i < 2).output_true)
            with tf.device(B):
                with tf.control_dependencies([rarely]):
                    always = tf.raw_ops.ControlTrigger()
                with tf.control_dependencies([always]):
                    return i + 1, x * 2.0

        return tf.while_loop(lambda i, x: i < 3, body, [tf.constant(0), tf.constant(1.0)])


def gradient():
    with tf.device(B):
        weight = tf.get_variable("weight", initializer=1.5)
    with tf.device(A):

        def body(i, x):
            with tf.device(B):
                return i + 1, tf.sin(x * weight)

        _, y = tf.while_loop(lambda i, x: i < 4, body, [tf.constant(0), tf.constant(1.0)])
        return y, tf.gradients(y, weight)[0]


def gradient_of_nested():
    with tf.device(B):
        weight = tf.get_variable("weights", initializer=[1.0, 2.0])
    with tf.device(A):

        def body(i, x):
            def inner(j, y):
                with tf.device(B):
                    return j + 1, y * weight

            return i + 1, tf.while_loop(lambda j, y: j < 2, inner, [tf.constant(0), x])[1]

        _, y = tf.while_loop(lambda i, x: i < 2, body, [tf.constant(0), tf.constant([1.0, 1.0])])
        return y, tf.gradients(y, weight)[0]


def arrays():
    with tf.device(A):
        array = tf.TensorArray(tf.float32, 4)

        def body(i, array):
            with tf.device(B):
                value = tf.cast(i, tf.float32) * 2.0
            return i + 1, array.write(i, value)

        return tf.while_loop(lambda i, _: i < 4, body, [tf.constant(0), array])[1].stack()


def mapped():
    with tf.device(A):
        rows = tf.constant([[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]])

    def function(row):
        with tf.device(B):
            return tf.reduce_sum(row * row)

    with tf.device(A):
        sums = tf.map_fn(function, rows)
        return sums, tf.gradients(sums, rows)[0]


def recurrent():
    with tf.device(A):
        rows = tf.reshape(tf.range(12.0), [2, 3, 2])

    class Cell(tf.nn.rnn_cell.BasicRNNCell):
        def call(self, inputs, state):
            with tf.device(B):
                return super().call(inputs, state)

    with tf.device(A):
        with tf.variable_scope("rnn", initializer=tf.constant_initializer(0.1)):
            _, state = tf.nn.dynamic_rnn(Cell(2), rows, dtype=tf.float32)
        return state, tf.gradients(state, rows)[0]


def counting_elsewhere():
    with tf.device(B):
        count = tf.get_variable("count", initializer=0.0, use_resource=True)
    with tf.device(A):

        def body(i):
            with tf.device(B):
                added = count.assign_add(2.0)
            with tf.control_dependencies([added]):
                return i + 1

        end = tf.while_loop(lambda i: i < 6, body, [tf.constant(0)])
    with tf.control_dependencies([end]), tf.device(B):
        return end, count.read_value()


def words():
    with tf.device(A):

        def body(i, text):
            with tf.device(B):
                return i + 1, tf.string_join([text, tf.as_string(i)])

        return tf.while_loop(lambda i, _: i < 3, body, [tf.constant(0), tf.constant("n")])[1]


def invariant():
    with tf.device(B):
        scale = tf.get_variable("scale", initializer=[2.0, 3.0])
    with tf.device(A):
        return tf.while_loop(
            lambda i, x: i < 3, lambda i, x: (i + 1, x * scale), [tf.constant(0), tf.ones([2])]
        )[1]


def from_queue():
    with tf.device(B):
        queue = tf.FIFOQueue(10, [tf.float32], shapes=[[]])
        filled = queue.enqueue_many([[1.0, 2.0, 3.0]])
    with tf.control_dependencies([filled]), tf.device(A):

        def body(i, x):
            with tf.device(B):
                return i + 1, x + queue.dequeue()

        return tf.while_loop(lambda i, x: i < 3, body, [tf.constant(0), tf.constant(0.0)])[1]


def functions():
    """Loops and conditionals that TensorFlow does not lower; the last call is to another task."""
    number = tf.TensorSpec([], tf.float32)

    def defined(function, *specs):
        function.__name__ = "function"  # a node name of the other task
        return tf.function(function, (*specs, number)).get_concrete_function()

    double = defined(lambda x: x * 2.0)
    with tf.device(B):
        x = tf.identity(3.0)
        body = defined(lambda i, x: x + tf.cast(i, tf.float32), tf.TensorSpec([], tf.int32))
        (x,) = tf.raw_ops.For(start=0, limit=5, delta=1, input=[x], body=body)
        below = defined(lambda x: tf.cast(x < 100.0, tf.int32))
        (x,) = tf.raw_ops.While(input=[x], cond=below, body=double)
        words = {"then_branch": double, "else_branch": defined(lambda x: -x)}
        (y,) = tf.raw_ops.If(cond=0.0, input=[x], Tout=[tf.float32], **words)
        target = A + "/replica:0/device:CPU:0"
        return [x, y, *tf.raw_ops.RemoteCall(target=target, args=[x], Tout=[tf.float32], f=double)]


def _recurrent():
    rows, state, states = np.arange(12.0).reshape(2, 3, 2), np.zeros((2, 2)), []
    for i in range(3):
        state = np.tanh(0.1 * (rows[:, i].sum(1, keepdims=True) + state.sum(1, keepdims=True)))
        state = np.repeat(state, 2, axis=1)
        states.append(state)
    back, grads = np.ones((2, 2)), []
    for each in reversed(states):
        inner = back * (1.0 - each**2)
        back = np.repeat(0.1 * inner.sum(1, keepdims=True), 2, axis=1)
        grads.append(back)
    return [state, np.stack(grads[::-1], axis=1)]


def _gradient():
    y, slope = 1.0, 0.0
    for _ in range(4):
        y, slope = np.sin(y * 1.5), np.cos(y * 1.5) * (y + 1.5 * slope)
    return [y, slope]


CASES = {
    counted: [5, 58.0],
    condition_elsewhere: 5,
    no_iteration: 7,
    nested: [4, 12.0],
    inner_elsewhere: [4, 38.0],
    inner_led_elsewhere: [3, 36.0],
    cond_inside: [5, 120.0],
    inside_cond: [12.0, -12.0],
    inner_loop_in_cond: [4, 13.0],
    inner_loop_not_taken: [4, 475.0],
    never_alive: [3, 8.0],
    trigger: [3, 8.0],
    gradient: _gradient(),
    gradient_of_nested: [[1.0, 16.0], [4.0, 32.0]],
    arrays: [0.0, 2.0, 4.0, 6.0],
    mapped: [[5.0, 25.0, 61.0], [[2.0, 4.0], [6.0, 8.0], [10.0, 12.0]]],
    recurrent: _recurrent(),
    counting_elsewhere: [6, 12.0],
    words: b"n012",
    invariant: [8.0, 27.0],
    from_queue: 6.0,
    functions: [104.0, -104.0, 208.0],
}


def _plain(value):
    if isinstance(value, (list, tuple)):
        return [_plain(each) for each in value]
    return value.decode() if isinstance(value, bytes) else np.asarray(value).tolist()


def failing():
    with tf.device(A):

        def body(i, x):
            with tf.device(B):
                return i + 1, tf.check_numerics(x / (3.0 - tf.cast(i, tf.float32)), "late")

        return tf.while_loop(lambda i, x: i < 9, body, [tf.constant(0), tf.constant(1.0)])


def endless():
    with tf.device(A):

        def body(i):
            with tf.device(B):
                return i * 1

        return tf.while_loop(lambda i: i < 9, body, [tf.constant(1)])


def outcome(session, fetches, seconds):
    """The class of the error that ends a step."""
    try:
        return str(session.run(fetches, options=tf.RunOptions(timeout_in_ms=1000 * seconds)))
    except tf.errors.OpError as error:
        return type(error).__name__ + (" late" if "late : Tensor had" in error.message else "")


if __name__ == "__main__":
    tf.logging.set_verbosity(tf.logging.ERROR)
    names = sys.argv[3:]
    made = {c.__name__: c() for c in CASES if not names or c.__name__ in names}
    bad, long = failing(), endless()
    found = {}
    with tf.Session(sys.argv[2]) as session:
        session.run(tf.global_variables_initializer())
        for name, fetches in made.items():
            options = tf.RunOptions(timeout_in_ms=30000)
            try:
                found[name] = _plain(session.run(fetches, options=options))
            except tf.errors.OpError as error:
                found[name] = f"{type(error).__name__}: {error.message[:500]}"
        if not names:
            found["failing"] = outcome(session, bad, 30)
            found["endless"] = outcome(session, long, 1)
            found["after"] = _plain(session.run(made["counted"]))
    print(json.dumps(found))
