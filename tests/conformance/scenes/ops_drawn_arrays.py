"""Arrays rearranged, gathered and joined with random arguments: known and unknown shapes, eager mode, gradients."""

import numpy as np

from tests.conformance.scenes import eager_mode


class Draws:
    """Arguments drawn from a seed, and the calls that get them: each says what was drawn and what it gives.

    A call is a method's that takes these. Tensors are constants, placeholders of unknown ranks or
    sizes, or those of eager mode, by turns.
    """

    KINDS = "constant", "unknown", "half", "eager"

    def __init__(self, tf, stage, seed):
        self.tf, self.stage, self.random = tf, stage, np.random.RandomState(seed)
        self.kind, self.drawn, self.inputs = "", [], []

    def one(self, *options):
        """A random choice."""
        self.drawn.append(options[self.random.randint(len(options))])
        return self.drawn[-1]

    def flip(self):
        return self.one(False, True)

    def sizes(self, rank, least=1, most=4):
        self.drawn.append([int(n) for n in self.random.randint(least, most + 1, rank)])
        return self.drawn[-1]

    def ints(self, low, high, shape=()):
        """Random integers as an array, or an int; `high` is exclusive."""
        self.drawn.append(self.random.randint(low, high, shape if shape != () else None))
        return self.drawn[-1]

    def axis(self, rank):
        """A random axis, occasionally out of range."""
        if self.random.randint(12):
            return self.one(*range(-rank, rank)) if rank else self.one(0, -1)
        return self.one(-rank - 1, rank)

    def order(self, count):
        self.drawn.append(self.random.permutation(count))
        return self.drawn[-1]

    def t(self, value, dtype=None):
        """A tensor with a value."""
        value = np.asarray(value, dtype)
        if value.dtype == np.int64 and dtype is None:
            value = value.astype("i")
        if self.kind in ("constant", "eager"):
            return self.tf.constant(value)
        shape = None if self.kind == "unknown" else [n if n == 2 else None for n in value.shape]
        return self.tf.placeholder_with_default(value, shape)

    def x(self, *shape, dtype="f"):
        """A tensor of random numbers of that shape; gradients are taken with respect to floats."""
        count = int(np.prod(shape))
        values = (np.arange(count) * 7 % 11 - 4) * (0.5 if np.dtype(dtype).kind in "fc" else 1)
        values = values.reshape(shape).astype(dtype)
        self.drawn.append(tuple(int(n) for n in shape))
        tensor = self.t(values, dtype)
        if tensor.dtype.is_floating:
            self.inputs.append(tensor)
        return tensor

    def _results(self, function):
        tf = self.tf
        made = [tf.convert_to_tensor(y) for y in tf.nest.flatten(function(self))]
        if self.kind == "eager":
            return [made]
        slopes = self._slopes(made) if self.kind == "unknown" else []
        with tf.Session() as session:
            values = session.run(made)
            shapes = [str(y.shape) for y in made + slopes]
            return [shapes, values, *([session.run(slopes)] if slopes else [])]

    def _slopes(self, made):
        tf = self.tf
        floats = [y for y in made if y.dtype in (tf.float32, tf.float64)]
        slopes = tf.gradients([y * y for y in floats], self.inputs) if floats else []
        return [tf.convert_to_tensor(s) for s in slopes if s is not None]

    def call(self, function):
        """Records a call: static shapes, values, gradients if no shape is known; an error comes first."""
        self.drawn, self.inputs, results = [], [], []
        with self.stage.failing():
            results = self._results(function)
        self.stage.say(function.__name__.strip("_"), self.kind, *self.drawn, "=", *results)

    def calls(self, functions, times=1):
        for function in functions:
            for number in range(times):
                self.kind = self.KINDS[(number + len(function.__name__)) % 4]
                with self.tf.Graph().as_default():
                    if self.kind == "eager":
                        with eager_mode(self.tf):
                            self.call(function)
                    else:
                        self.call(function)


def _strided(d):
    sizes = d.sizes(3)
    count = d.one(1, 2, 3)
    begin, end = d.ints(-5, 5, count), d.ints(-5, 5, count)
    step = d.one(1, 1, 2, -1, -2) * np.ones(count, int)
    masks = {
        name + "_mask": d.one(0, 0, 1, 2, 4) % 2**count
        for name in ("begin", "end", "ellipsis", "new_axis", "shrink_axis")
    }
    return d.tf.strided_slice(d.x(*sizes), d.t(begin), d.t(end), d.t(step), **masks)


def _concat(d):
    sizes, axis = d.sizes(3), d.axis(3)
    other = [n + d.one(0, 1, 2) if i == axis % 3 else n for i, n in enumerate(sizes)]
    more = [d.x(*sizes)] * d.one(0, 1)
    return d.tf.concat([d.x(*sizes), d.x(*other), *more], axis)


def _stack(d):
    sizes = d.sizes(2)
    return d.tf.stack([d.x(*sizes)] * d.one(1, 2, 3), d.axis(3))


def _unstack(d):
    sizes, axis = d.sizes(3), d.axis(3)
    return d.tf.unstack(d.x(*sizes), sizes[axis % 3], axis)


def _split(d):
    sizes, axis = d.sizes(3, 2), d.axis(3)
    n = sizes[axis % 3]
    parts = d.one(1, n, 2, [1, n - 1], [0, n], [-1, 1], [n - 1, 0, 1])
    return d.tf.split(d.x(*sizes), parts, axis)


def _tile(d):
    return d.tf.tile(d.x(*d.sizes(2)), d.t(d.ints(0, 4, 2)))


def _repeat(d):
    sizes, axis = d.sizes(2), d.one(0, 1, -1, None)
    n = sizes[axis] if axis is not None else sizes[0] * sizes[1]
    return d.tf.repeat(d.x(*sizes), d.t(d.ints(0, 3, d.one(n, 1))), axis)


def _gather(d):
    axis = d.axis(3)
    sizes = d.sizes(3)
    batches = d.one(0, 0, 1)
    shape = [*sizes[:batches], *d.sizes(d.one(0, 1, 2) if not batches else d.one(0, 1))]
    indices = d.ints(0, sizes[axis % 3] + (not d.random.randint(9)), shape)
    kind = d.one("i", "i8")
    return d.tf.gather(d.x(*sizes), d.t(indices, kind), axis=axis, batch_dims=batches)


def _gather_nd(d):
    sizes, batches = d.sizes(3), d.one(0, 0, 1)
    depth = d.one(0, 1, 2, 3) - batches
    if depth < 0:
        depth = 0
    places = d.ints(0, 9, [*sizes[:batches], *d.sizes(d.one(0, 1)), depth])
    places = places % np.array(sizes[batches : batches + depth], int)
    return d.tf.gather_nd(d.x(*sizes), d.t(places), batch_dims=batches)


def _scatter(d):
    sizes = d.sizes(2, 2)
    depth, count = d.one(1, 2), d.one(0, 1, 3)
    places = d.ints(0, min(sizes), [count, depth])
    if d.flip():
        updates = d.x(count, *sizes[depth:])
        return d.tf.scatter_nd(d.t(places), updates, d.t(sizes))
    change = d.one("update", "add", "sub")
    places = np.reshape(sorted(set(map(tuple, places.tolist()))), [-1, depth]).astype("i")
    updates = d.x(len(places), *sizes[depth:])
    return getattr(d.tf, "tensor_scatter_" + change)(d.x(*sizes), d.t(places), updates)


def _mask(d):
    sizes, axis = d.sizes(3), d.one(None, 0, 1)
    at = axis or 0
    rank = d.one(1, 2) if at < 2 else 1
    return d.tf.boolean_mask(d.x(*sizes), d.ints(0, 2, sizes[at : at + rank]) > 0, axis=axis)


def _where(d):
    sizes = d.sizes(2)
    condition = d.t(d.ints(0, 2, d.one(sizes, sizes[:1])) > 0)
    if d.flip():
        return d.tf.where(condition)
    return d.tf.where(condition, d.x(*sizes), d.x(*sizes) * 3)


def _where_v2(d):
    a, b = d.sizes(2)
    condition = d.t(d.ints(0, 2, d.one([a, b], [b], [a, 1], [])) > 0)
    return d.tf.where_v2(
        condition, d.x(*d.one([a, b], [b], [])), d.x(*d.one([a, b], [1, b], [a, 1]))
    )


def _one_hot(d):
    kind = d.one("f", "i8", "i", "d")
    return d.tf.one_hot(
        d.t(d.ints(-1, 4, d.sizes(d.one(0, 1, 2)))),
        d.one(0, 1, 3),
        d.one(None, 2),
        d.one(None, -1),
        d.one(-1, 0, 1, -2),
        dtype=np.dtype(kind),
    )


def _sequence_mask(d):
    return d.tf.sequence_mask(
        d.t(d.ints(0, 4, d.sizes(d.one(0, 1, 2))), d.one("i", "i8")),
        d.one(None, 0, 2, 5),
        d.one(d.tf.bool, d.tf.float64, d.tf.int32),
    )


def _reverse_sequence(d):
    sizes, (along, batch) = d.sizes(3), [int(i) for i in d.order(3)[:2]]
    lengths = d.ints(0, sizes[along] + 1, sizes[batch])
    return d.tf.reverse_sequence(
        d.x(*sizes), d.t(lengths, d.one("i", "i8")), seq_axis=along, batch_axis=batch
    )


def _to_batch(d):
    block, pads = d.ints(1, 4, 2), d.ints(0, 3, [2, 2])
    sizes = [d.one(1, 2)] + [int(max(b * d.one(1, 2, 3) - p.sum(), 0)) for b, p in zip(block, pads)]
    return d.tf.space_to_batch_nd(d.x(*sizes, d.one(1, 2)), d.t(block), d.t(pads))


def _to_space(d):
    block, crops = d.ints(1, 3, 2), d.ints(0, 2, [2, 2])
    sizes = [int(block.prod()) * d.one(1, 2), *d.sizes(2, 2), 2]
    return d.tf.batch_to_space_nd(d.x(*sizes), d.t(block), d.t(crops))


def _depth(d):
    block, one = d.one(2, 3), d.one(1, 2)
    if d.flip():
        return d.tf.depth_to_space(d.x(one, *d.sizes(2, 1, 2), block**2 * one), block)
    return d.tf.space_to_depth(d.x(one, block * one, block, 2), block)


def _patches(d):
    three = lambda: [1, *(d.one(1, 2, 3) for _ in range(2)), 1]  # noqa: E731
    x = d.x(d.one(1, 2), *d.sizes(2, 2, 5), d.one(1, 2))
    padding = d.one("SAME", "VALID")
    return d.tf.image.extract_image_patches(x, three(), three(), three(), padding)


def _volumes(d):
    sizes = d.sizes(3, 2, 3)
    steps = [1, *(d.one(1, 2) for _ in range(3)), 1]
    window = [1, *(d.one(1, 2) for _ in range(3)), 1]
    padding = d.one("SAME", "VALID")
    d.kind = "constant" if d.kind in ("half", "unknown") else d.kind
    return d.tf.extract_volume_patches(d.x(1, *sizes, 2), window, steps, padding)


def _diagonals(d):
    function = d.one("matrix_diag", "matrix_diag_part", "matrix_set_diag", "matrix_band_part")
    sizes = d.sizes(3)
    if function == "matrix_band_part":
        low, high = d.ints(-1, 3, 2)
        return d.tf.matrix_band_part(d.x(*sizes), d.t(low), d.t(high))
    diagonal = [sizes[0], min(sizes[1:])]
    given = [d.x(*sizes), d.x(*diagonal)] if "set" in function else [d.x(*sizes)]
    return getattr(d.tf, function)(*given)


def _unique(d):
    values = d.ints(0, 4, d.sizes(d.one(1, 2)))
    kind = d.one("i", "f", "i8")
    if values.ndim == 1 and d.flip():
        return d.tf.unique_with_counts(d.t(values, kind), d.one(d.tf.int32, d.tf.int64))
    return d.tf.raw_ops.UniqueWithCountsV2(
        x=d.t(values, kind), axis=d.t([d.one(*range(values.ndim))])
    )


def _search(d):
    rows, n, m = d.sizes(3)
    edges = np.sort(d.ints(0, 5, [rows, n]), -1)
    return d.tf.searchsorted(
        d.t(edges, "f"),
        d.t(d.ints(-1, 6, [rows, m]), "f"),
        d.one("left", "right"),
        d.one(d.tf.int32, d.tf.int64),
    )


def _sets(d):
    a, b = d.ints(0, 4, d.sizes(2)), d.ints(0, 4, d.sizes(2))
    function = d.one("set_intersection", "set_union", "set_difference")
    options = {"aminusb": d.flip()} if function == "set_difference" else {}
    kind = d.one("i", "i8", "i2")
    found = getattr(d.tf.sets, function)(d.t(a, kind), d.t(b, kind), **options)
    return [found.indices, found.values, found.dense_shape, d.tf.sets.size(found)]


def _partition(d):
    sizes = d.sizes(2)
    x = d.x(*sizes)
    parts = d.tf.dynamic_partition(x, d.t(d.ints(0, 3, d.one(sizes, sizes[:1]))), 3)
    return parts


def _stitch(d):
    sizes, n = d.sizes(2), d.one(1, 2)
    places = [d.ints(0, 3, d.one([sizes[0]], sizes[:2], [])) for _ in range(n)]
    places = [*map(np.asarray, places), np.arange(3)] if d.flip() else [np.arange(3), *places]
    data = [d.x(*np.shape(p), 2) for p in places]
    return d.tf.dynamic_stitch([d.t(p) for p in places], data)


def _bitcast(d):
    x = d.x(*d.sizes(d.one(0, 1)), d.one(1, 2, 4), dtype=d.one("i2", "f", "d", "u1", "i"))
    return d.tf.bitcast(x, d.one(d.tf.int16, d.tf.int32, d.tf.uint8, d.tf.int64, d.tf.qint8))


def _cast(d):
    numbers = np.array([-3.7, -0.5, 0.0, 1.5, 2.0, 100.9])
    kinds = ["f", "d", "i", "i8", "i2", "i1", "f2", "c8"]
    return d.tf.cast(d.t(numbers.astype(d.one(*kinds))), np.dtype(d.one(*kinds, "?", "c16")))


def _invert(d):
    places = d.order(d.one(0, 1, 4))
    return d.tf.invert_permutation(d.t(places % (5 - d.one(0, 0, 2)), d.one("i", "i8")))


def _setdiff(d):
    kind = d.one("i", "f", "S1")
    a, b = d.ints(0, 6, d.one(0, 5)).astype(kind), d.ints(0, 6, 3).astype(kind)
    return d.tf.setdiff1d(d.t(a, a.dtype), d.t(b, b.dtype), d.one(d.tf.int32, d.tf.int64))


def cut(tf, stage):
    Draws(tf, stage, 2).calls([_strided], 30)


def joined(tf, stage):
    Draws(tf, stage, 3).calls([_concat, _stack, _unstack, _split, _tile, _repeat], 5)


def gathered(tf, stage):
    Draws(tf, stage, 5).calls([_gather, _gather_nd, _scatter, _mask], 9)


def chosen(tf, stage):
    Draws(tf, stage, 6).calls([_where, _where_v2, _one_hot, _sequence_mask, _reverse_sequence], 6)


def blocks(tf, stage):
    Draws(tf, stage, 7).calls([_to_batch, _to_space, _depth, _patches, _volumes], 6)


def told_apart(tf, stage):
    Draws(tf, stage, 8).calls([_diagonals, _unique, _search, _sets, _partition, _stitch], 6)


def converted(tf, stage):
    Draws(tf, stage, 9).calls([_bitcast, _cast, _invert, _setdiff], 14)
