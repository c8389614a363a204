"""Gradients of ops by graphs of known and of unknown shapes, and gradients of these."""

import zlib

import numpy as np

X = np.float32([[0.5, -1.5, 2.0], [1.0, 0.25, -0.5]])
Y = np.float32([[2.0, 0.5, -1.0]])


def _derive(tf, stage, cases, values, unknown=(None, None), both=False):
    """Gradients and theirs where shapes are not known: static shapes, nodes and their number, values.

    With `both` also gradients where shapes are known.
    """
    for name, function in cases.items():
        for known in (True, False)[not both :]:
            with tf.Graph().as_default() as graph, tf.Session() as session:
                given = [
                    tf.placeholder_with_default(v, v.shape if known else unknown) for v in values
                ]
                with stage.failing():
                    found = tf.nest.flatten(function(*given))
                    for order in range(1 if known else 2):
                        before = len(graph.get_operations())
                        grads = [g for g in tf.gradients(found, given) if g is not None]
                        nodes = [_said(n) for n in graph.get_operations()[before:]]
                        crc = zlib.crc32("\n".join(nodes).encode())
                        found = [tf.convert_to_tensor(g) for g in grads]
                        shown = [np.round(v, 3) + 0.0 for v in session.run(found)]
                        shapes = [str(each.shape) for each in found]
                        stage.say(name, known, order, *shapes, len(nodes), crc, *shown)
                        if not found:
                            break


def _said(node):
    return f"{node.name} {node.type} {[each.name for each in node.inputs]}"


def of_two(tf, stage):
    m = tf.math
    cases = {
        "add": lambda x, y: x + y,
        "sub": lambda x, y: x - y,
        "mul": lambda x, y: x * y,
        "div": lambda x, y: x / y,
        "div_no_nan": m.divide_no_nan,
        "floordiv": lambda x, y: x // y + x,
        "mod": lambda x, y: x % y,
        "pow": lambda x, y: tf.pow(tf.abs(x), y),
        "maximum": tf.maximum,
        "minimum": lambda x, y: tf.minimum(y, x),
        "squared": m.squared_difference,
        "atan2": m.atan2,
        "xlogy": lambda x, y: m.xlogy(x, tf.abs(y)),
        "xdivy": m.xdivy,
        "complex": lambda x, y: tf.abs(tf.complex(x, y + 0.0 * x)),
        "real": lambda x, y: [tf.real(tf.complex(x, x)), tf.imag(tf.complex(y, y))],
        "igamma": lambda x, y: m.igamma(tf.abs(x) + 1.0, tf.abs(y)),
        "polygamma": lambda x, y: m.polygamma(tf.ones_like(y) * 2.0, tf.abs(x) + 1.0),
        "where": lambda x, y: tf.where_v2(x > 0.3, x, y),
        "where_same": lambda x, y: tf.where(x > 0.3, x, x * y),
        "clip": lambda x, y: tf.clip_by_value(x, y, 1.5),
        "matmul": lambda x, y: tf.matmul(x, y, transpose_b=True),
        "matmul_left": lambda x, y: tf.matmul(x, x * y, transpose_a=True),
        "matmul_both": lambda x, y: tf.matmul(x, y[:, :2], True, True),
        "tensordot": lambda x, y: tf.tensordot(x, y, [[1], [1]]),
        "einsum": lambda x, y: tf.einsum("ij,kj->ik", x, y),
        "concat": lambda x, y: tf.concat([x, y, x], 0) ** 2,
        "concat_fed": lambda x, y: tf.concat([x, y], tf.placeholder_with_default(0, [])) ** 2,
        "stack": lambda x, y: tf.stack([x, x * y], 1) ** 2,
        "add_n": lambda x, y: tf.add_n([x, x * y, x]),
        "cross": lambda x, y: tf.linalg.cross(x, x * x + y),
        "bias": lambda x, y: tf.nn.bias_add(x, y[0]) ** 2,
        "cosine": lambda x, y: tf.losses.cosine_distance(x, x * y, 1),
        "entropy": lambda x, y: tf.nn.softmax_cross_entropy_with_logits_v2(tf.nn.softmax(x * y), x),
        "sigmoid_entropy": lambda x, y: tf.nn.sigmoid_cross_entropy_with_logits(
            labels=x * y, logits=x
        ),
        "weighted_entropy": lambda x, y: tf.nn.weighted_cross_entropy_with_logits(x, x * y, y),
        "norm": lambda x, y: tf.clip_by_norm(x * y, 0.5),
        "cumsum": lambda x, y: tf.cumsum(x, 1) * tf.cumsum(y, exclusive=True, reverse=True),
        "identity_n": lambda x, y: [a * a for a in tf.identity_n([x, y])],
        "broadcast": lambda x, y: tf.broadcast_to(y, tf.shape(x)) * x,
        "tile": lambda x, y: tf.tile(y, [2, 1]) * x,
        "hypot": lambda x, y: tf.sqrt(tf.square(x) + tf.square(y)),
        "stopped": lambda x, y: x * tf.stop_gradient(y),
        "prevented": lambda x, y: tf.cond(y[0, 0] > 0, lambda: x * y, lambda: y * 1.0),
        "looped": lambda x, y: tf.while_loop(
            lambda i, t: i < 3, lambda i, t: (i + 1, t * y), [0, x], [tf.TensorShape([]), x.shape]
        )[1],
    }
    _derive(tf, stage, cases, (X, Y), None, both=True)


def _inside(function):
    return lambda x: function(x * 0.3 + 0.35)


def of_one(tf, stage):
    m = tf.math
    names = "abs exp expm1 log1p neg sign sin cos tan sinh cosh tanh sigmoid erf erfc square atan asinh lgamma".split()
    names += "rint reciprocal".split()
    cases = {n: getattr(m, {"neg": "negative"}.get(n, n)) for n in names}
    for name in ("asin", "acos", "atanh", "sqrt", "rsqrt", "digamma", "bessel_i0e", "bessel_i1e"):
        cases[name] = _inside(getattr(m, name))
    cases.update(
        {
            "acosh": lambda x: m.acosh(x + 3.0),
            "log": lambda x: m.log(x + 3.0),
            "relu": tf.nn.relu,
            "relu6": tf.nn.relu6,
            "elu": tf.nn.elu,
            "selu": tf.nn.selu,
            "leaky": tf.nn.leaky_relu,
            "softplus": tf.nn.softplus,
            "softsign": tf.nn.softsign,
            "swish": tf.nn.swish,
            "softmax": lambda x: tf.nn.softmax(x) ** 2,
            "softmax_first": lambda x: tf.nn.softmax(x, 0) ** 2,
            "log_softmax": tf.nn.log_softmax,
            "l2": tf.nn.l2_loss,
            "normalized": lambda x: tf.nn.l2_normalize(x, 1),
            "sum": lambda x: tf.reduce_sum(x**2, 1),
            "sum_kept": lambda x: tf.reduce_sum(x**2, [0, -1], True),
            "sum_fed": lambda x: tf.reduce_sum(x**2, tf.placeholder_with_default([1], [None])),
            "mean": lambda x: tf.reduce_mean(x**2, 0),
            "mean_all": lambda x: tf.reduce_mean(x**2),
            "prod": lambda x: tf.reduce_prod(x, 1),
            "prod_zero": lambda x: tf.reduce_prod(x - 0.5, [0]),
            "max": lambda x: tf.reduce_max(tf.minimum(x, 0.4), 1),
            "min": lambda x: tf.reduce_min(x, [0, 1]),
            "logsumexp": lambda x: tf.reduce_logsumexp(x, 1),
            "norm": lambda x: tf.norm(x, axis=1),
            "euclidean": lambda x: m.reduce_euclidean_norm(x, 0),
            "std": lambda x: m.reduce_std(x, 1),
            "moments": lambda x: tf.nn.moments(x, [0]),
            "cumprod": lambda x: tf.cumprod(x, 1, reverse=True),
        }
    )
    _derive(tf, stage, cases, (X,))


def of_parts(tf, stage):
    cases = {
        "reshape": lambda x: tf.reshape(x, [-1]) ** 2,
        "expand": lambda x: tf.expand_dims(x, 1) ** 2,
        "squeeze": lambda x: tf.squeeze(x[:1], [0]) ** 2,
        "transpose": lambda x: tf.transpose(x) ** 2,
        "turned_fed": lambda x: tf.transpose(x, tf.placeholder_with_default([1, 0], [None])) ** 2,
        "split": lambda x: tf.split(x**2, 3, 1)[1:],
        "split_sizes": lambda x: tf.split(x**2, [1, 2], 1)[0],
        "unstack": lambda x: tf.unstack(x**2, 2)[0],
        "part": lambda x: x[1:, ::-2] ** 2,
        "part_new": lambda x: x[0, tf.newaxis, ..., 1] ** 2,
        "slice": lambda x: tf.slice(x, [0, 1], [-1, 2]) ** 2,
        "pad": lambda x: tf.pad(x, [[1, 0], [0, 2]]) ** 2,
        "mirror": lambda x: tf.pad(x, [[0, 1], [1, 2]], "SYMMETRIC") ** 2,
        "reverse": lambda x: tf.reverse(x, [1]) ** 2,
        "roll": lambda x: tf.roll(x, [1, 2], [0, 1]) ** 2,
        "gather": lambda x: tf.gather(x, [1, 1]) ** 2,
        "gather_columns": lambda x: tf.gather(tf.reshape(x, [2, 3]), [2, 0, 2], axis=1) ** 2,
        "gather_nd": lambda x: tf.gather_nd(x, [[0, 1], [0, 1], [1, 2]]) ** 2,
        "gather_rows": lambda x: tf.gather_nd(x, [[1]]) ** 2,
        "batch_gather": lambda x: tf.gather(x, [[1, 1], [0, 2]], batch_dims=1) ** 2,
        "scatter": lambda x: tf.scatter_nd([[1], [1]], x, [3, 3]) ** 2,
        "updated": lambda x: tf.tensor_scatter_nd_update(x, [[0, 1]], [7.0]) ** 2,
        "masked": lambda x: tf.boolean_mask(x, [True, False]) ** 2,
        "segments": lambda x: tf.math.segment_sum(x, [0, 0]) ** 2,
        "segment_mean": lambda x: tf.math.segment_mean(x, [0, 0]),
        "segment_max": lambda x: tf.math.segment_max(x, [0, 1]),
        "unsorted": lambda x: tf.math.unsorted_segment_sum(x, [1, -1], 2) ** 2,
        "unsorted_max": lambda x: tf.math.unsorted_segment_max(x, [1, 1], 2),
        "unsorted_prod": lambda x: tf.math.unsorted_segment_prod(x, [1, 1], 2),
        "sparse_sum": lambda x: tf.sparse.segment_sum(x, [0, 1, 0], [0, 0, 1]) ** 2,
        "sparse_mean": lambda x: tf.sparse.segment_mean(x, [0, 1, 0], [0, 0, 1]) ** 2,
        "dealt": lambda x: tf.dynamic_partition(x**2, [1, 0], 2)[1],
        "stitched": lambda x: tf.dynamic_stitch([[1], [0, 1]], [x[:1], x]) ** 2,
        "diag": lambda x: tf.linalg.diag(x) ** 2,
        "diag_part": lambda x: tf.linalg.diag_part(x) ** 2,
        "set_diag": lambda x: tf.linalg.set_diag(x, x[0, :2]) ** 2,
        "band": lambda x: tf.linalg.band_part(x, 0, 1) ** 2,
        "trace": lambda x: tf.linalg.trace(x) ** 2,
        "inverse": lambda x: tf.linalg.inv(x[:, :2]),
        "determinant": lambda x: tf.linalg.det(x[:, :2]),
        "top": lambda x: tf.nn.top_k(x, 2).values ** 2,
        "sort": lambda x: tf.sort(x) ** 2,
        "cast": lambda x: tf.cast(x, tf.float64) ** 2,
        "to_complex": lambda x: tf.real(tf.cast(x, tf.complex64) ** 2),
        "check": lambda x: tf.check_numerics(x, "odd") ** 2,
        "print": lambda x: tf.Print(x, [0]) ** 2,
        "extract": lambda x: tf.extract_image_patches(
            x[None, ..., None], *[[1, 2, 2, 1]] * 2, [1] * 4, "SAME"
        ),
        "depth": lambda x: tf.space_to_batch_nd(x[..., None], [3], [[0, 0]]) ** 2,
        "dropped": lambda x: tf.nn.dropout(x, rate=0.0) ** 2,
        "sequence": lambda x: tf.reverse_sequence(x, [1, 2], 1) ** 2,
        "map": lambda x: tf.map_fn(lambda row: row * row, x),
        "fold": lambda x: tf.foldl(lambda a, row: a * row, x),
        "lookup": lambda x: tf.nn.embedding_lookup(tf.reshape(x, [2, 3]), [0, 0], max_norm=1.0),
    }
    _derive(tf, stage, cases, (X,))
