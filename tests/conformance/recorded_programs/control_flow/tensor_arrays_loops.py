"""TensorArrays as loop variables: alone, in structures, in loops in loops and in branches."""

import collections

import numpy as np

State = collections.namedtuple("State", "outputs total")
X = np.array([[0.5, -1.0], [2.0, 0.25], [1.0, 1.0]])


def build(tf):
    x = tf.placeholder(tf.float32, [None, 2], name="x")
    n = tf.shape(x)[0]
    rows = tf.TensorArray(tf.float32, n, name="rows").unstack(x)
    _, squares = tf.while_loop(
        lambda i, _: i < n,
        lambda i, a: (i + 1, a.write(i, rows.read(i) ** 2)),
        (0, tf.TensorArray(tf.float32, n)),
        name="squares",
    )
    alone = tf.while_loop(
        lambda a: a.size() < 5,
        lambda a: a.write(a.size(), tf.size(x)),
        [tf.TensorArray(tf.int32, 1, dynamic_size=True)],
    )

    def step(i, state, extra):
        value = x[i] + state.total
        outputs = [a.write(i, value * k) for k, a in enumerate(state.outputs)]
        return i + 1, State(outputs, value), {"copy": extra["copy"].write(n - 1 - i, value)}

    made = [tf.TensorArray(tf.float32, n, name="made") for _ in range(2)]
    start = (0, State(made, tf.zeros([2])), {"copy": tf.TensorArray(tf.float32, n)})
    _, state, extra = tf.while_loop(lambda i, *_: i < n, step, start, maximum_iterations=n)

    def outer(i, table):
        line = tf.TensorArray(tf.float32, 2, element_shape=[])
        _, line = tf.while_loop(
            lambda j, _: j < 2, lambda j, a: (j + 1, a.write(j, x[i, j] * 2.0)), (0, line)
        )
        table = tf.cond(
            tf.equal(i % 2, 0),
            lambda: table.write(i, line.stack()),
            lambda: table.write(i, line.gather([1, 0])),
        )
        return i + 1, table

    _, table = tf.while_loop(
        lambda i, _: i < n,
        outer,
        (tf.constant(0), tf.TensorArray(tf.float32, n)),
        shape_invariants=(tf.TensorShape([]), tf.TensorShape([])),
        name="table",
    )
    chosen = tf.cond(
        tf.reduce_sum(x) > 0.0,
        lambda: tf.TensorArray(tf.float32, 1).write(0, x[0]),
        lambda: tf.TensorArray(tf.float32, 1).write(0, -x[0]),
    )
    both = tf.cond(
        tf.reduce_sum(x) > 0.0,
        lambda: [table.identity(), tf.constant(1)],
        lambda: [table.identity(), tf.constant(2)],
        name="both",
    )
    facts = {
        "types": [type(a).__name__ for a in (squares, alone, chosen, both[0], state.outputs[0])],
        "names": [a.flow.name for a in (squares, alone, chosen, both[0], *state.outputs)],
        "shapes": [str(a.element_shape) for a in (squares, alone, table, chosen, extra["copy"])],
        "static": [str(a.stack().shape) for a in (squares, table)],
    }
    steps = [
        ("squares", squares.stack(), {x: X}),
        ("alone", [alone.size(), alone.gather([1, 2])], {x: X}),
        ("state", [state.outputs[0].stack(), state.outputs[1].stack(), state.total], {x: X}),
        ("extra", extra["copy"].stack(), {x: X}),
        ("table", [both[0].stack(), both[1]], {x: X}),
        ("chosen", chosen.read(0), {x: X}),
        ("empty", squares.size(), {x: X[:0]}),
    ]
    return {"facts": facts, "steps": steps}
