"""Rarely used options of tf.nn: layouts, dilations, older argument names, seeds, partitions."""

import functools

import numpy as np


def build(tf):
    nn, random = tf.nn, np.random.RandomState(4)

    def floats(*shape):
        return tf.constant(random.randn(*shape).astype("f"))

    images, filters = floats(2, 6, 5, 2), floats(3, 2, 2, 4)
    volumes, cubes = floats(1, 4, 5, 6, 2), floats(2, 2, 2, 2, 3)
    deep = floats(3, 2, 2, 2)
    ids = tf.SparseTensor([[0, 0], [0, 1], [2, 0]], tf.constant([1, 3, 0], tf.int64), [3, 2])
    weights = tf.SparseTensor([[0, 0], [0, 1], [2, 0]], [0.5, 2.0, 1.0], [3, 2])
    tables = [floats(2, 3), floats(2, 3)]
    logits = floats(3, 4)
    taken = {
        "avg_pool": lambda: nn.avg_pool(input=images, ksize=2, strides=2, padding="SAME"),
        "max_pool": lambda: nn.max_pool(
            input=images, ksize=[1, 3, 2, 1], strides=2, padding="VALID"
        ),
        "max_pool2d": lambda: nn.max_pool2d(images, 2, 1, "SAME", "NHWC"),
        "avg_pool1d": lambda: nn.avg_pool1d(floats(2, 6, 3), 3, 2, "SAME", "NWC"),
        "conv2d": lambda: nn.conv2d(
            input=images, filters=filters, strides=1, padding=[[0, 0], [1, 2], [0, 1], [0, 0]]
        ),
        "dilated": lambda: nn.conv2d(images, filters, [1, 1, 1, 1], "SAME", dilations=[1, 2, 2, 1]),
        "depthwise": lambda: nn.depthwise_conv2d(images, deep, [1, 1, 1, 1], "SAME", rate=[2, 2]),
        "depthwise, dilations": lambda: nn.depthwise_conv2d(
            images, deep, [1, 1, 1, 1], "VALID", dilations=[2, 1]
        ),
        "separable": lambda: nn.separable_conv2d(
            images, deep, floats(1, 1, 4, 3), [1, 1, 1, 1], "SAME", dilations=[2, 2]
        ),
        "atrous": lambda: nn.atrous_conv2d(images, filters, 2, "SAME"),
        "convolution": lambda: nn.convolution(
            input=images, filters=filters, padding="SAME", dilations=[2, 1]
        ),
        "pool": lambda: nn.pool(images, [2, 3], "MAX", "SAME", dilation_rate=[2, 1]),
        "conv2d_transpose": lambda: nn.conv2d_transpose(
            input=floats(1, 3, 3, 4), filters=filters, output_shape=[1, 6, 6, 2], strides=2
        ),
        "conv_transpose": lambda: nn.conv_transpose(floats(1, 3, 3, 4), filters, [1, 6, 6, 2], 2),
        "conv1d_transpose": lambda: nn.conv1d_transpose(
            floats(1, 4, 3), floats(3, 2, 3), [1, 8, 2], 2
        ),
        "conv3d": lambda: nn.conv3d(
            input=volumes, filters=cubes, strides=[1, 1, 2, 1, 1], padding="SAME"
        ),
        "erosion": lambda: nn.erosion2d(
            images, floats(2, 2, 2), [1, 2, 1, 1], [1, 1, 2, 1], "SAME"
        ),
        "dilation": lambda: nn.dilation2d(
            images, filter=floats(2, 2, 2), strides=[1, 1, 2, 1], rates=[1, 2, 1, 1], padding="SAME"
        ),
        "softmax, dim": lambda: nn.softmax(logits, dim=0),
        "log_softmax, dim": lambda: nn.log_softmax(logits, dim=0),
        "l2_normalize, dim": lambda: nn.l2_normalize(logits, dim=0, epsilon=0.5),
        "moments": lambda: nn.moments(logits, [0], keep_dims=True),
        "weighted_moments": lambda: nn.weighted_moments(
            logits, [1], [[1.0], [2.0], [0.5]], keepdims=True
        ),
        "normalize_moments": lambda: nn.normalize_moments(4.0, floats(3), floats(3), shift=0.5),
        "cross_entropy, dim": lambda: nn.softmax_cross_entropy_with_logits(
            labels=nn.softmax(logits), logits=logits, dim=0
        ),
        "cross_entropy, axis": lambda: nn.softmax_cross_entropy_with_logits_v2(
            labels=nn.softmax(logits), logits=logits, axis=0
        ),
        "weighted": lambda: nn.weighted_cross_entropy_with_logits(
            labels=nn.sigmoid(logits), logits=logits, pos_weight=3.0
        ),
        "poisson": lambda: nn.log_poisson_loss(tf.abs(logits), logits, compute_full_loss=True),
        "embedding": lambda: nn.embedding_lookup(
            tables, [0, 3, 2], partition_strategy="div", max_norm=1.0, validate_indices=False
        ),
        "sparse mod": lambda: nn.embedding_lookup_sparse(
            tables, ids, weights, partition_strategy="mod", combiner="sqrtn", max_norm=0.5
        ),
        "sparse div": lambda: nn.embedding_lookup_sparse(
            tables, ids, None, partition_strategy="div", combiner="sum", max_norm=0.5
        ),
        "safe": lambda: nn.safe_embedding_lookup_sparse(
            tables,
            ids,
            weights,
            combiner="sqrtn",
            default_id=2,
            partition_strategy="mod",
            max_norm=0.5,
        ),
        "argmaxes": lambda: nn.max_pool_with_argmax(
            images,
            [1, 2, 2, 1],
            [1, 1, 2, 1],
            "SAME",
            data_format="NHWC",
            include_batch_in_index=True,
        ),
        "relu": lambda: nn.leaky_relu(logits, alpha=0.5),
        "crelu": lambda: nn.crelu(logits, axis=0),
        "lrn": lambda: nn.lrn(images, depth_radius=1, bias=0.5, alpha=2.0, beta=0.25),
        "bias": lambda: nn.bias_add(images, floats(2), data_format="NHWC"),
        "top": lambda: nn.top_k(logits, 2, sorted=False)[0],
        "in_top": lambda: nn.in_top_k(logits, [1, 2, 3], 2),
        "zero": lambda: nn.zero_fraction(tf.constant([0.0, 1.0, 0.0])),
        "dropout": lambda: nn.dropout(logits, rate=0.5, noise_shape=[3, 1], seed=3),
        "keep": lambda: nn.dropout(logits, 0.25, [1, 4], 5),
        "space": lambda: nn.space_to_depth(images[:, :4, :4], 2, data_format="NHWC"),
    }
    classes = tf.constant([[1], [0], [4]], tf.int64)
    samplers = {
        "all": lambda: nn.all_candidate_sampler(classes, 1, 5, True, seed=3),
        "fixed": lambda: nn.fixed_unigram_candidate_sampler(
            classes,
            1,
            4,
            True,
            7,
            distortion=0.75,
            num_reserved_ids=1,
            num_shards=1,
            unigrams=[1.0, 2.0, 3.0, 4.0, 5.0, 6.0],
            seed=3,
        ),
        "learned": lambda: nn.learned_unigram_candidate_sampler(classes, 1, 4, True, 7, seed=3),
        "log": lambda: nn.log_uniform_candidate_sampler(classes, 1, 4, False, 7, seed=3),
        "uniform": lambda: nn.uniform_candidate_sampler(classes, 1, 4, True, 7, seed=3),
    }
    table, biases, features = floats(5, 3), floats(5), floats(3, 3)
    drawn = nn.uniform_candidate_sampler(classes, 1, 3, True, 5, seed=9)
    for name, function in (("nce", nn.nce_loss), ("sampled", nn.sampled_softmax_loss)):
        for accidental in (False, True):
            for strategy in ("mod", "div"):
                taken[f"{name} {accidental} {strategy}"] = functools.partial(
                    function,
                    weights=[table[:3], table[3:]],
                    biases=biases,
                    labels=classes,
                    inputs=features,
                    num_sampled=3,
                    num_classes=5,
                    num_true=1,
                    sampled_values=drawn,
                    remove_accidental_hits=accidental,
                    partition_strategy=strategy,
                )
    made, refused = [], {}
    for name in sorted(taken):
        try:
            made.append(taken[name]())
        except (TypeError, ValueError) as error:
            refused[name] = [type(error).__name__, str(error)]
    drawn = [list(samplers[name]()) for name in sorted(samplers)]
    return {"facts": {"refused": refused}, "steps": [("taken", made), ("drawn", drawn)]}
