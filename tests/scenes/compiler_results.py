"""Programs that a compiler may change: with another reader, fetch, feed, control edge, dtype or shape in its way."""

import numpy as np


def _numbers(*shape, dtype=np.float32, seed=0):
    return (np.random.RandomState(seed + len(shape)).randint(-8, 9, shape) / 8.0).astype(dtype)


def _brief(value):
    """An array in a few numbers: its shape, a weighted sum, its first and last elements."""
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
    """Says what each case fetches, with each of some feeds, in a graph of its own."""
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
        "bias": lambda: dense(None),
        "added": lambda: dense(add=lambda p, v: p + v),
        "added_first": lambda: dense(add=lambda p, v: v + p),
        "v1": lambda: dense(add=lambda p, v: tf.raw_ops.BiasAddV1(value=p, bias=v)),
        "row": lambda: dense(add=lambda p, v: p + v[None]),
        "column": lambda: dense(add=lambda p, v: p + tf.reduce_sum(v[:1])),
        "matrix": lambda: dense(add=lambda p, v: p + tf.placeholder_with_default(other, None)),
        "twice": lambda: dense(add=lambda p, v: p + v + v),
        "itself": lambda: dense(add=lambda p, v: p + p),
        "tanh": lambda: dense(tf.tanh),
        "sigmoid": lambda: dense(tf.sigmoid),
        "elu": lambda: dense(tf.nn.elu),
        "relu6": lambda: dense(tf.nn.relu6),
        "softplus": lambda: dense(tf.nn.softplus),
        "leaky": lambda: dense(tf.nn.leaky_relu),
        "softmax": lambda: dense(tf.nn.softmax),
        "no_bias": lambda: tf.nn.relu(tf.matmul(x(), b)),
        "double": lambda: tf.nn.relu(
            tf.matmul(x(tf.float64), b.astype(np.float64)) + bias.astype("f8")
        ),
        "half": lambda: tf.cast(
            tf.nn.relu(tf.matmul(tf.cast(x(), tf.float16), tf.constant(b, tf.float16))), tf.float32
        ),
        "ints": lambda: tf.matmul(tf.cast(x() * 8.0, tf.int32), tf.constant(b * 8.0, tf.int32)) + 1,
        "turned": lambda: tf.nn.relu(tf.matmul(x(), b.T.copy(), transpose_b=True) + bias),
        "turned_left": lambda: tf.nn.relu(tf.matmul(tf.transpose(x()), b, transpose_a=True) + bias),
        "both_turned": lambda: tf.matmul(
            tf.transpose(x()), b.T.copy(), transpose_a=True, transpose_b=True
        ),
        "adjoint": lambda: tf.matmul(x(), b.T.copy(), adjoint_b=True) + bias,
        "reader": with_a_reader,
        "late_reader": with_a_late_reader,
        "shape": with_shape,
        "control": with_control,
        "gradients": with_gradients,
        "features": features,
        "own_features": own_features,
        "cond": lambda: tf.cond(tf.reduce_sum(x()) > 1e9, dense, lambda: dense(tf.tanh)),
        "chain": lambda: tf.matmul(tf.nn.relu(tf.matmul(x(), b) + bias), b, transpose_b=True),
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
        "no_bias": lambda: conv(False),
        "no_relu": lambda: conv(after=None),
        "tanh": lambda: conv(after=tf.tanh),
        "strides": lambda: conv(strides=[1, 2, 1, 1]),
        "dilated": lambda: conv(dilations=[1, 2, 2, 1]),
        "explicit": lambda: tf.nn.relu(
            tf.nn.conv2d(x(), window, [1, 1, 1, 1], [[0, 0], [1, 0], [2, 1], [0, 0]])
        ),
        "valid": lambda: tf.nn.relu(tf.nn.conv2d(x(), window, [1, 1, 1, 1], "VALID") + bias),
        "both": lambda: (lambda y: (tf.nn.relu(y), y))(conv(after=None)),
        "shape": lambda: (lambda y: (tf.nn.relu(y), tf.shape(y)))(conv(after=None)),
        "transposed": lambda: transposed(lambda y: tf.nn.relu(y + [1.0, -1.0, 0.5])),
        "transposed_plain": lambda: transposed(lambda y: y),
        "normal": normal,
        "normal_all": lambda: normal(outputs=3),
        "normal_epsilon": lambda: normal(epsilon=0.5),
        "normal_tanh": lambda: normal(tf.tanh),
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
        "two": lambda: added(2),
        "three": lambda: added(3),
        "no_bias": lambda: added(bias=False),
        "double": lambda: added(dtype=tf.float64),
        "half": lambda: [tf.cast(t, tf.float32) for t in added(dtype=tf.float16, bias=False)],
        "reader": lambda: added(more="reader"),
        "late": lambda: added(more="late"),
        "other": lambda: added(more="other"),
        "twice": lambda: added(more="twice"),
        "not_turned": lambda: added(turn=False),
        "shared": lambda: shared(4),
        "shared_twice": lambda: shared(2),
        "shared_back": lambda: shared(3, turn=True),
        "shared_tanh": lambda: shared(4, after=lambda p: tf.tanh(p + large[0])),
        "shared_few_rows": lambda: shared(4, rows=2),
        "shared_nan": lambda: shared(3, weights=np.where(large > 0.9, np.nan, large).astype("f4")),
        "looped": looped,
        "looped_relu": lambda: looped(tf.nn.relu),
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
        "first": lambda: sliced([0, 0], [-1, 3]),
        "last": lambda: sliced([0, 5], [-1, 3]),
        "rest": lambda: sliced([0, 2], [-1, -1]),
        "all": lambda: sliced([0, 0], [-1, 8]),
        "rows": lambda: sliced([1, 2], [-1, 3]),
        "some_rows": lambda: sliced([0, 2], [2, 3]),
        "none": lambda: sliced([0, 3], [-1, 0]),
        "far": lambda: sliced([0, 6], [-1, 3]),
        "double": lambda: sliced([0, 2], [-1, 4], tf.float64),
        "half": lambda: [tf.cast(t, tf.float32) for t in sliced([0, 2], [-1, 4], tf.float16)],
        "turned": lambda: sliced([0, 2], [-1, 4], turn=True),
        "product": lambda: sliced([0, 2], [-1, 4], more="product"),
        "reader": lambda: sliced([0, 2], [-1, 4], more="reader"),
        "twice": lambda: sliced([0, 2], [-1, 4], count=2),
        "second": lambda: sliced([0, 2], [-1, 4], more="second"),
        "second_turned": lambda: sliced([0, 2], [-1, 4], more="second", turn=True),
        "control": lambda: sliced([0, 2], [-1, 4], more="control"),
        "split": split,
        "split_no_bias": lambda: split(False),
        "split_last": lambda: split(axis=-1),
        "split_rows": lambda: split(axis=0, count=1),
        "split_rows_two": lambda: split(axis=0, count=5),
        "split_two": lambda: split(count=2),
        "split_plain": lambda: split(after=None),
        "split_whole": lambda: split(more="whole"),
        "split_part": lambda: split(more="part"),
        "split_again": lambda: split(more="again"),
        "split_sum": lambda: split(more="sum"),
        "split_double": lambda: split(dtype=tf.float64),
        "split_softmax": lambda: split(after=tf.nn.softmax),
    }
    _said(tf, stage, cases, ({}, {"x": a[:1]}, {"x": a[:0]}))


def paddings_and_tiles(tf, stage):
    x = _numbers(3, 4)

    def given():
        return tf.placeholder_with_default(x, [3, 4], name="x")

    def parts(pads, axis=0, whole=None):
        made = []
        for low, high in pads:
            size = [1, 4] if axis == 0 else [3, 1]
            part = tf.slice(given() if not made else tf.constant(x), [0, 0], size)
            around = [[low, high], [0, 0]] if axis == 0 else [[0, 0], [low, high]]
            made.append(
                tf.pad(part, around, constant_values=0) * 1.0 if whole else tf.pad(part, around)
            )
        return tf.add_n(made)

    def slices(*cuts):
        y = given()
        return tf.gradients(tf.add_n([tf.reduce_sum(y[cut] ** 2) for cut in cuts]), y)

    def mean(axis=None, keep=False):
        y = given()
        return tf.gradients(tf.reduce_mean(y * y, axis, keepdims=keep), y)

    def tiled(divide, more=False):
        value = tf.placeholder_with_default(np.float32([[3.0, 5.0]]), [1, 2], name="t")
        tile = tf.tile(value, [2, 3])
        made = [divide(tile)]
        return [*made, tile] if more else made

    cases = {
        "cover": lambda: parts([(0, 2), (1, 1), (2, 0)]),
        "order": lambda: parts([(2, 0), (0, 2), (1, 1)]),
        "overlap": lambda: parts([(0, 2), (0, 2), (2, 0)]),
        "gap": lambda: parts([(0, 2), (2, 0)]),
        "columns": lambda: parts([(0, 2), (1, 1), (2, 0)], axis=1),
        "products": lambda: parts([(0, 2), (1, 1), (2, 0)], whole=True),
        "halves": lambda: slices(slice(0, 1), slice(1, 3)),
        "backwards": lambda: slices(slice(1, 3), slice(0, 1)),
        "part": lambda: slices(slice(1, 3)),
        "crossing": lambda: slices(slice(0, 2), slice(1, 3)),
        "steps": lambda: slices(slice(0, 3, 2), slice(1, 2)),
        "reverse": lambda: slices(slice(None, None, -1)),
        "mean": mean,
        "mean_rows": lambda: mean(0),
        "mean_columns": lambda: mean([1], True),
        "mean_both": lambda: mean([0, 1]),
        "tile": lambda: tiled(lambda t: t / 7.0),
        "tile_both": lambda: tiled(lambda t: t / 7.0, more=True),
        "tile_by_zero": lambda: tiled(lambda t: t / 0.0),
        "tile_divides": lambda: tiled(lambda t: 7.0 / t),
        "tile_vector": lambda: tiled(lambda t: t / np.float32([1, 2, 3, 4, 5, 6])),
        "tile_ints": lambda: tf.tile(tf.constant([7, 8]), [2]) / 3,
        "tile_floor": lambda: tf.tile(tf.constant([7, 8]), [2]) // 3,
    }
    _said(tf, stage, cases, ({}, {"x": x[::-1]}, {"t": np.float32([[np.inf, 0.0]])}))


def reshapes(tf, stage):
    x = _numbers(2, 6)

    def p(shape):
        return tf.placeholder_with_default(x, shape, name="x")

    def broadcast(left, right):
        a = tf.placeholder_with_default(x, left, name="x")
        b = tf.placeholder_with_default(x[:1], right, name="y")
        made = a * b
        return made, tf.gradients(made, [a, b])

    cases = {
        "same": lambda: tf.reshape(p([2, 6]), [2, 6]),
        "same_rest": lambda: tf.reshape(p([2, 6]), [2, -1]),
        "other": lambda: tf.reshape(p([2, 6]), [6, -1]),
        "unknown": lambda: tf.reshape(p([None, 6]), [-1, 6]),
        "unknown_other": lambda: tf.reshape(p([None, 6]), [-1, 3]),
        "own_shape": lambda: (lambda t: tf.reshape(t, tf.shape(t)))(p(None)),
        "chain": lambda: tf.reshape(tf.reshape(p([2, 6]), [3, 4]), [4, 3]),
        "chain_back": lambda: tf.reshape(tf.reshape(p([2, 6]), [3, 4]), [2, 6]),
        "chain_fetched": lambda: (lambda t: (t, tf.reshape(t, [2, 6])))(
            tf.reshape(p([2, 6]), [3, 4])
        ),
        "chain_unknown": lambda: tf.reshape(tf.reshape(p([None, 6]), [-1]), [-1, 6]),
        "empty": lambda: tf.reshape(tf.reshape(p([None, 6])[:0], [0]), [0, 5]),
        "expanded": lambda: tf.squeeze(tf.expand_dims(p(None), 1), [1]),
        "sum_none": lambda: tf.reduce_sum(p(None), []),
        "sum_none_kept": lambda: tf.reduce_sum(p(None), [], keepdims=True),
        "sum_unknown": lambda: tf.reduce_sum(p(None), tf.placeholder_with_default([0], [None])),
        "broadcast_known": lambda: broadcast([2, 6], [1, 6]),
        "broadcast_unknown": lambda: broadcast([None, 6], [None, 6]),
        "broadcast_free": lambda: broadcast(None, None),
        "same_operands": lambda: (lambda t: tf.gradients(t * t + t, t))(p(None)),
        "shared_shape": lambda: (lambda t: tf.gradients(t * tf.ones(tf.shape(t)), t))(p(None)),
    }
    feeds = ({}, {"x": x[:, :6], "y": x}, {"x": x[:0], "y": x[:1]}, {"x": x[:1], "y": x})
    _said(tf, stage, cases, feeds)


def constants_and_copies(tf, stage):
    def folded():
        a = tf.constant([1.0, 2.0])
        return tf.reduce_sum(a * 3.0 + tf.square(a)), tf.shape(a)[0] * 2, tf.rank(a), tf.size(a)

    def fails():
        return tf.gather(tf.constant([1, 2]), 5)

    def by_zero():
        return tf.constant([1]) // tf.constant([0])

    def one(value, dtype=tf.float32):
        x = tf.placeholder_with_default(np.array([2, 3], dtype.as_numpy_dtype), [2], name="x")
        return x * tf.constant(value, dtype), tf.constant(value, dtype) * x

    def shared(kind):
        x = tf.placeholder_with_default([0.5, 1.0], [2])
        return kind(x), kind(x)

    def random_twice():
        a, b = tf.random_uniform([3], seed=1), tf.random_uniform([3], seed=1)
        return tf.reduce_all(tf.equal(a, b)), tf.reduce_any(tf.not_equal(a, tf.random_uniform([3])))

    def assigned_between():
        v = tf.Variable([1.0, 2.0], name="v")
        before = v + 0.0
        with tf.control_dependencies([before]):
            changed = tf.assign(v, [5.0, 6.0])
        with tf.control_dependencies([changed]):
            after = v + 0.0
        return before, after, changed

    def resource_between():
        v = tf.get_variable("r", initializer=[1.0, 2.0], use_resource=True)
        before = v.read_value()
        with tf.control_dependencies([before]):
            changed = v.assign_add([1.0, 1.0])
        with tf.control_dependencies([changed]):
            return before, v.read_value(), tf.shape(v), v * v

    def slices_kept():
        v = tf.get_variable("r", initializer=[[1.0, 2.0], [3.0, 4.0]], use_resource=True)
        row = v[0]
        with tf.control_dependencies([row]):
            changed = tf.scatter_update(v, [0], [[9.0, 9.0]])
        with tf.control_dependencies([changed]):
            return row, tf.identity(v[0]), tf.transpose(v)

    cases = {
        "folded": folded,
        "fails": fails,
        "by_zero": by_zero,
        "one": lambda: one(1.0),
        "one_int": lambda: one(1, tf.int32),
        "one_int8": lambda: one(1, tf.int8),
        "one_vector": lambda: one([1.0, 1.0]),
        "one_matrix": lambda: one([[1.0], [1.0]]),
        "minus_one": lambda: one(-1.0),
        "zero": lambda: one(0.0),
        "complex_one": lambda: one(1.0, tf.complex64),
        "shared": lambda: shared(tf.exp),
        "shared_random": random_twice,
        "assigned_between": assigned_between,
        "resource_between": resource_between,
        "slices_kept": slices_kept,
        "nan_times_zero": lambda: tf.constant(float("nan")) * 0.0,
        "minus_zero_times_one": lambda: 1.0 / (tf.placeholder_with_default(-0.0, []) * 1.0),
        "texts": lambda: tf.string_join([tf.constant("a"), tf.constant("b")]),
        "assert": lambda: tf.Assert(tf.constant(False), ["no"]),
        "unused_failure": lambda: (fails(), tf.constant(1))[1],
        "identity_of_itself": lambda: tf.identity(tf.identity(tf.constant(3))),
        "stop": lambda: tf.stop_gradient(tf.placeholder_with_default(2.0, [])),
        "same_twice": lambda: [tf.constant(1.0)] * 2,
    }
    _said(tf, stage, cases, ({}, {"x": [0.0, float("nan")]}))


def conditions(tf, stage):
    def preds():
        p = tf.placeholder_with_default(True, [], name="p")
        q = tf.placeholder_with_default(False, [], name="q")
        return p, q

    def nested():
        p, q = preds()
        x = tf.constant(1.0)
        inner = lambda: tf.cond(q, lambda: x * 2.0, lambda: x * 3.0)  # noqa: E731
        return tf.cond(p, inner, lambda: tf.cond(q, lambda: x * 5.0, lambda: x * 7.0))

    def same_twice():
        p, q = preds()
        x = tf.constant(1.0)
        a = tf.cond(p, lambda: x + 1.0, lambda: x - 1.0)
        b = tf.cond(p, lambda: a * 10.0, lambda: a * 100.0)
        c = tf.cond(tf.logical_and(p, q), lambda: b + 0.5, lambda: b)
        return a, b, c

    def dead_fetched():
        p, _ = preds()
        inside = []
        tf.cond(
            p, lambda: inside.append(tf.constant(4.0) + 0.0) or inside[0], lambda: tf.constant(0.0)
        )
        return inside[0]

    def merged_by_hand():
        p, q = preds()
        one = tf.raw_ops.Switch(data=tf.constant(1.0), pred=p)
        two = tf.raw_ops.Switch(data=tf.constant(2.0), pred=q)
        return tf.raw_ops.Merge(inputs=[one[1], two[1]])

    def never():
        p, _ = preds()
        one = tf.raw_ops.Switch(data=tf.constant(1.0), pred=p)
        return one[0] + one[1]

    def effects():
        p, q = preds()
        v = tf.Variable(0.0, name="v")
        one = tf.cond(p, lambda: tf.assign_add(v, 1.0), lambda: tf.assign_add(v, 10.0))
        with tf.control_dependencies([one]):
            two = tf.cond(q, lambda: tf.assign_add(v, 100.0), lambda: tf.identity(v))
        with tf.control_dependencies([two]):
            return v.read_value()

    def gradients():
        p, q = preds()
        x, y = tf.constant(2.0), tf.constant(3.0)
        made = tf.cond(p, lambda: tf.cond(q, lambda: x * y, lambda: x * x * y), lambda: y)
        return made, [tf.convert_to_tensor(g) for g in tf.gradients(made, [x, y])]

    def in_a_loop():
        p, q = preds()
        step = lambda i, s: (i + 1, tf.cond(tf.equal(i % 2, 0), lambda: s + 1.0, lambda: s * 3.0))  # noqa: E731
        return tf.while_loop(lambda i, s: tf.logical_and(p, i < 5), step, [0, 1.0])

    def loop_in_a_branch():
        p, _ = preds()
        loop = lambda: tf.while_loop(lambda i: i < 7, lambda i: i + 3, [tf.constant(0)])  # noqa: E731
        return tf.cond(p, loop, lambda: tf.constant(-1))

    def trigger():
        p, _ = preds()
        one = tf.raw_ops.Switch(data=tf.constant(1.0), pred=p)
        with tf.control_dependencies([tf.identity(one[0])]):
            dead = tf.raw_ops.ControlTrigger()
        with tf.control_dependencies([dead]):
            return tf.constant(3)

    cases = {
        "nested": nested,
        "same_twice": same_twice,
        "dead_fetched": dead_fetched,
        "merged_by_hand": merged_by_hand,
        "never": never,
        "effects": effects,
        "gradients": gradients,
        "in_a_loop": in_a_loop,
        "loop_in_a_branch": loop_in_a_branch,
        "trigger": trigger,
    }
    feeds = [{"p": a, "q": b} for a in (True, False) for b in (True, False)]
    _said(tf, stage, cases, feeds)


def sums_in_loops(tf, stage):
    x = _numbers(4, 3, 5)

    def rnn(steps=4, dtype=tf.float32, extra=None):
        given = tf.placeholder_with_default(x, [None, None, 5], name="x")
        w = tf.constant(_numbers(5, 5, seed=1), dtype)
        b = tf.constant(_numbers(5, seed=2), dtype)
        rows = tf.cast(given, dtype)

        def step(i, h, total):
            h = tf.tanh(tf.matmul(h, w) + b + rows[i])
            return i + 1, h, total + (tf.reduce_sum(h) if extra else 0.0)

        start = tf.zeros_like(rows[0])
        limit = tf.minimum(steps, tf.shape(rows)[0])
        _, h, total = tf.while_loop(
            lambda i, h, t: i < limit, step, [0, start, tf.zeros([], dtype)]
        )
        loss = tf.reduce_sum(h * h) + total
        return [loss, *tf.gradients(loss, [w, b])]

    def by_hand(fetched=False, start=0.0, scale=1.0):
        a = tf.placeholder_with_default(x, [None, 3, 5], name="x")
        limit = tf.shape(a)[0]

        def step(i, s, t):
            grown = s + tf.matmul(a[i], a[i] * scale, transpose_a=True)
            return i + 1, grown, t + tf.reduce_sum(grown) if fetched else t

        first = tf.fill([5, 5], start)
        return tf.while_loop(lambda i, s, t: i < limit, step, [0, first, 0.0])

    cases = {
        "rnn": rnn,
        "rnn_one": lambda: rnn(1),
        "rnn_none": lambda: rnn(0),
        "rnn_double": lambda: rnn(dtype=tf.float64),
        "rnn_total": lambda: rnn(extra=True),
        "by_hand": by_hand,
        "by_hand_read": lambda: by_hand(True),
        "by_hand_start": lambda: by_hand(start=2.5),
        "by_hand_scale": lambda: by_hand(scale=0.5),
    }
    _said(tf, stage, cases, ({}, {"x": x[:1]}, {"x": x[:0]}))
