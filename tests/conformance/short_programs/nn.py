"""Layers, losses, metrics and functions of `tf.nn`, each with options that are not the default."""

import numpy as np

X = np.random.RandomState(1).randn(2, 6, 6, 4).astype(np.float32)
ROWS = X[:, 0, :3, 0]
WHICH = np.array([2, 0])


def programs(tf):
    L, nn, K = tf.layers, tf.nn, tf.keras.layers

    def x():
        return tf.constant(X)

    def rows():
        return tf.constant(ROWS)

    ones = tf.ones_initializer()
    losses, metrics = tf.losses, tf.metrics
    found = {}

    def add(name, *calls):
        for number, call in enumerate(calls):
            found[f"{name}_{number}"] = call

    add(
        "dense",
        lambda: L.dense(rows(), 2, nn.relu, False, ones),
        lambda: L.dense(rows(), 2, bias_initializer=ones, kernel_initializer=ones, trainable=False),
        lambda: L.dense(
            x(), 2, kernel_initializer=ones, activity_regularizer=tf.nn.l2_loss, name="d"
        ),
        lambda: L.dense(tf.constant(1.0), 2),
        lambda: L.dense(rows(), -1),
        lambda: L.dense(tf.placeholder(tf.float32, [2, None]), 2),
        lambda: L.dense(tf.constant([[1]]), 2),
    )
    for name, args in (("same", "same"), ("valid", "valid")):
        add(
            "conv2d_" + name,
            lambda p=args: L.conv2d(x(), 2, 3, 2, p, kernel_initializer=ones),
            lambda p=args: L.conv2d(
                x(), 2, (2, 3), (1, 2), p, kernel_initializer=ones, use_bias=False
            ),
            lambda p=args: L.conv2d(x(), 2, 3, 1, p, dilation_rate=2, kernel_initializer=ones),
            lambda p=args: L.conv2d_transpose(x(), 2, 3, 2, p, kernel_initializer=ones),
            lambda p=args: L.conv2d_transpose(x(), 2, (2, 3), (1, 3), p, kernel_initializer=ones),
            lambda p=args: L.separable_conv2d(
                x(),
                3,
                3,
                1,
                p,
                depth_multiplier=2,
                depthwise_initializer=ones,
                pointwise_initializer=ones,
            ),
            lambda p=args: L.max_pooling2d(x(), 3, 2, p),
            lambda p=args: L.average_pooling2d(x(), (3, 2), (2, 1), p),
            lambda p=args: L.conv1d(x()[0], 2, 3, 2, p, kernel_initializer=ones),
            lambda p=args: L.max_pooling1d(x()[0], 3, 2, p),
            lambda p=args: L.average_pooling1d(x()[0], 3, 2, p),
            lambda p=args: L.conv3d(x()[None], 1, 2, 2, p, kernel_initializer=ones),
            lambda p=args: L.max_pooling3d(x()[None], 2, 2, p),
            lambda p=args: L.average_pooling3d(x()[None], 2, (1, 2, 2), p),
            lambda p=args: nn.depthwise_conv2d(x(), tf.ones([2, 2, 4, 2]), [1, 2, 2, 1], p.upper()),
            lambda p=args: nn.dilation2d(
                x(), tf.ones([2, 2, 4]), [1, 1, 1, 1], [1, 2, 2, 1], p.upper()
            ),
            lambda p=args: nn.pool(x(), [2, 2], "AVG", p.upper(), [2, 2]),
            lambda p=args: nn.pool(x(), [2, 2], "MAX", p.upper(), strides=[2, 1]),
            lambda p=args: nn.convolution(x(), tf.ones([2, 2, 4, 2]), p.upper(), [2, 1]),
            lambda p=args: nn.atrous_conv2d(x(), tf.ones([2, 2, 4, 2]), 2, p.upper()),
            lambda p=args: nn.max_pool_with_argmax(x(), [1, 2, 2, 1], [1, 2, 2, 1], p.upper()),
            lambda p=args: nn.erosion2d(
                x(), tf.ones([2, 2, 4]), [1, 2, 2, 1], [1, 1, 1, 1], p.upper()
            ),
        )
    add(
        "refused",
        lambda: L.conv2d(x(), 2, (1, 2, 3)),
        lambda: L.conv2d(x(), 2, 3, (1, 2, 3)),
        lambda: L.conv2d(x(), 2, 3, padding="full"),
        lambda: L.conv2d(x(), 2, 3, data_format="channels"),
        lambda: L.conv2d(x(), 2, 3, 2, dilation_rate=2),
        lambda: L.conv2d(rows(), 2, 3),
        lambda: L.conv2d(tf.placeholder(tf.float32, [1, 2, 2, None]), 2, 3),
        lambda: L.separable_conv2d(x(), 2, 3, (1, 2)),
        lambda: L.max_pooling2d(rows(), 2, 2),
        lambda: L.batch_normalization(rows(), axis=5),
        lambda: L.batch_normalization(rows(), renorm_clipping={"a": 1.0}, renorm=True),
        lambda: L.flatten(tf.constant(1.0)),
        lambda: nn.dropout(rows(), 0.0),
        lambda: nn.dropout(rows(), rate=1.0),
        lambda: nn.dropout(rows(), 0.5, rate=0.2),
        lambda: nn.moments(rows(), [3]),
        lambda: nn.top_k(rows(), 4),
        lambda: nn.softmax_cross_entropy_with_logits_v2(labels=rows(), logits=rows()[:1]),
        lambda: nn.sigmoid_cross_entropy_with_logits(labels=rows(), logits=rows()[:1]),
        lambda: nn.sparse_softmax_cross_entropy_with_logits(labels=[1], logits=rows()),
        lambda: nn.sparse_softmax_cross_entropy_with_logits(labels=[[1]], logits=rows()),
        lambda: nn.sparse_softmax_cross_entropy_with_logits(labels=[1, 7], logits=rows()),
        lambda: nn.softmax_cross_entropy_with_logits(rows(), rows()),
        lambda: nn.weighted_cross_entropy_with_logits(rows(), rows()[:1], 2.0),
        lambda: nn.embedding_lookup(None, [1]),
        lambda: nn.embedding_lookup([rows(), rows()], [1], "some"),
        lambda: nn.pool(x(), [2], "MAX", "SAME"),
        lambda: nn.pool(x(), [2, 2], "SUM", "SAME"),
        lambda: nn.pool(x(), [2, 2], "MAX", "SAME", [2, 2], [2, 2]),
        lambda: nn.convolution(x(), tf.ones([2, 2, 4, 2]), "SAME", [2, 2], [2, 2]),
        lambda: nn.convolution(x(), tf.ones([2, 2, 3, 2]), "SAME"),
        lambda: nn.conv2d(x(), tf.ones([2, 2, 4, 2]), [1, 1, 1, 1], "NONE"),
        lambda: nn.conv2d(x(), tf.ones([2, 2, 4, 2]), [1, 2, 3, 4], "SAME"),
        lambda: nn.bias_add(rows(), tf.ones([2])),
        lambda: nn.bias_add(rows(), tf.ones([3]), "NHWD"),
        lambda: nn.crelu(3.0, axis=4),
        lambda: nn.static_rnn(3, [rows()]),
        lambda: nn.static_rnn(nn.rnn_cell.GRUCell(2), []),
        lambda: nn.static_rnn(nn.rnn_cell.GRUCell(2), rows()),
        lambda: nn.dynamic_rnn(nn.rnn_cell.GRUCell(2), rows()),
        lambda: nn.dynamic_rnn(nn.rnn_cell.GRUCell(2), x()[0]),
        lambda: nn.dynamic_rnn(
            nn.rnn_cell.GRUCell(2), x()[0], dtype=tf.float32, sequence_length=[[1]]
        ),
        lambda: nn.dynamic_rnn(
            nn.rnn_cell.GRUCell(2), x()[0], dtype=tf.float32, sequence_length=[9] * 6
        ),
        lambda: nn.rnn_cell.MultiRNNCell([]),
        lambda: nn.rnn_cell.MultiRNNCell(nn.rnn_cell.GRUCell(2)),
        lambda: nn.rnn_cell.DropoutWrapper(nn.rnn_cell.GRUCell(2), 1.5),
        lambda: nn.rnn_cell.DropoutWrapper(3),
        lambda: nn.rnn_cell.ResidualWrapper(nn.rnn_cell.GRUCell(2))(rows(), tf.zeros([2, 2])),
    )
    add(
        "normalized",
        lambda: L.batch_normalization(rows(), training=True, epsilon=0.1, scale=False),
        lambda: L.batch_normalization(rows(), 0, 0.5, center=False, training=True),
        lambda: L.batch_normalization(rows(), moving_mean_initializer=ones, beta_initializer=ones),
        lambda: L.batch_normalization(rows(), moving_variance_initializer=tf.zeros_initializer()),
        lambda: L.batch_normalization(x(), 1, fused=False, training=True, gamma_initializer=ones),
        lambda: L.batch_normalization(x(), fused=True, training=True, epsilon=0.2),
        lambda: L.batch_normalization(rows(), renorm=True, training=True, renorm_momentum=0.5),
        lambda: L.batch_normalization(rows(), virtual_batch_size=1, training=True),
        lambda: _updated(tf, momentum=0.3),
        lambda: _updated(tf, momentum=0.3, fused=True),
        lambda: _updated(
            tf, renorm=True, renorm_momentum=0.4, renorm_clipping={"rmax": 1.1, "dmax": 0.1}
        ),
        lambda: nn.l2_normalize(rows(), 0, 1.0),
        lambda: nn.l2_normalize(rows(), [0, 1]),
        lambda: nn.local_response_normalization(x(), 1, 2.0, 0.5, 0.3),
        lambda: nn.moments(rows(), [0], keep_dims=True),
        lambda: nn.moments(tf.cast(rows(), tf.float16), [1]),
        lambda: nn.weighted_moments(rows(), [0], [[1.0], [3.0]], keep_dims=True),
        lambda: nn.sufficient_statistics(rows(), [0], 0.5, True),
        lambda: nn.normalize_moments(3.0, rows(), rows() * 2, 0.5),
        lambda: nn.batch_normalization(rows(), 0.1, 2.0, None, 3.0, 0.5),
        lambda: nn.fused_batch_norm(
            x(), tf.ones([4]), tf.zeros([4]), epsilon=0.3, is_training=True
        ),
        lambda: nn.batch_norm_with_global_normalization(
            x(), tf.zeros([4]), tf.ones([4]), tf.ones([4]), tf.ones([4]), 0.1, True
        ),
        lambda: K.LayerNormalization(axis=1, epsilon=0.1, center=False)(rows()),
        lambda: K.LayerNormalization(axis=[1, 2], scale=False)(x()),
    )
    add(
        "activations",
        *[
            lambda f=f: f(rows())
            for f in (nn.elu, nn.selu, nn.relu6, nn.softplus, nn.softsign, nn.swish)
        ],
        lambda: nn.leaky_relu(rows(), 0.4),
        lambda: nn.softmax(rows(), 0),
        lambda: nn.log_softmax(rows(), axis=0),
        lambda: nn.crelu(rows(), axis=0),
        lambda: K.ReLU(0.9, 0.2, 0.1)(rows()),
        lambda: K.ReLU(-1.0),
        lambda: K.LeakyReLU(0.7)(rows()),
        lambda: K.ELU(0.3)(rows()),
        lambda: K.ThresholdedReLU(0.5)(rows()),
        lambda: K.Softmax(0)(rows()),
        lambda: K.PReLU(ones, shared_axes=[1])(x()),
        lambda: nn.top_k(rows(), 2, False),
        lambda: nn.in_top_k(rows(), WHICH, 1),
        lambda: nn.relu_layer(rows(), tf.ones([3, 2]), tf.ones([2])),
        lambda: nn.xw_plus_b(rows(), tf.ones([3, 2]), tf.ones([2])),
        lambda: nn.bias_add(x(), tf.ones([6]), "NCHW"),
        lambda: nn.zero_fraction([0.0, 1.0, 0.0]),
        lambda: nn.space_to_depth(x(), 3),
        lambda: nn.depth_to_space(x(), 2),
        lambda: nn.embedding_lookup([rows(), -rows()], [0, 3], "div"),
        lambda: nn.embedding_lookup([rows(), -rows()], [0, 3], "mod", max_norm=0.5),
        lambda: nn.embedding_lookup_sparse(
            rows(), tf.SparseTensor([[0, 0], [1, 1]], [1, 0], [2, 2]), None, combiner="sum"
        ),
        lambda: nn.embedding_lookup_sparse(
            rows(),
            tf.SparseTensor([[0, 0], [0, 1]], [1, 0], [1, 2]),
            tf.SparseTensor([[0, 0], [0, 1]], [1.0, 3.0], [1, 2]),
            combiner="sqrtn",
            max_norm=1.0,
        ),
        lambda: nn.safe_embedding_lookup_sparse(
            rows(),
            tf.SparseTensor([[0, 0], [1, 1]], tf.constant([1, -1], tf.int64), [2, 2]),
            default_id=0,
            combiner="mean",
        ),
    )
    add(
        "losses",
        *[
            lambda f=f, r=r: f(
                rows() > 0 if f is losses.hinge_loss else rows() * 2,
                rows(),
                [[2.0], [0.5]],
                reduction=r,
            )
            for f in (
                losses.absolute_difference,
                losses.mean_squared_error,
                losses.huber_loss,
                losses.log_loss,
            )
            for r in losses.Reduction.all()
        ],
        lambda: losses.huber_loss(rows() * 5, rows(), delta=0.3),
        lambda: losses.log_loss([[0.9]], [[0.3]], epsilon=0.1),
        lambda: losses.cosine_distance(rows(), -rows(), axis=0),
        lambda: losses.hinge_loss(tf.cast(rows() > 0, tf.float32), rows(), 2.0),
        lambda: losses.mean_pairwise_squared_error(rows(), -rows(), [0.5, 2.0]),
        lambda: losses.sigmoid_cross_entropy(
            tf.cast(rows() > 0, tf.int32), rows(), label_smoothing=0.3
        ),
        lambda: losses.softmax_cross_entropy(tf.one_hot(WHICH, 3), rows(), [1.0, 3.0], 0.3),
        lambda: losses.sparse_softmax_cross_entropy(WHICH, rows(), [1.0, 0.0]),
        lambda: losses.compute_weighted_loss(rows(), [[1.0], [2.0]], reduction="weighted_mean"),
        lambda: losses.compute_weighted_loss(rows(), reduction="else"),
        lambda: losses.compute_weighted_loss(rows(), [1.0, 2.0]),
        lambda: losses.absolute_difference(rows(), None),
        lambda: losses.absolute_difference(None, rows()),
        lambda: losses.absolute_difference(rows(), rows(), None),
        lambda: losses.cosine_distance(rows(), rows()),
        lambda: losses.mean_squared_error(rows(), rows()[:1]),
        lambda: losses.add_loss(rows(), loss_collection=None),
        lambda: losses.get_total_loss(),
        lambda: nn.weighted_cross_entropy_with_logits(rows(), -rows(), 3.0),
        lambda: nn.log_poisson_loss(tf.abs(rows()) * 3, rows(), compute_full_loss=True),
        lambda: nn.log_poisson_loss(tf.abs(rows()) * 3, rows()),
        lambda: nn.softmax_cross_entropy_with_logits_v2(
            labels=nn.softmax(rows()), logits=-rows(), axis=0
        ),
    )
    some = {"weights": [[1.0], [3.0]]}
    add(
        "metrics",
        *[
            lambda f=f: _metric(tf, f, rows(), rows() * 0.5 + 0.1, **some)
            for f in (
                metrics.mean_absolute_error,
                metrics.mean_squared_error,
                metrics.root_mean_squared_error,
            )
        ],
        lambda: _metric(tf, metrics.mean, rows(), **some),
        lambda: _metric(tf, metrics.accuracy, rows() > 0, rows() > 0.5, **some),
        lambda: _metric(tf, metrics.precision, rows() > 0, rows() > 0.5, **some),
        lambda: _metric(tf, metrics.recall, rows() > 0, rows() > 0.5, **some),
        lambda: _metric(tf, metrics.true_positives, rows() > 0, rows() > 0.5, **some),
        lambda: _metric(tf, metrics.false_negatives, rows() > 0, rows() > 0.5, **some),
        lambda: _metric(
            tf, metrics.auc, rows() > 0, nn.sigmoid(-rows()), num_thresholds=7, curve="PR", **some
        ),
        lambda: _metric(
            tf,
            metrics.auc,
            rows() > 0,
            nn.sigmoid(-rows()),
            num_thresholds=7,
            summation_method="careful_interpolation",
        ),
        lambda: _metric(
            tf,
            metrics.auc,
            rows() > 0,
            nn.sigmoid(-rows()),
            num_thresholds=7,
            summation_method="minoring",
        ),
        lambda: _metric(tf, metrics.auc, rows() > 0, nn.sigmoid(-rows()), curve="XY"),
        lambda: _metric(
            tf, metrics.precision_at_thresholds, rows() > 0, nn.sigmoid(-rows()), [0.3, 0.6], **some
        ),
        lambda: _metric(
            tf,
            metrics.sensitivity_at_specificity,
            rows() > 0,
            nn.sigmoid(-rows()),
            0.4,
            num_thresholds=9,
        ),
        lambda: _metric(
            tf, metrics.sensitivity_at_specificity, rows() > 0, nn.sigmoid(-rows()), 1.4
        ),
        lambda: _metric(
            tf,
            metrics.specificity_at_sensitivity,
            rows() > 0,
            nn.sigmoid(-rows()),
            0.4,
            num_thresholds=9,
        ),
        lambda: _metric(tf, metrics.mean_cosine_distance, rows(), -rows() + 1, 1, **some),
        lambda: _metric(
            tf, metrics.mean_relative_error, rows(), -rows() + 1, tf.ones([2, 3]) * 2, **some
        ),
        lambda: _metric(
            tf,
            metrics.mean_iou,
            tf.constant(WHICH),
            tf.constant(WHICH[::-1]),
            3,
            weights=tf.constant([1.0, 2.0]),
        ),
        lambda: _metric(
            tf,
            metrics.mean_per_class_accuracy,
            tf.constant(WHICH),
            tf.constant([2, 1]),
            3,
            weights=tf.constant([1.0, 2.0]),
        ),
        lambda: _metric(tf, metrics.mean_tensor, rows(), weights=[[1.0], [3.0]]),
        lambda: _metric(tf, metrics.percentage_below, rows(), 0.2, **some),
        lambda: _metric(tf, metrics.recall_at_k, WHICH, rows(), 2, class_id=2),
        lambda: _metric(tf, metrics.precision_at_k, WHICH, rows(), 2, weights=[1.0, 2.0]),
        lambda: _metric(tf, metrics.average_precision_at_k, WHICH, rows(), 2, weights=[1.0, 2.0]),
        lambda: _metric(tf, metrics.accuracy, rows(), rows()[:1]),
        lambda: _metric(tf, metrics.mean, rows(), weights=[[[1.0]]]),
    )
    return found


def _updated(tf, **options):
    tf.layers.batch_normalization(tf.constant(X), training=True, **options)
    updates = tf.get_collection(tf.GraphKeys.UPDATE_OPS)
    with tf.Session() as session:
        session.run(tf.global_variables_initializer())
        for _ in range(2):
            session.run(updates)
        return session.run({v.name: v for v in tf.global_variables()})


def _metric(tf, metric, *args, **options):
    value, update = metric(*args, **options)
    with tf.Session() as session:
        session.run([tf.local_variables_initializer(), tf.global_variables_initializer()])
        return [session.run(update), session.run(update), session.run(value)]
