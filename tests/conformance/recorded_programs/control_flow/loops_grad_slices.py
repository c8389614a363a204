"""Gradients of rows gathered in loops: summed slices of constants, variables and fed values."""

import numpy as np


def build(tf):
    rng = np.random.RandomState(1)
    values = rng.randn(5, 2).astype("f")
    constant = tf.constant(values, name="constant")
    table = tf.Variable(values, name="table")
    resource = tf.get_variable("resource", initializer=values, use_resource=True)
    fed = tf.placeholder(tf.float32, [None, None], name="fed")
    ids = tf.placeholder(tf.int32, [None], name="ids")

    def summed(params, name, rows):
        def body(i, total):
            return i + 1, total + tf.reduce_sum(rows(params, i) ** 2, axis=0)

        start = [0, tf.zeros([2])]
        shapes = [tf.TensorShape([]), tf.TensorShape([None])]
        return tf.while_loop(lambda i, t: i < 3, body, start, shapes, name=name)[1]

    def one(params, i):
        return tf.gather(params, [i])

    def several(params, i):
        return tf.nn.embedding_lookup(params, ids + i)

    fetches, facts = [], {}
    for name, params in (
        ("constant", constant),
        ("table", table),
        ("resource", resource),
        ("fed", fed),
    ):
        for kind, rows in (("one", one), ("several", several)):
            key = f"{name}_{kind}"
            (grad,) = tf.gradients(summed(params, key, rows), [params], name="of_" + key)
            facts[key] = [type(grad).__name__]
            fetches.append(grad)
            if isinstance(grad, tf.IndexedSlices):
                facts[key] += [
                    str(grad.indices.shape),
                    str(grad.values.shape),
                    str(grad.dense_shape),
                ]

    def nested(i, total):
        def inner(j, part):
            return j + 1, part + tf.reduce_sum(tf.gather(table, [i, j]), axis=0)

        return i + 1, tf.while_loop(lambda j, p: j < i, inner, [0, total], name="inner")[1]

    loop = tf.while_loop(lambda i, t: i < 4, nested, [0, tf.zeros([2])], name="nested")[1]
    fetches += tf.gradients(loop, [table], name="of_nested")

    def both(i, total):
        return i + 1, total + tf.matmul(tf.gather(table, [i]), table, transpose_b=True)

    loop = tf.while_loop(lambda i, t: i < 4, both, [0, tf.zeros([1, 5])], name="both")[1]
    fetches += tf.gradients(loop, [table], name="of_both")
    train = tf.train.AdagradOptimizer(0.1).minimize(
        summed(table, "loss", several)[0] + summed(resource, "other", several)[1]
    )
    feed = {fed: values, ids: [1, 0, 1]}
    steps = [("init", tf.global_variables_initializer())]
    steps += [(str(i), fetch, feed) for i, fetch in enumerate(fetches)]
    steps += [("train", train, feed)] * 3 + [("table", table), ("resource", resource)]
    return {"steps": steps, "facts": facts}
