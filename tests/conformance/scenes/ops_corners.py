"""Edge cases of ops: sets, formats, sparse axes, blocks, aliases, audio of unknown sizes."""

import numpy as np

from tests.conformance.scenes import unknown

X = np.arange(12.0, dtype="f").reshape(3, 4) - 5.5
IMAGES = (np.arange(48, dtype="f").reshape(1, 4, 4, 3) * 37 % 50) / 64


def arrays(tf, stage):
    u, raw, p = unknown(tf), tf.raw_ops, tf.placeholder
    sparse = lambda: tf.SparseTensor([[0, 0], [1, 1]], [2.0, 3.0], [2, 2])  # noqa: E731
    long = lambda *x: u(np.array(x, "i8"))  # noqa: E731

    def sets(kind="union", places=((0, 0), (1, 0)), shape=(2, 2), first=((1, 2), (3, 4))):
        return raw.DenseToSparseSetOperation(
            set1=u(first),
            set2_indices=long(*places),
            set2_values=u([1, 9]),
            set2_shape=long(*shape),
            set_operation=kind,
        )

    def both(a, b, kind="union"):
        given = {}
        for n, (places, shape) in enumerate((a, b), 1):
            given[f"set{n}_indices"] = tf.constant(places, tf.int64)
            given[f"set{n}_values"] = tf.constant([7] * len(places))
            given[f"set{n}_shape"] = tf.constant(shape, tf.int64)
        return raw.SparseToSparseSetOperation(**given, set_operation=kind)

    pairs = [[0, 0], [1, 1]], [2, 2]

    stage.each(
        {
            "sets": lambda: [sets(k) for k in ("union", "intersection", "a-b", "B-A")],
            "sets_kind": lambda: sets("sum"),
            "sets_rank": lambda: sets(places=((0,), (1,)), shape=(2,)),
            "sets_dense": lambda: sets(first=(1, 2)),
            "sparse_sets_ranks": lambda: both(pairs, ([[0, 0, 0]], [1, 1, 1])),
            "sparse_sets_shape": lambda: both(pairs, ([[0, 0]], [1, 1, 1])),
            "sets_size": lambda: [
                tf.sets.size(
                    tf.SparseTensor([[0, 0], [0, 1], [1, 0]], np.array([3, 3, 4], k), [2, 2])
                )
                for k in ("i", "i8", "u1")
            ],
            "sets_size_floats": lambda: tf.sets.size(sparse()),
            "squeezed": lambda: tf.squeeze(tf.placeholder_with_default(X, None, name="x")[:1], [3]),
            "depths": lambda: [
                raw.SpaceToDepth(input=p(tf.int32, s), block_size=2).shape
                for s in ([1, 4, None, 3], None)
            ],
            "patches_far": lambda: raw.ExtractImagePatches(
                images=u(IMAGES),
                ksizes=[1, 9, 9, 1],
                strides=[1] * 4,
                rates=[1] * 4,
                padding="VALID",
            ),
            "cast": lambda: (
                [
                    f([1.5, -2.5, 300.0])
                    for f in (
                        tf.to_int32,
                        tf.to_int64,
                        tf.to_float,
                        tf.to_double,
                        tf.to_complex64,
                        tf.to_complex128,
                    )
                ]
                + [tf.to_float(tf.to_bfloat16([1.5, -2.5]))]
            ),
            "cast_text": lambda: tf.cast(["a"], tf.float32),
            "saturated": lambda: (
                [
                    tf.saturate_cast(np.array([-1e9, 3.7, 1e9]), k)
                    for k in (tf.uint8, tf.int16, tf.int32)
                ]
                + [tf.saturate_cast([300, -5], tf.int8)]
            ),
            "sliced_values": lambda: [
                tf.cast(tf.IndexedSlices(tf.constant([1.5]), tf.constant([0])), tf.int32).values,
                tf.cast(sparse(), tf.int32).values,
            ],
            "where_scalar": lambda: raw.Where(condition=u(True)),
            "filled": lambda: [
                raw.Empty(shape=[2], dtype=tf.string, init=True),
                tf.zeros([2], tf.string),
                tf.shape(tf.zeros(p(tf.int32, [2], "s"))),
                tf.shape(tf.zeros([2, p(tf.int32, [], "d")])),
            ],
            "ensured": lambda: [tf.ensure_shape(p(tf.int32), s).shape for s in ([None, 2], [3])],
            "permuted": lambda: (
                [
                    raw.DataFormatVecPermute(x=x, src_format=a, dst_format=b)
                    for x, a, b in (
                        ([1, 2, 3, 4], "NHWC", "NCHW"),
                        ([[1, 1], [2, 2], [3, 3], [4, 4]], "NCHW", "NHWC"),
                    )
                ]
                + [raw.DataFormatDimMap(x=[0, 1, 2, 3, -1], src_format="NHWC", dst_format="NCHW")]
            ),
            "aliases": lambda: [
                tf.floor_div([7, -7], 2),
                tf.mod([-7], 3),
                tf.truncatediv([-7], 2),
                tf.truncatemod([-7], 3),
                tf.realdiv([1.0], 2.0),
                tf.div_no_nan([1.0, 0.0], [0.0, 0.0]),
            ],
        },
        graph=False,
        s=[1, 2],
        d=3,
    )


def layers(tf, stage):
    u, raw, im, nn = unknown(tf), tf.raw_ops, tf.image, tf.nn
    p = tf.placeholder
    tf.contrib.rnn  # noqa: B018  which knows the gradient of cells
    letters = "abcdefghijklmnopqrstuvwxyz"
    logits = np.array([[0.5, -1.0, 2.0], [0.0, 0.25, -0.5]], "f")
    conv = np.ones([2, 2, 3, 1], "f")
    sampled = lambda: tf.constant([[2], [0]], tf.int64)  # noqa: E731

    def cells(peephole=False, **sizes):
        x, c = (
            p(tf.float32, sizes.get("x", [None, 2]), "x"),
            p(tf.float32, sizes.get("c", [None, 3]), "c"),
        )
        got = raw.LSTMBlockCell(
            x=x,
            cs_prev=c,
            h_prev=c,
            w=np.full([5, 12], 0.1, "f"),
            wci=np.zeros(3, "f"),
            wcf=np.zeros(3, "f"),
            wco=np.zeros(3, "f"),
            b=np.zeros(12, "f"),
            use_peephole=peephole,
        )
        return got.h, tf.gradients(got.h, [x])[0]

    stage.each(
        {
            "flipped_rank": lambda: im.random_flip_left_right(tf.zeros([1, 1, 1, 1, 1])),
            "turned_rank": lambda: im.rot90(tf.zeros([1, 1, 1, 1, 1])),
            "transposed_rank": lambda: im.transpose_image(tf.zeros([1, 1, 1, 1, 1])),
            "cubic_bytes": lambda: str(
                (lambda x: tf.gradients(im.resize_bicubic(x, [3, 3]), x))(
                    tf.zeros([1, 2, 2, 1], tf.float16)
                )
            ),
            "letters_dots": lambda: tf.einsum(
                "..a,a->a", tf.constant(logits), tf.constant(logits[0])
            ),
            "letters_many": lambda: tf.einsum(
                f"...{letters},{letters.upper()[:25]}->...",
                p(tf.float32, [None] * 30),
                p(tf.float32, [None] * 25),
            ),
            "conv_rates": lambda: raw.Conv2D(
                input=u(IMAGES),
                filter=u(conv),
                strides=[1] * 4,
                dilations=[1, 1, -1, 1],
                padding="SAME",
            ),
            "softmax_sampled_double": lambda: nn.sampled_softmax_loss(
                np.ones([4, 3]),
                np.zeros(4),
                sampled(),
                tf.constant(logits, tf.float64),
                2,
                4,
                seed=1,
            ),
            "cells_inputs": lambda: cells(x=None),
            "cells_units": lambda: cells(c=[None, None]),
            "transformed_scalar": lambda: raw.FFT(input=u(np.complex64(1))),
        },
        graph=False,
        x=[[0.5, -0.5]],
        c=[[0.25, 0.0, -1.0]],
        logits=logits,
        logits_too=logits,
    )
