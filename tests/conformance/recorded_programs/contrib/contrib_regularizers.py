"""tf.contrib.layers: weight penalties, single, summed, and in variable scopes."""


def build(tf):
    layers = tf.contrib.layers
    start = tf.constant_initializer([[1.0, -2.0], [3.0, -4.0]])
    w = tf.get_variable("w", [2, 2], initializer=start, regularizer=layers.l2_regularizer(0.1))
    with tf.variable_scope("scope", regularizer=layers.l1_regularizer(0.01, scope="small")):
        tf.get_variable("v", [2, 2], initializer=start)
        tf.get_variable("free", [2], regularizer=tf.no_regularizer)
        tf.get_variable("off", [2], regularizer=layers.l2_regularizer(0.0))
        both = layers.l1_l2_regularizer(0.5, 0.25)
        tf.get_variable("both", [2, 2], tf.float64, start, regularizer=both)
    x = tf.constant([1.0, -2.0], name="x")
    penalties = [
        layers.l1_regularizer(tf.constant(0.5))(x),
        layers.l1_regularizer(0.5)(x, name="given"),
        layers.l1_l2_regularizer(0.0, 0.5)(x),
        layers.l1_l2_regularizer(0.5, 0.0, scope="only_l1")(x),
        layers.sum_regularizer([layers.l1_regularizer(1.0), None, tf.nn.l2_loss], "s")(x),
        layers.apply_regularization(layers.l2_regularizer(1.0), [x, w]),
        layers.apply_regularization(layers.l2_regularizer(0.0), [x]),
    ]
    tf.add_to_collection(tf.GraphKeys.WEIGHTS, w)
    penalties.append(layers.apply_regularization(layers.l1_regularizer(2.0)))
    losses = tf.get_collection(tf.GraphKeys.REGULARIZATION_LOSSES)
    with tf.op_scope([x], None, "old") as scope:
        total = tf.add_n([tf.cast(loss, tf.float32) for loss in losses], name="total")
    return {
        "facts": {
            "losses": [loss.name for loss in losses],
            "scope": scope,
            "none": layers.sum_regularizer([None]) is None,
            "off": layers.l1_regularizer(0.0)(x) is None,
        },
        "steps": [
            ("initialize", tf.global_variables_initializer()),
            ("penalties", penalties),
            ("losses", losses),
            ("total", total),
            ("gradient", tf.gradients(total, [w])),
        ],
    }
