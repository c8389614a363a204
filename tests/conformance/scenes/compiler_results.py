"""Programs open to optimization, each with an additional reader, fetch, feed, control edge, dtype or shape."""

import numpy as np


def _numbers(*shape, dtype=np.float32, seed=0):
    return (np.random.RandomState(seed + len(shape)).randint(-8, 9, shape) / 8.0).astype(dtype)


def _brief(value):
    """Summary of an array: its shape, a weighted sum, and its first and last elements."""
    value = np.asarray(value)
    value = value + value.dtype.type(0) if value.dtype.kind == "f" else value  # no -0.0
    if value.size <= 12 or value.dtype.kind not in "fiub":
        return value
    flat = value.astype(np.float64).ravel()
    weights = np.cos(np.arange(flat.size))
    return (
        value.dtype.name,
        value.shape,
        float(flat @ weights),
        value.ravel()[:2],
        value.ravel()[-2:],
    )


def _said(tf, stage, cases, feeds=({},), placeholders=()):
    """Records each case's fetches in a separate graph, for each of several feeds."""
    for name, case in cases.items():
        with tf.Graph().as_default(), tf.Session() as session:
            tf.set_random_seed(1)
            stage.say(name)
            with stage.failing():
                made = case()
                session.run(tf.global_variables_initializer())
                for feed in feeds:
                    graph = tf.get_default_graph()
                    names = {op.name for op in graph.get_operations()}
                    feed = {key + ":0": feed[key] for key in feed if key in names}
                    with stage.failing():
                        stage.say(tf.nest.map_structure(_brief, session.run(made, feed)))


def layers(tf, stage):
    a, b = _numbers(64, 40), _numbers(40, 48, seed=1)
    bias, other = _numbers(48, seed=2), _numbers(64, 48, seed=3)

    def x(dtype=tf.float32):
        return tf.placeholder_with_default(a.astype(dtype.as_numpy_dtype), [None, 40], name="x")

    def dense(after=tf.nn.relu, add=tf.nn.bias_add, **options):
        made = add(tf.matmul(x(), b, **options), bias)
        return after(made) if after else made

    def with_a_reader():
        product = tf.matmul(x(), b)
        return tf.nn.relu(product + bias), product

    def with_a_late_reader():
        product = tf.nn.bias_add(tf.matmul(x(), b), bias)
        return tf.nn.relu(product), tf.reduce_sum(product)

    def with_shape():
        product = tf.matmul(x(), b)
        return tf.nn.relu(product + bias), tf.shape(product), tf.size(product)

    def with_control():
        product = tf.matmul(x(), b)
        with tf.control_dependencies([product]):
            done = tf.constant(5)
        return tf.nn.relu(product + bias), done

    def with_gradients():
        weights = tf.constant(b)
        shift = tf.constant(bias)
        y = tf.nn.relu(tf.matmul(x(), weights) + shift)
        return [y, *tf.gradients(tf.reduce_sum(y * other), [weights, shift])]

    def features():
        product = tf.matmul(x(), b)
        return tf.raw_ops.ReluGrad(gradients=product, features=other)

    def own_features():
        product = tf.matmul(x(), b)
        return tf.raw_ops.ReluGrad(gradients=product, features=product)

    cases = {
        "plain": dense,
        "added": lambda: dense(add=lambda p, v: p + v),
        "no_bias": lambda: tf.nn.relu(tf.matmul(x(), b)),
        "adjoint": lambda: tf.matmul(x(), b.T.copy(), adjoint_b=True) + bias,
        "reader": with_a_reader,
        "late_reader": with_a_late_reader,
        "shape": with_shape,
        "control": with_control,
        "gradients": with_gradients,
        "features": features,
        "own_features": own_features,
    }
    wrong = np.full([64, 40], np.nan, np.float32)
    feeds = (
        {},
        {"x": a[:1]},
        {"x": a[:0]},
        {"x": wrong},
        {"x": a[:, ::-1]},
        {"x": np.asfortranarray(a)},
    )
    _said(tf, stage, cases, feeds)


def images(tf, stage):
    image, window = _numbers(2, 7, 6, 3), _numbers(3, 3, 3, 4, seed=1)
    bias = _numbers(4, seed=2)

    def x():
        return tf.placeholder_with_default(image, [None, None, None, 3], name="x")

    def conv(add=True, after=tf.nn.relu, **options):
        made = tf.nn.conv2d(x(), window, padding="SAME", **{"strides": [1, 1, 1, 1], **options})
        made = tf.nn.bias_add(made, bias) if add else made
        return after(made) if after else made

    def normal(after=tf.nn.relu, training=True, outputs=1, **options):
        made = tf.nn.fused_batch_norm(
            x(), [1.0, 2.0, 3.0], [0.0, 0.5, -0.5], is_training=training, **options
        )
        return (after(made[0]), *made[1:outputs]) if after else made[:outputs]

    def pooled():
        y = tf.nn.relu(x())
        made = tf.nn.max_pool(y, [1, 2, 2, 1], [1, 2, 2, 1], "VALID")
        return made, tf.gradients(made * made, tf.get_default_graph().get_tensor_by_name("x:0"))

    def pooled_without_relu():
        made = tf.nn.max_pool(x(), [1, 3, 3, 1], [1, 1, 1, 1], "SAME")
        return tf.gradients(made * made, tf.get_default_graph().get_tensor_by_name("x:0"))

    def gradients():
        w, b = tf.constant(window), tf.constant(bias)
        y = tf.nn.relu(tf.nn.conv2d(tf.nn.relu(x()), w, [1, 2, 2, 1], "VALID") + b)
        return tf.gradients(y * y, [tf.get_default_graph().get_tensor_by_name("x:0"), w, b])

    def transposed(after):
        made = tf.nn.conv2d_transpose(
            tf.nn.conv2d(x(), window, [1, 2, 2, 1], "SAME"), window, tf.shape(x()), [1, 2, 2, 1]
        )
        return after(made)

    cases = {
        "plain": conv,
        "strides": lambda: conv(strides=[1, 2, 1, 1]),
        "valid": lambda: tf.nn.relu(tf.nn.conv2d(x(), window, [1, 1, 1, 1], "VALID") + bias),
        "shape": lambda: (lambda y: (tf.nn.relu(y), tf.shape(y)))(conv(after=None)),
        "transposed": lambda: transposed(lambda y: tf.nn.relu(y + [1.0, -1.0, 0.5])),
        "normal": normal,
        "normal_all": lambda: normal(outputs=3),
        "normal_epsilon": lambda: normal(epsilon=0.5),
        "normal_inference": lambda: normal(
            training=False, mean=np.float32([0.1, 0.2, 0.3]), variance=np.float32([1, 2, 4])
        ),
        "normal_both": lambda: (lambda y: (tf.nn.relu(y), y))(normal(None)[0]),
        "pooled": pooled,
        "pooled_without_relu": pooled_without_relu,
    }
    feeds = ({}, {"x": image[:1, :4, :4]}, {"x": image[:, :1, :1]}, {"x": image[:, ::-1]})
    _said(tf, stage, cases, feeds)
    _said(tf, stage, {"gradients": gradients}, feeds[:2])


def products_together(tf, stage):
    a, g = _numbers(4, 5, 6), _numbers(4, 5, 7, seed=1)
    large = _numbers(64, 80, seed=2)

    def parts(dtype=tf.float32):
        given = tf.placeholder_with_default(a, [4, None, 6], name="a")
        back = tf.placeholder_with_default(g, [4, None, 7], name="g")
        return tf.unstack(tf.cast(given, dtype)), tf.unstack(tf.cast(back, dtype))

    def added(count=4, bias=True, dtype=tf.float32, more=None, turn=True):
        left, right = parts(dtype)
        if not turn:
            left = [tf.transpose(each) for each in left]
        products = [tf.matmul(p, q, transpose_a=turn) for p, q in zip(left, right)][:count]
        made = [tf.add_n(products)]
        if bias:
            grads = [tf.raw_ops.BiasAddGrad(out_backprop=q) for q in right[:count]]
            made.append(tf.add_n(grads))
        if more == "reader":
            made.append(products[1])
        if more == "late":
            made.append(tf.reduce_sum(products[2]))
        if more == "other":
            made[0] = tf.add_n([*products, tf.ones([6, 7], dtype)])
        if more == "twice":
            made[0] = tf.add_n([*products, products[0]])
        return made

    def shared(steps, rows=6, after=None, turn=False, weights=large):
        x = tf.placeholder_with_default(_numbers(rows, 64, seed=3), [None, 64], name="left")
        w = tf.constant(weights)
        made = []
        for step in range(steps):
            left = x * float(step + 1)
            if turn:
                left = tf.matmul(left, w)
            product = tf.matmul(left, w, transpose_b=turn)
            made.append(after(product) if after else product)
        return made

    def looped(after=tf.tanh):
        x = tf.placeholder_with_default(_numbers(8, 64, seed=3), [None, 64], name="left")
        w = tf.constant(np.tanh(_numbers(64, 128, seed=4)))
        v = tf.placeholder_with_default(_numbers(64, seed=5), [64])
        step = lambda i, h: (i + 1, after(tf.matmul(h, w[:, 64:] * 0.1) + v))  # noqa: E731
        made = tf.while_loop(lambda i, h: i < 4, step, [0, x])[1]
        return made, tf.gradients(made, [w, v, x])

    cases = {
        "four": added,
        "half": lambda: [tf.cast(t, tf.float32) for t in added(dtype=tf.float16, bias=False)],
        "reader": lambda: added(more="reader"),
        "late": lambda: added(more="late"),
        "not_turned": lambda: added(turn=False),
        "shared_back": lambda: shared(3, turn=True),
        "shared_tanh": lambda: shared(4, after=lambda p: tf.tanh(p + large[0])),
        "shared_few_rows": lambda: shared(4, rows=2),
        "shared_nan": lambda: shared(3, weights=np.where(large > 0.9, np.nan, large).astype("f4")),
        "looped": looped,
    }
    feeds = (
        *({}, {"a": a[:, :1], "g": g[:, :1]}, {"a": a[:, :0], "g": g[:, :0]}),
        *({"left": _numbers(1, 64, seed=9)}, {"left": _numbers(0, 64)}),
    )
    _said(tf, stage, cases, feeds)


def parts_of_products(tf, stage):
    a, b = _numbers(5, 6), _numbers(6, 8, seed=1)

    def sliced(begin, size, dtype=tf.float32, turn=False, more=None, count=1):
        x = tf.placeholder_with_default(a, [None, 6], name="x")
        w = tf.constant(b.T.copy() if turn else b)
        product = tf.matmul(tf.cast(x, dtype), tf.cast(w, dtype), transpose_b=turn)
        made = [tf.slice(product, begin, size) for _ in range(count)]
        if more == "product":
            made.append(product)
        if more == "reader":
            made.append(tf.reduce_sum(product, 0))
        if more == "second":
            made.append(
                tf.slice(tf.matmul(tf.cast(x + 1.0, dtype), w, transpose_b=turn), begin, size)
            )
        if more == "control":
            with tf.control_dependencies([product]):
                made.append(tf.constant(1))
        return made

    def split(bias=True, axis=1, after=tf.tanh, more=None, count=4, dtype=tf.float32):
        x = tf.placeholder_with_default(a, [None, 6], name="x")
        v = tf.constant(_numbers(8, seed=3))
        product = tf.matmul(tf.cast(x, dtype), tf.cast(b, dtype))
        whole = tf.nn.bias_add(product, tf.cast(v, dtype)) if bias else product
        parts = tf.split(whole, count, axis)
        made = [after(part) for part in parts] if after else parts
        if more == "whole":
            made.append(whole)
        if more == "part":
            made.append(parts[0])
        if more == "again":
            made += [tf.sigmoid(p) for p in tf.split(tf.nn.bias_add(product * 2.0, v), count, axis)]
        if more == "sum":
            made.append(tf.reduce_sum(parts[1], 1))
        return made

    cases = {
        "rest": lambda: sliced([0, 2], [-1, -1]),
        "none": lambda: sliced([0, 3], [-1, 0]),
        "far": lambda: sliced([0, 6], [-1, 3]),
        "half": lambda: [tf.cast(t, tf.float32) for t in sliced([0, 2], [-1, 4], tf.float16)],
        "product": lambda: sliced([0, 2], [-1, 4], more="product"),
        "twice": lambda: sliced([0, 2], [-1, 4], count=2),
        "second_turned": lambda: sliced([0, 2], [-1, 4], more="second", turn=True),
        "split": split,
        "split_rows": lambda: split(axis=0, count=1),
        "split_plain": lambda: split(after=None),
        "split_whole": lambda: split(more="whole"),
        "split_double": lambda: split(dtype=tf.float64),
    }
    _said(tf, stage, cases, ({}, {"x": a[:1]}, {"x": a[:0]}))


def ranks_that_differ(tf, stage):
    """Ops of a row and a square matrix, with the row not read again and of the matrix's first size."""
    count = 64
    row = np.linspace(0.5, 2, count).astype("f")
    square = (np.arange(count * count) % 7 + 1).astype("f").reshape(count, count)
    ops = {
        "sum": tf.add,
        "power": tf.pow,
        "floors": tf.math.floordiv,
        "angles": tf.atan2,
        "rests": tf.math.floormod,
        "differences": tf.math.squared_difference,
        "largest": tf.maximum,
        "gamma": tf.igamma,
    }
    with tf.Session() as session:
        x, y = tf.placeholder(tf.float32, [count]), tf.placeholder(tf.float32, [count, count])
        for name, function in ops.items():
            for first, second in ((x, y), (y, x), (y, x[:, None])):
                found = function(tf.cumsum(first), tf.cumsum(second))
                values = session.run(found, {x: row, y: square})
                stage.say(name, values.shape, values[1, :3], values[-1, -2:])
