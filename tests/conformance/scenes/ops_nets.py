"""Normalizations, activations, losses: mismatched shapes, second gradients, axes, seeds."""

import numpy as np

from tests.conformance.scenes import unknown

IMAGES = (np.arange(48, dtype="f").reshape(1, 4, 4, 3) * 37 % 50) / 16 - 1


def normalized_and_compared(tf, stage):
    u, raw, nn = unknown(tf), tf.raw_ops, tf.nn
    three = np.array([1.0, 0.5, 2.0], "f")
    none = np.zeros(0, "f")
    logits = np.array([[1.0, 2.0, -3.0], [0.5, 0.0, 100.0]])
    labels = np.array([[0.2, 0.3, 0.5], [0.0, 1.0, 0.0]])

    def batch(op=raw.FusedBatchNorm, x=IMAGES, a=three, b=three, m=none, v=none, **k):
        return op(x=u(x), scale=u(a), offset=u(b), mean=u(m), variance=u(v), **k)

    def second(kind, training, half=False):
        x, scale, shift = (
            tf.constant(IMAGES.astype("e") if half else IMAGES),
            tf.constant(three),
            tf.constant(three),
        )
        given = {} if training else {"mean": tf.constant(three), "variance": tf.constant(three)}
        y = nn.fused_batch_norm(x, scale, shift, is_training=training, epsilon=0.01, **given)[0]
        y = tf.cast(y, tf.float32)
        first = tf.gradients(y**3, [x, scale, shift])
        return first, tf.gradients([tf.cast(g, tf.float32) ** 2 for g in first], [x, scale])

    def grad(g=IMAGES, x=IMAGES, a=three, m=three, v=three, **k):
        return raw.FusedBatchNormGrad(
            y_backprop=u(g), x=u(x), scale=u(a), reserve_space_1=u(m), reserve_space_2=u(v), **k
        )

    cross = lambda x=logits, y=labels: raw.SoftmaxCrossEntropyWithLogits(features=u(x), labels=u(y))  # noqa: E731

    def sparse(x=logits, y=(2, 0)):
        return raw.SparseSoftmaxCrossEntropyWithLogits(features=u(x), labels=u(np.array(y)))

    bias = lambda x=IMAGES, b=three, **k: raw.BiasAdd(value=u(x), bias=u(b), **k)  # noqa: E731

    def slopes(f, *given, twice=False):
        given = [tf.constant(x) for x in given]
        found = tf.gradients(f(*given) ** 2, given)
        return tf.gradients([g**2 for g in found if g is not None], given) if twice else found

    acts = {
        n: getattr(nn, n)
        for n in "relu relu6 elu selu softplus softsign leaky_relu crelu tanh sigmoid swish".split()
        if hasattr(nn, n)
    }
    line = np.array([-np.inf, -7.0, -0.5, -0.0, 0.0, 0.5, 6.0, 7.0, np.inf, np.nan])
    stage.each(
        {
            "batch": lambda: [
                batch(op, epsilon=e)
                for op in (raw.FusedBatchNorm, raw.FusedBatchNormV2, raw.FusedBatchNormV3)
                for e in (0.01, 1e-4)
            ],
            "batch_given": lambda: [
                batch(op, m=three, v=three, is_training=False)[0]
                for op in (raw.FusedBatchNorm, raw.FusedBatchNormV2)
            ],
            "batch_half": lambda: batch(raw.FusedBatchNormV2, IMAGES.astype("e")),
            "batch_none": lambda: batch(x=IMAGES[:0]),
            "batch_rank": lambda: batch(x=IMAGES[0]),
            "batch_scale": lambda: batch(a=three[None]),
            "batch_mean": lambda: batch(m=three),
            "batch_first": lambda: batch(data_format="NCHW"),
            "batch_second": lambda: [second(0, t) for t in (True, False)],
            "batch_grad_first": lambda: grad(data_format="NCHW"),
            "batch_grad_rank": lambda: grad(x=IMAGES[0]),
            "batch_old": lambda: [
                nn.batch_norm_with_global_normalization(
                    IMAGES, three, three, three, three, 0.01, s, "own"
                )
                for s in (True, False)
            ],
            "batch_plain": lambda: [
                nn.batch_normalization(IMAGES, three, three, o, s, 0.01, "own")
                for o in (None, three)
                for s in (None, three)
            ],
            "batch_function": lambda: nn.fused_batch_norm(
                IMAGES, three, three, epsilon=0.0, is_training=True
            ),
            "batch_needs": lambda: nn.fused_batch_norm(IMAGES, three, three, is_training=False),
            "near": lambda: [
                nn.local_response_normalization(IMAGES.reshape(1, 2, 4, 6), r, b, a, e, "own")
                for r, b, a, e in ((5, 1.0, 1.0, 0.5), (1, 2.0, 0.5, 0.75), (0, 1.0, 1.0, 1.0))
            ],
            "near_back": lambda: slopes(lambda x: nn.lrn(x, 1, 2.0, 0.5, 0.75), IMAGES),
            "near_rank": lambda: raw.LRN(input=u(IMAGES[0])),
            "cross": lambda: [
                cross(),
                cross(logits.astype("f"), labels.astype("f")),
                cross(logits, labels[:1]),
                cross(logits[:1], labels),
                cross(logits[:, :1], labels),
                cross(logits[0], labels),
                cross(logits, labels[0]),
                cross(logits[:0], labels[:0]),
                cross(logits[:, :0], labels[:, :0]),
            ],
            "cross_shapes": lambda: cross(logits, labels[:, :2]),
            "cross_rank": lambda: cross(logits[None], labels[None]),
            "cross_vector": lambda: cross(logits[0], labels[0]),
            "cross_static": lambda: raw.SoftmaxCrossEntropyWithLogits(
                features=logits[0], labels=labels[0]
            ),
            "cross_back": lambda: [
                slopes(lambda x, y, f=f: f(logits=x, labels=y), logits, labels)
                for f in (
                    nn.softmax_cross_entropy_with_logits,
                    nn.softmax_cross_entropy_with_logits_v2,
                )
            ],
            "cross_second": lambda: slopes(
                lambda x: nn.softmax_cross_entropy_with_logits_v2(labels=labels, logits=x),
                logits,
                twice=True,
            ),
            "cross_axis": lambda: nn.softmax_cross_entropy_with_logits_v2(
                labels.T, logits.T, 0, "own"
            ),
            "cross_position": lambda: nn.softmax_cross_entropy_with_logits(labels, logits),
            "cross_missing": lambda: nn.softmax_cross_entropy_with_logits(logits=logits),
            "sparse": lambda: [
                sparse(),
                sparse(logits.astype("e")),
                sparse(logits[:0], np.zeros(0, int)),
                nn.sparse_softmax_cross_entropy_with_logits(
                    labels=[[1, 0]], logits=logits[None], name="own"
                ),
                nn.sparse_softmax_cross_entropy_with_logits(labels=1, logits=logits[0]),
            ],
            "sparse_far": lambda: sparse(y=(2, 3)),
            "sparse_rank": lambda: sparse(logits[0], (1,)),
            "sparse_labels": lambda: sparse(y=((2, 0),)),
            "sparse_count": lambda: sparse(y=(2,)),
            "sparse_classes": lambda: sparse(logits[:, :0]),
            "sparse_mismatch": lambda: nn.sparse_softmax_cross_entropy_with_logits(
                labels=[1], logits=[logits]
            ),
            "sparse_scalar": lambda: nn.sparse_softmax_cross_entropy_with_logits(
                labels=1, logits=1.0
            ),
            "sparse_unknown": lambda: nn.sparse_softmax_cross_entropy_with_logits(
                labels=u([[1, 0]]), logits=u(logits[None])
            ),
            "sparse_second": lambda: slopes(
                lambda x: nn.sparse_softmax_cross_entropy_with_logits(labels=[1, 2], logits=x),
                logits,
                twice=True,
            ),
            "sigmoid": lambda: [
                nn.sigmoid_cross_entropy_with_logits(labels=labels, logits=logits, name="own"),
                nn.weighted_cross_entropy_with_logits(labels, logits, 0.3, "own"),
            ],
            "sigmoid_shapes": lambda: nn.sigmoid_cross_entropy_with_logits(
                labels=labels[:1], logits=logits
            ),
            "weighted_shapes": lambda: nn.weighted_cross_entropy_with_logits(
                labels[:1], logits, 2.0
            ),
            "weighted_both": lambda: nn.weighted_cross_entropy_with_logits(
                labels, logits, 2.0, targets=labels
            ),
            "poisson": lambda: [
                nn.log_poisson_loss([1.0, 0.0, 5.0], [0.5, -1.0, 2.0], c, "own")
                for c in (False, True)
            ],
            "poisson_shapes": lambda: nn.log_poisson_loss([1.0], [1.0, 2.0]),
            "soft": lambda: (
                [f(logits, a, "own") for f in (nn.softmax, nn.log_softmax) for a in (0, -1, None)]
                + [
                    nn.softmax([1e30, -1e30, 1e30]),
                    nn.softmax(np.zeros([2, 0], "f")),
                    nn.softmax([np.nan, 1.0]),
                ]
            ),
            "soft_axis": lambda: nn.softmax(logits, 2),
            "soft_scalar": lambda: nn.softmax(1.0),
            "soft_both": lambda: nn.softmax(logits, 0, dim=1),
            "soft_second": lambda: [
                slopes(f, logits, twice=True) for f in (nn.softmax, nn.log_softmax)
            ],
            "soft_unknown": lambda: [
                nn.log_softmax(tf.placeholder_with_default(logits[None], [None] * 3), 1)
            ],
            **{
                n: lambda f=f: [f(line.astype(k)) for k in ("e", "f", "d")][1:]
                for n, f in acts.items()
            },
            **{
                n + "_back": lambda f=f: [slopes(f, line[1:8], twice=t) for t in (False, True)]
                for n, f in acts.items()
            },
            "relu_integers": lambda: [
                f(np.array([-3, 0, 9], k)) for f in (nn.relu, nn.relu6) for k in ("i1", "i", "i8")
            ],
            "leaky": lambda: [
                nn.leaky_relu(line, 0.5, "own"),
                nn.leaky_relu([-2, 3]),
                nn.crelu(logits, "own", 0),
            ],
            "bias": lambda: [
                bias(),
                bias(data_format="NHWC", x=logits, b=three.astype("d")),
                bias(IMAGES, np.arange(4, dtype="f"), data_format="NCHW"),
                bias(np.array([[1, 2]]), np.array([3, 4])),
            ],
            "bias_rank": lambda: bias(b=three[None]),
            "bias_vector": lambda: bias(three),
            "bias_few": lambda: bias(b=three[:2]),
            "bias_first": lambda: bias(x=logits, b=three.astype("d")[:2], data_format="NCHW"),
            "bias_grad": lambda: (
                [raw.BiasAddGrad(out_backprop=IMAGES, data_format=f) for f in ("NHWC", "NCHW")]
                + [
                    raw.BiasAddGrad(out_backprop=np.array([[1, 2], [3, 4]], k))
                    for k in ("i", "e", "c8")
                ]
            ),
            "bias_grad_rank": lambda: raw.BiasAddGrad(out_backprop=u(three)),
            "bias_second": lambda: slopes(
                lambda x, b: nn.bias_add(x, b), logits, three.astype("d"), twice=True
            ),
            "dropped": lambda: (
                [
                    nn.dropout(np.ones([2, 4], "f"), keep_prob=k, seed=3, noise_shape=s, name="own")
                    for k, s in ((0.5, None), (0.25, [2, 1]), (1.0, None))
                ]
                + [nn.dropout(tf.ones([8]), rate=0.75, seed=5)]
            ),
            "dropped_all": lambda: nn.dropout([1.0], rate=1.0),
            "dropped_much": lambda: nn.dropout([1.0], keep_prob=1.5),
            "dropped_both": lambda: nn.dropout([1.0], 0.5, rate=0.5),
            "dropped_neither": lambda: nn.dropout([1.0]),
            "dropped_integers": lambda: nn.dropout([1], rate=0.5),
            "dropped_fed": lambda: nn.dropout(u(np.ones(4, "f")), rate=u(np.float32(0.5)), seed=1),
            "zeros": lambda: [
                nn.zero_fraction([0.0, 1.0, 0.0, 2.0]),
                nn.zero_fraction(np.zeros([0], "f")),
                nn.l2_loss([[1.0, -2.0]], "own"),
                nn.l2_loss(u(logits)),
            ],
            "looked_up": lambda: (
                [
                    nn.embedding_lookup([logits, -logits], [[0, 3], [2, 1]], s, "own", max_norm=m)
                    for s in ("mod", "div")
                    for m in (None, 1.5)
                ]
                + [nn.embedding_lookup(logits, 1)]
            ),
            "looked_up_none": lambda: nn.embedding_lookup([], [0]),
            "looked_up_way": lambda: nn.embedding_lookup([logits, logits], [0], "some"),
            "looked_up_far": lambda: nn.embedding_lookup(logits, u([2])),
        },
        graph=False,
    )
