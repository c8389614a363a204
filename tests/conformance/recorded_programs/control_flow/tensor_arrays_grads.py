"""Gradients through TensorArrays: each kind of access, inside and outside loops, requested twice."""

import numpy as np

X = np.array([[0.5, -1.0], [2.0, 0.25], [1.0, 1.0]])


def build(tf):
    x = tf.placeholder(tf.float32, [3, 2], name="x")
    w = tf.Variable([[0.5, 0.1], [-0.2, 0.3]], name="w")
    single = tf.TensorArray(tf.float32, 3, clear_after_read=False)
    single = single.write(0, x[0] * x[1]).write(2, tf.sin(x[2]))
    read = single.read(0) * single.read(2) + single.read(2)
    rows = tf.TensorArray(tf.float32, 3, clear_after_read=False).unstack(tf.exp(x))
    gathered = rows.gather([2, 0, 2]) * 2.0 + rows.stack()
    parts = tf.TensorArray(tf.float32, 2, infer_shape=False).split(x * x, [1, 2])
    joined = parts.concat()
    scattered = tf.TensorArray(tf.float32, 3).scatter([1, 2, 0], tf.matmul(x, w)).stack()

    inputs = tf.TensorArray(tf.float32, 3, name="inputs").unstack(x)

    def step(i, h, outputs):
        h = tf.tanh(tf.matmul(tf.expand_dims(inputs.read(i) + h[0], 0), w))
        return i + 1, h, outputs.write(i, h[0])

    _, last, outputs = tf.while_loop(
        lambda i, *_: i < 3,
        step,
        (0, tf.zeros([1, 2]), tf.TensorArray(tf.float32, 3, name="outputs")),
        name="recurrent",
    )
    unrolled = outputs.stack()
    growing = tf.TensorArray(tf.float32, 1, dynamic_size=True, clear_after_read=False)
    _, growing = tf.while_loop(
        lambda i, _: i < 4,
        lambda i, a: (i + 1, a.write(i, x[0] * tf.cast(i, tf.float32))),
        (0, growing),
    )
    grown = growing.stack()

    def again(i, total, array):
        return i + 1, total + array.read(i) * tf.cast(i, tf.float32), array

    many = tf.TensorArray(tf.float32, 3, clear_after_read=False).unstack(x * x)
    _, weighed, _ = tf.while_loop(lambda i, *_: i < 3, again, (0, tf.zeros([2]), many))
    names = "read gathered joined scattered unrolled last grown weighed".split()
    values = [read, gathered, joined, scattered, unrolled, last, grown, weighed]
    steps = []
    for name, value in zip(names, values):
        gradients = [g for g in tf.gradients(value, [x, w]) if g is not None]
        steps.append((name, [value, gradients], {x: X}))
    both = tf.gradients([unrolled, last], [x, w], name="gradients_of_both")
    init = tf.global_variables_initializer()
    return {"steps": [("init", init), *steps, ("both", both, {x: X})]}
