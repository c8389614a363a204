"""Rows of tensors computed at once: ops with other options than usual, controls, structures; what is refused."""

import importlib

import numpy as np

X = (np.arange(24, dtype="f").reshape(4, 2, 3) * 5 % 11 - 4) / 4
Y = (np.arange(24, dtype="f").reshape(4, 2, 3) * 7 % 13 - 5) / 4


def _modules(tf):
    """The modules of pfor and of Jacobians."""
    if tf.__name__ == "tensorflow":
        names = ("control_flow_ops", "gradients")
        return [importlib.import_module("tensorflow.python.ops.parallel_for." + n) for n in names]
    names = ("pfor", "jacobians")
    return [importlib.import_module("tfmini._src.functions.parallel_for." + n) for n in names]


def _mapped(tf, function, *more):
    """A function of two rows, and their number, mapped over four."""
    given = [tf.constant(X), tf.constant(Y), tf.range(4), *more]
    return lambda: tf.vectorized_map(lambda e: function(*e), given)


def arrays(tf, stage):
    raw = tf.raw_ops
    whole = lambda x: tf.cast(x > 0, tf.int32)  # noqa: E731
    same = tf.constant(X[0])

    cases = {
        "sums": lambda x, y, i: [tf.reduce_sum(x, a, k) for a in (0, -1, [0, 1]) for k in (0, 1)],
        "most": lambda x, y, i: [tf.reduce_max(x, -2), tf.reduce_min(x, [-1], True)],
        "logic": lambda x, y, i: [tf.reduce_any(x > 0.5, 0), tf.reduce_all(x < 1.5, -1)],
        "products": lambda x, y, i: [tf.reduce_prod(x, 1), tf.reduce_mean(x, [-1, 0])],
        "places": lambda x, y, i: [tf.argmax(x, -1, output_type=tf.int32), tf.argmin(x, 0)],
        "running": lambda x, y, i: [
            tf.cumsum(x, -1, exclusive=True, reverse=True),
            tf.cumprod(x, 0, reverse=True),
        ],
        "reversed": lambda x, y, i: [tf.reverse(x, [0, -1]), tf.reverse(x, [1])],
        "parts": lambda x, y, i: [
            x[::-1],
            x[..., 1],
            x[tf.newaxis, 0, ..., 1:],
            x[-1, :2],
            x[:, ::-2],
            tf.strided_slice(x, [0, 1], [2, 3], [1, 2], end_mask=2),
        ],
        "parts_back": lambda x, y, i: tf.gradients(
            [x[::-1, 1:] * 2.0, x[0] * 3.0, x[..., 0, None]], x
        ),
        "slices": lambda x, y, i: tf.slice(x, [1, 0], [-1, 2]),
        "turned": lambda x, y, i: [tf.transpose(x), tf.transpose(x, [0, 1])],
        "tiled": lambda x, y, i: tf.tile(x, [1, 2]),
        "padded": lambda x, y, i: [
            tf.pad(x, [[0, 1], [2, 0]]),
            tf.pad(x, [[1, 0], [0, 0]], constant_values=7.0),
            tf.pad(x, [[1, 1], [0, 2]], "REFLECT"),
        ],
        "joined": lambda x, y, i: [
            tf.concat([x, y], -1),
            tf.concat([x, same], 0),
            tf.stack([x, y], -1),
            tf.stack([same, x], 1),
        ],
        "apart": lambda x, y, i: [
            *tf.unstack(x, axis=-1),
            *tf.split(x, [1, 2], -1),
            *tf.split(x, 2, 0),
        ],
        "expanded": lambda x, y, i: [tf.expand_dims(x, -1), tf.expand_dims(x, 0)],
        "squeezed": lambda x, y, i: [
            tf.squeeze(x[:1]),
            tf.squeeze(x[:, :1], [-1]),
            tf.squeeze(x[:1, None], [1, 0]),
        ],
        "reshaped": lambda x, y, i: [tf.reshape(x, [-1]), tf.reshape(x, [3, -1])],
        "spread": lambda x, y, i: [tf.broadcast_to(x[0], [2, 2, 3]), x + y[:, :1] * x[0]],
        "sizes": lambda x, y, i: [
            tf.shape(x, out_type=tf.int64),
            tf.size(x, out_type=tf.int64),
            *tf.shape_n([x, y[0]]),
        ],
        "codes": lambda x, y, i: [
            tf.one_hot(whole(x), 3, axis=0),
            tf.one_hot(whole(x), 2, on_value=5, off_value=-5, axis=-1),
            tf.one_hot(whole(x), 2, axis=1),
        ],
        "taken": lambda x, y, i: [
            tf.gather(x, [2, 0], axis=-1),
            tf.gather(x, whole(y[0]), axis=1),
            tf.gather(same, whole(y[:, 0])),
            tf.gather(same, whole(x[0]), axis=-1),
            tf.gather(x, i % 2),
        ],
        "taken_batches": lambda x, y, i: tf.gather(x, whole(y), batch_dims=1),
        "chosen": lambda x, y, i: [
            tf.where(x > 0, x, y),
            tf.where(x[:, 0] > 0, x, y),
            tf.where(x[0, 0] > 0, x, same),
            tf.where([True, False], x, y),
            tf.compat.v2.where(x[:, :1] > 0, x, 0.0),
        ],
        "segments": lambda x, y, i: [
            tf.math.unsorted_segment_sum(x, whole(y[:, 0]) * 2, 3),
            tf.math.unsorted_segment_sum(x, whole(y) - 1, 2),
        ],
        "matrices": lambda x, y, i: [
            tf.matmul(x, y, transpose_a=True),
            tf.matmul(x, tf.constant(Y[0]), transpose_b=True),
            tf.matmul(tf.constant(Y[0]), x, transpose_a=True),
            tf.matmul(x, tf.constant(Y[0].T.copy())),
            tf.matmul([x], [y], transpose_b=True),
            tf.matmul([x, x], [same, same], adjoint_a=True),
        ],
        "einsum": lambda x, y, i: raw.Einsum(inputs=[x, y], equation="ij,kj->ik"),
        "diagonals": lambda x, y, i: [
            tf.matrix_diag(x),
            tf.matrix_diag_part(x),
            tf.matrix_set_diag(x, y[0, :2]),
            tf.matrix_band_part(x, 0, 1),
        ],
        "searched": lambda x, y, i: tf.searchsorted(tf.sort(same[0])[None] + x[:, :1], y),
        "casts": lambda x, y, i: [tf.cast(x, tf.int64), tf.cast(x > 0, tf.float64)],
        "likes": lambda x, y, i: [
            tf.zeros_like(x, tf.int32),
            tf.ones_like(x),
            tf.fill([2], i),
            tf.range(3) + i,
        ],
        "texts": lambda x, y, i: [tf.as_string(x), tf.as_string(i, width=3, fill="0")],
    }
    stage.each({name: _mapped(tf, f) for name, f in cases.items()}, graph=False)


def controls(tf, stage):
    """What runs before an element, what stays outside, effects, structures."""
    x = tf.constant(X, name="x")

    def checked(e, limit):
        with tf.control_dependencies([tf.Assert(e[0, 0] < limit, [e], name="check")]):
            return e * 2.0

    def chained(e):
        with tf.control_dependencies([tf.Assert(tf.reduce_all(e < 9.0), ["outer"])]):
            y = e + 1.0
        with tf.control_dependencies([y, tf.Assert(tf.reduce_all(y < 1.0), ["inner", y])]):
            return tf.identity(e)

    def fixed(e):
        with tf.control_dependencies([tf.no_op()]):
            return tf.constant(3.0), e

    def counted(e):
        v = tf.get_variable("v", initializer=2.0, use_resource=True)
        with tf.control_dependencies([tf.Assert(v > 5.0, ["too small"])]):
            return e * v

    def called(e):
        f = tf.function(lambda a, b: (a * b, a - 1.0))
        return f(e, e[0]) + f(tf.constant(2.0), e)

    mapped = tf.vectorized_map
    stage.each(
        {
            "checked": lambda: mapped(lambda e: checked(e, 5.0), tf.constant(X)),
            "checked_fails": lambda: mapped(lambda e: checked(e, 0.5), tf.constant(X)),
            "chained": lambda: mapped(chained, tf.constant(X)),
            "fixed": lambda: mapped(fixed, tf.constant(X)),
            "counted": lambda: mapped(counted, tf.constant(X)),
            "called": lambda: mapped(called, tf.constant(X)),
            "structure": lambda: mapped(
                lambda e: {"b": [e[0][0], (e[1],)], "a": e[1] * 2}, (tf.constant(X), tf.range(4))
            ),
            "empty_structure": lambda: str(mapped(lambda e: (), tf.constant(X))),
            "rows_of_list": lambda: mapped(lambda e: e[0] + e[1], [tf.constant(X), X]),
            "array": lambda: mapped(lambda e: e + 1.0, X),
            "scalar": lambda: mapped(lambda e: e, tf.constant(1.0)),
            "static": lambda: str(mapped(lambda e: e[:1], tf.constant(X)).shape),
            "static_half": lambda: str(
                mapped(lambda e: e[:1], tf.placeholder(tf.float32, [None, 2, 3])).shape
            ),
            "sorted": lambda: mapped(lambda e: tf.nn.top_k(e, 2).values, tf.constant(X)),
            "shape_of_row": lambda: mapped(lambda e: tf.zeros(tf.shape(e)[1:]), tf.constant(X)),
            "shape_of_number": lambda: mapped(lambda e: tf.zeros([e]), tf.range(3)),
            "axis_of_number": lambda: mapped(lambda e: tf.reduce_sum(x, e), tf.range(2)),
        },
        graph=False,
    )


def numbered(tf, stage):
    """`pfor` and `for_loop` by number: chunks, reductions, operations without outputs, Jacobians."""
    package, gradients = _modules(tf)
    pfor, for_loop = package.pfor, package.for_loop
    square = lambda i: tf.cast(i * i, tf.float32)  # noqa: E731

    def centred(i, pfor_config):
        value = tf.gather(tf.constant([1.0, 2.0, 6.0]), i)
        return value - pfor_config.reduce_mean(value), pfor_config.reduce_sum(value * 2.0)

    def effect(i):
        with tf.control_dependencies([tf.Assert(i < 2, [i])]):
            return tf.no_op()

    def of(method, use_pfor, **given):
        y = tf.constant([[1.0, 2.0], [3.0, 4.0]])
        return getattr(gradients, method)(y * y[:, :1], y, use_pfor=use_pfor, **given)

    def unconnected(method):
        y = tf.constant([[1.0, 2.0]])
        return str(getattr(gradients, method)(tf.ones([1, 2]), y))

    def sparse(i):
        return tf.SparseTensor(
            [[0, tf.cast(i, tf.int64)]], [square(i)], tf.constant([2, 4], tf.int64)
        )

    def parts(s):
        return s.indices, s.values, s.dense_shape

    stage.each(
        {
            "two_at_once": lambda: pfor(square, 5, parallel_iterations=2),
            "two_whole": lambda: pfor(lambda i: (square(i), i + 1), 4, parallel_iterations=2),
            "more_at_once": lambda: pfor(square, 3, parallel_iterations=8),
            "fed_at_once": lambda: pfor(
                square, tf.placeholder_with_default(3, []), parallel_iterations=2
            ),
            "one_at_once": lambda: pfor(square, 3, parallel_iterations=1),
            "none_at_once": lambda: pfor(square, 3, parallel_iterations=0),
            "centred": lambda: pfor(centred, 3),
            "reduced_at_once": lambda: pfor(centred, 3, parallel_iterations=2),
            "effect": lambda: pfor(effect, 2),
            "sparse": lambda: parts(pfor(sparse, 3)),
            "outer_sparse": lambda: parts(pfor(lambda i: tf.SparseTensor([[0]], [1.0], [2]), 2)),
            "slices": lambda: pfor(
                lambda i: tf.IndexedSlices(square(i)[None], tf.constant([1]), tf.constant([2])), 2
            ),
            "loop": lambda: for_loop(square, tf.float32, 3),
            "loop_few": lambda: for_loop(lambda i: (i, i), tf.int32, 2),
            "loop_none": lambda: str(
                for_loop(lambda i: (square(i), None), [tf.float32, tf.int32], 2)[1]
            ),
            "jacobian": lambda: [of("jacobian", p) for p in (True, False)],
            "jacobian_two": lambda: of("jacobian", True, parallel_iterations=2),
            "batch": lambda: [of("batch_jacobian", p) for p in (True, False)],
            "batch_two": lambda: of("batch_jacobian", True, parallel_iterations=2),
            "jacobian_none": lambda: unconnected("jacobian"),
            "batch_none": lambda: unconnected("batch_jacobian"),
            "batch_sizes": lambda: gradients.batch_jacobian(tf.zeros([2, 1]), tf.zeros([3, 1])),
            "batch_fed": lambda: (
                lambda y: gradients.batch_jacobian(tf.placeholder_with_default(y * y, None), y)
            )(tf.constant([[1.0, 2.0]])),
            "arrays": lambda: pfor(
                lambda i: tf.TensorArray(tf.int32, 2).write(0, i).write(1, 7).stack(), 3
            ),
            "whiles": lambda: [
                tf.reshape(each, [-1])  # TensorFlow knows less of its shape
                for each in pfor(
                    lambda i: tf.while_loop(
                        lambda j, t: j < i, lambda j, t: (j + 1, t + i * 10), [0, 1]
                    ),
                    4,
                )
            ],
            "counted": lambda: pfor(
                lambda i: tf.get_variable("v", initializer=1.0, use_resource=True).assign_add(1.0),
                2,
            ),
        },
        graph=False,
    )
