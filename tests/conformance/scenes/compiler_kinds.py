"""Random programs of other dtypes than float32: doubles, integers, complex numbers; and of float32, run in one session
with batches of several sizes and with parts fed or fetched.
"""

import contextlib

import numpy as np

from tests.conformance.scenes.compiler_drawn import _broadcast, _Drawn


class _OfKind(_Drawn):
    """A random program of one dtype."""

    def __init__(self, tf, seed, dtype):
        super().__init__(tf, seed)
        self.dtype = dtype

    def numbers(self, *shape):
        numbers = self.rng.uniform(-1, 1, shape)
        if self.dtype.is_integer:
            return np.array(numbers * 9, self.dtype.as_numpy_dtype)
        if self.dtype.is_complex:
            numbers = numbers + 1j * self.rng.uniform(-1, 1, shape)
        return np.round(numbers * 64, 0).astype(self.dtype.as_numpy_dtype) / 64

    def given(self, *shape):
        tf, value = self.tf, self.numbers(*shape).astype(self.dtype.as_numpy_dtype)
        kind = self.rng.randint(4)
        if kind < 2:
            made = tf.placeholder(self.dtype, [None if self.flip() else n for n in shape])
            self.feeds[made] = value
        else:
            made = tf.Variable(value, use_resource=True) if kind == 2 else tf.constant(value)
        self.inputs.append(made)
        return self.add(made, shape)

    def unary(self):
        tf = self.tf
        x, shape = self.recent()
        kinds = [tf.negative, tf.square, tf.identity, tf.stop_gradient, lambda t: t + t]
        if not self.dtype.is_complex:
            kinds += [tf.abs, tf.sign, lambda t: tf.where(t > 0, t, -t), lambda t: t * 3 - 1]
            kinds += [lambda t: tf.clip_by_value(t, -2, 3), lambda t: tf.maximum(t, 0)]
            kinds += [lambda t: tf.cast(tf.cast(t, tf.float32) * 2, t.dtype)]
            kinds += [lambda t: tf.cast(tf.logical_and(t > 0, t < 2), t.dtype)]
        if self.dtype.is_integer:
            kinds += [lambda t: t // 3, lambda t: t % 4, lambda t: tf.bitwise.bitwise_xor(t, t - 1)]
            kinds += [tf.bitwise.invert, lambda t: tf.bitwise.left_shift(t, tf.ones_like(t))]
            kinds += [lambda t: tf.truncatediv(t, 2 * tf.ones_like(t))]
        else:
            kinds += [tf.tanh, tf.exp, lambda t: t / 3, lambda t: tf.reciprocal(t * t + 2), tf.sin]
        if self.dtype.is_floating:
            kinds += [tf.sigmoid, tf.nn.softplus, tf.nn.elu, tf.floor, tf.round, tf.nn.selu]
            kinds += [lambda t: t % 0.75, lambda t: tf.sqrt(tf.abs(t)), tf.nn.leaky_relu]
            kinds += [lambda t: tf.log1p(tf.abs(t)), lambda t: tf.pow(tf.abs(t) + 0.5, 1.5)]
        self.add(self.one_of(kinds)(x), shape)

    def binary(self):
        tf = self.tf
        x, shape = self.recent()
        fitting = [t for t in self.tensors if _broadcast(shape, t[1]) in (shape, t[1])]
        y, other = self.one_of(fitting)
        kinds = [tf.add, tf.subtract, tf.multiply, lambda a, b: a * b - b, lambda a, b: a + b * 2]
        kinds += [lambda a, b: tf.cast(tf.equal(a, b), a.dtype) + a]
        if not self.dtype.is_complex:
            kinds += [tf.maximum, tf.minimum, lambda a, b: tf.cast(a >= b, a.dtype) * b]
            kinds += [tf.squared_difference]
        if self.dtype.is_integer:
            kinds += [lambda a, b: a // (tf.abs(b) + 1), lambda a, b: tf.floormod(a, tf.abs(b) + 2)]
            kinds += [tf.bitwise.bitwise_and, tf.bitwise.bitwise_or]
        else:
            kinds += [lambda a, b: a / (b * b + 2)]
        a, b = (x, y) if self.flip() else (y, x)
        made = self.one_of(kinds)(a, b)
        if self.dtype.is_integer:
            made = made % 101
        elif self.dtype.is_floating:
            made = tf.tanh(made)
        self.add(made, _broadcast(shape, other))

    def rows(self):
        tf = self.tf
        x, shape = self.recent()
        if not shape:
            return
        axis = self.rng.randint(len(shape))
        kinds = [tf.reduce_sum, tf.reduce_prod]
        if not self.dtype.is_complex:
            kinds += [tf.reduce_max, tf.reduce_min]
        kept = [1 if n == axis else size for n, size in enumerate(shape)]
        if self.flip():
            self.add(self.one_of(kinds)(x, axis, True), kept)
        elif self.flip():
            self.add(tf.cumsum(x, axis, self.flip(), self.flip()), shape)
        else:
            self.add(self.one_of(kinds)(x, axis), shape[:axis] + shape[axis + 1 :])

    def layout(self):
        with contextlib.suppress(
            TypeError
        ):  # not followed by tanh, which does not support integers
            super().layout()

    def product(self):
        tf = self.tf
        x, shape = self.recent()
        while len(shape) > 2:
            x, shape = x[0], shape[1:]
        if len(shape) < 2:
            return
        width = self.one_of([2, 3, 5])
        sides = [self.flip(), self.flip()]
        weights, _ = self.given(*((width, shape[1]) if sides[1] else (shape[1], width)))
        left = tf.transpose(x) if sides[0] else x
        made = tf.matmul(left, weights, transpose_a=sides[0], transpose_b=sides[1])
        if self.flip():
            bias, _ = self.given(width)
            made = tf.nn.bias_add(made, bias) if self.flip() else made + bias
        if self.dtype.is_integer:
            made = made % 101
        self.add(made, (shape[0], width))


def _brief(value):
    value = np.asarray(value)
    if value.dtype.kind == "f":
        value = value + value.dtype.type(0)  # no -0.0
    if value.size <= 6:
        return value
    weights = np.cos(np.arange(value.size))
    flat = value.reshape(-1).astype("D" if value.dtype.kind == "c" else "d")
    total = abs(flat @ weights) / (np.abs(flat).sum() + 1)
    return [value.dtype.name, str(value.shape), value.reshape(-1)[:: value.size // 3][:3], total]


def _said(stage, tf, drawn):
    results = [t for t, _ in drawn.tensors[-4:]]
    slopes = []
    if drawn.dtype in (tf.float64, tf.complex128):
        powers = [tf.real(t * tf.conj(t)) for t in results]
        slopes = [g for g in tf.gradients(powers, drawn.inputs) if g is not None]
        slopes = [tf.convert_to_tensor(g) for g in slopes]
    with tf.Session() as session:
        session.run(tf.global_variables_initializer())
        for value in session.run([*results, *slopes], drawn.feeds):
            stage.say(_brief(value))
        stage.say(_brief(session.run(results[-1], drawn.feeds)))  # alone


def _programs(tf, stage, dtype, seeds, kinds, steps=12, shapes=((2, 3), (3,), (2, 1), (4, 3))):
    for seed in seeds:
        with tf.Graph().as_default():
            drawn = _OfKind(tf, seed, dtype)
            for shape in shapes:
                drawn.given(*shape)
            drawn.grow(steps, kinds)
            stage.say(seed)
            with stage.failing():
                _said(stage, tf, drawn)


_ALL = ["unary", "binary", "binary", "rows", "layout", "product"]


def doubles(tf, stage):
    _programs(tf, stage, tf.float64, range(3), ["unary", "binary"])
    _programs(tf, stage, tf.float64, range(6, 9), _ALL)
    _programs(tf, stage, tf.float64, range(14, 15), _ALL, shapes=((40, 30), (30,), (30, 33)))


def more_doubles(tf, stage):
    _programs(tf, stage, tf.float64, range(3, 5), ["unary", "binary"])
    _programs(tf, stage, tf.float64, range(9, 13), _ALL)
    _programs(tf, stage, tf.float64, range(15, 16), _ALL, shapes=((40, 30), (30,), (30, 33)))


def integers(tf, stage):
    _programs(tf, stage, tf.int32, range(20, 28), _ALL)
    _programs(tf, stage, tf.int64, range(28, 34), _ALL)
    _programs(tf, stage, tf.int32, range(34, 36), _ALL, shapes=((40, 30), (30,), (30, 33)))


def complex_numbers(tf, stage):
    _programs(tf, stage, tf.complex64, range(40, 45), _ALL)
    _programs(tf, stage, tf.complex128, range(45, 50), _ALL)


def batches_of_several_sizes(tf, stage):
    """One session with an unknown batch size; parts of the program are fed, others fetched."""
    for seed in range(60, 63):
        rng = np.random.RandomState(seed)
        with tf.Graph().as_default(), tf.Session() as session:
            x = tf.placeholder(tf.float32, [None, 6], "x")
            weights = [rng.uniform(-1, 1, s).astype("f") for s in ((6, 12), (6, 12), (12,), (3,))]
            w, v, b, c = (tf.Variable(value, use_resource=seed % 2 == 0) for value in weights)
            y = tf.nn.bias_add(tf.matmul(x, w), b)
            i, j, f, o = tf.split(y, 4, 1)
            cell = tf.sigmoid(f + 1.0) * tf.sigmoid(i) + tf.tanh(j)
            out = tf.tanh(cell) * tf.sigmoid(o)
            both = tf.concat([out, cell], 1)
            z = tf.matmul(tf.nn.relu(both + 0.1), v)
            parts = tf.split(z, [3, 2, 7], -1)
            rest = [parts[0] + c, parts[1] * 2.0, tf.nn.softmax(parts[2])]
            whole = tf.concat(rest[:: -1 if seed % 3 else 1], 1)
            loss = tf.reduce_mean(tf.square(whole)) + tf.reduce_sum(out)
            slopes = tf.gradients(loss, [x, w, v, b, c])
            session.run(tf.global_variables_initializer())
            for rows in (3, 1, 0, 70, 3, 8):
                data = rng.uniform(-1, 1, (rows, 6)).astype("f")
                stage.say(seed, rows)
                fetches = [[whole, loss, *slopes], [out], [cell, z], [parts[1], slopes[3]]]
                for each in fetches[: 2 if rows == 70 else 4]:
                    stage.say(*map(_brief, session.run(each, {x: data})))
                inner = rng.uniform(-1, 1, (rows, 3)).astype("f")
                stage.say(*map(_brief, session.run([whole, slopes[1]], {x: data, cell: inner})))
                stage.say(*map(_brief, session.run([whole, slopes[2]], {both: data})))
            stage.attempt(session.run, whole, {x: np.zeros([2, 5])})
            stage.attempt(session.run, whole, {both: np.zeros([2, 5])})
            stage.attempt(session.run, whole, {both: data, cell: data})


def shapes_that_come_late(tf, stage):
    """Unknown or partially known shapes; some feeds have invalid shapes."""
    rng = np.random.RandomState(7)

    def numbers(*shape):
        return np.round(rng.uniform(-1, 1, shape), 2)

    def gates(x):
        parts = tf.split(x, 4, -1)
        y = tf.sigmoid(parts[0] + 1.0) * tf.tanh(parts[1]) - tf.nn.relu(parts[2]) * parts[3]
        return y, tf.concat([tf.tanh(y), parts[1] * 0.5], -1)

    def chain(x):
        return tf.tanh(x * 2.0 + 1.0) * tf.sin(x) + tf.cos(x - 0.5), tf.reduce_sum(tf.sin(x) * x, 0)

    def masked(x):
        return tf.where(x > 0, tf.exp(-x), x * 3.0), tf.cast(x > 0, x.dtype) * x + tf.minimum(
            x, 1.0
        )

    def normalized(x):
        mean, variance = tf.nn.moments(x, [-1], keep_dims=True)
        return (x - mean) * tf.rsqrt(variance + 1e-3), tf.nn.softmax(x), tf.nn.log_softmax(x * 0.5)

    def shifted(x):
        return tf.pad(x, [[1, 0], [0, 0]])[:-1] + x, x[1:] * x[:-1], x[::-1] - x[:, ::-1]

    fed = [numbers(3, 8), numbers(1, 4), numbers(0, 8), numbers(3, 0), numbers(0, 0), numbers(2, 6)]
    fed += [numbers(2, 3, 4), numbers(4), numbers(16, 3)[:, :2].T, numbers(5, 8)[::-2]]
    fed += [np.array([[np.nan, np.inf, -np.inf, 0.0]])]
    for build in (gates, chain, masked, normalized, shifted):
        for dtype in (tf.float32, tf.float64):
            for shape in (None, [None, None], [None, 8]):
                if dtype == tf.float64 and shape:
                    continue
                with tf.Graph().as_default(), tf.Session() as session:
                    stage.say(build.__name__, dtype.name, shape)
                    x = tf.placeholder(dtype, shape)
                    made = None
                    with stage.failing():
                        made = build(x)
                    if made is None:
                        continue
                    slopes = tf.gradients(made, x)
                    for value in fed if build is not shifted else fed[:6]:
                        if shape is None or len(shape) == value.ndim and value.shape[-1] in (8, 4):
                            with stage.failing():
                                found = session.run([*made, *slopes], {x: value})
                                stage.say(*map(_brief, found))


def views_of_known_shapes(tf, stage):
    """Slices and reshapes of arrays with known shapes: intermediate values, feeds and variables."""
    numbers = np.arange(24.0).reshape(2, 3, 4)
    fed = tf.placeholder(tf.float32, [2, 3, 4], "x")
    given = {"fed": fed, "own": fed * 2.0, "variable": tf.Variable(numbers.astype("f"))}
    given["doubles"] = tf.constant(numbers)
    given["integers"] = tf.cast(fed, tf.int64) + 1
    given["texts"] = tf.as_string(tf.cast(fed, tf.int32))
    cuts = [([0, 0, 0], [2, 3, 4]), ([0, 0, 0], [-1, -1, -1]), ([1, 0, 0], [1, -1, 4])]
    cuts += [([0, 1, 0], [2, 2, -1]), ([0, 0, 3], [-1, 3, 1]), ([1, 2, 3], [1, 1, 1])]
    cuts += [([0, 0, 0], [0, 0, 0]), ([2, 0, 0], [0, 3, 4]), ([1, 1, 1], [0, -1, 2])]
    cuts += [([2, 3, 4], [-1, -1, -1]), ([0, 0, 1], [2, 3, 2]), ([0, 1, 1], [1, 1, 3])]
    bad = [([0, 0, 0], [3, 3, 4]), ([-1, 0, 0], [1, 1, 1]), ([0, 4, 0], [1, -1, 1])]
    bad += [([0, 0, 0], [1, -2, 1]), ([0, 0], [1, 1]), ([0, 0, 0], [1, 1])]
    shapes = [[24], [4, 6], [2, 12], [-1, 3], [1, 2, 3, 4], [3, 2, 4], [2, -1, 2], [0, -1], [5, -1]]
    with tf.Session() as session:
        session.run(tf.global_variables_initializer())
        for name, x in given.items():
            stage.say(name)
            made = [tf.slice(x, *cut) for cut in cuts]
            made += [tf.slice(x, *map(np.int64, cut)) for cut in cuts[2:4]]
            made += [tf.reshape(x, shape) for shape in shapes[:7]]
            made += [tf.expand_dims(x, n) for n in (0, 1, -1, -4)]
            made += [tf.squeeze(x[:1]), tf.squeeze(x[:, :1], 1), tf.squeeze(x[:, :, :1], [-1])]
            for value in session.run(made, {fed: numbers}):
                stage.say(value.shape, value if value.dtype == object else _brief(value))
            stage.attempts(*[lambda b=b, x=x: tf.slice(x, *b).shape for b in bad])
            stage.attempts(*[lambda s=s, x=x: tf.reshape(x, s).shape for s in shapes[7:]])
            late = tf.placeholder_with_default([0, 0, 0], [3])
            for begin, size in cuts[1:4] + bad[:4]:
                part = tf.slice(x, late, tf.placeholder_with_default(size, [None]))
                stage.attempt(session.run, tf.shape(part), {fed: numbers, late: begin})
        parts = session.run([fed[:1], tf.reshape(fed, [24]), fed * 1.0], {fed: numbers})
        for part in parts:
            part += 1  # no result shares memory with another or with a feed
        stage.say(*[float(part.sum()) for part in parts], float(numbers.sum()))
