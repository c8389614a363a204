"""tf.contrib.layers batch norms: in-place updates, weights, zero-debiased averages; other norms; embeddings."""

import numpy as np


def build(tf):
    layers = tf.contrib.layers
    x = tf.placeholder(tf.float32, [5, 4, 4, 6], name="x")
    flat = tf.placeholder(tf.float32, [None, 6], name="flat")
    ids = tf.placeholder(tf.int64, [5, 3], name="ids")
    training = tf.placeholder(tf.bool, [], name="training")
    weights = tf.placeholder(tf.float32, [5], name="weights")
    norm = layers.batch_norm
    outputs = [
        norm(flat, is_training=True, scale=True),
        norm(flat, is_training=training, decay=0.9, activation_fn=tf.nn.relu),
        norm(flat, is_training=False, center=False, outputs_collections="out"),
        norm(x, is_training=True, updates_collections=None, decay=0.5, scope="in_place"),
        norm(x, is_training=training, updates_collections=None, fused=False),
        norm(x, is_training=training, updates_collections="mine", scale=True),
        norm(x, is_training=training, variables_collections=["kept"], fused=True, scope="by_layer"),
        norm(x, zero_debias_moving_mean=True, decay=0.9, fused=False),
        norm(x, batch_weights=weights, updates_collections="mine", scale=True, fused=False),
        norm(x, renorm=True, param_initializers={"beta": tf.ones_initializer()}),
        norm(
            x,
            param_regularizers={"beta": tf.nn.l2_loss, "gamma": tf.nn.l2_loss},
            scale=True,
            variables_collections={"gamma": ["gammas"]},
            reuse=tf.AUTO_REUSE,
            scope="shared",
        ),
        norm(x, scale=True, is_training=False, reuse=tf.AUTO_REUSE, scope="shared"),
        layers.layer_norm(x),
        layers.layer_norm(flat, center=False, activation_fn=tf.tanh),
        layers.layer_norm(x, begin_norm_axis=-1, begin_params_axis=1, scale=False, scope="ln"),
        layers.instance_norm(x, activation_fn=tf.nn.relu),
        layers.instance_norm(tf.transpose(x, [0, 3, 1, 2]), data_format="NCHW"),
        layers.group_norm(x, groups=3),
        layers.group_norm(flat, groups=2, reduction_axes=[], mean_close_to_zero=True),
        layers.group_norm(tf.transpose(x, [0, 3, 1, 2]), 2, -3, (-2, -1), scale=False),
        layers.unit_norm(x, 1),
        layers.unit_norm(flat, 1, epsilon=0.1, scope="unit"),
        layers.maxout(x, 3),
        layers.maxout(flat, 2, scope="out"),
        layers.softmax(x),
        layers.embed_sequence(ids, 7, 2),
        layers.bow_encoder(ids, 7, 3, sparse_lookup=False),
        layers.bow_encoder(ids, 7, 3, scope="bow"),
        layers.linear(x, 3),
        layers.relu(flat, 4, normalizer_fn=layers.batch_norm),
        layers.relu6(flat, 2, biases_initializer=None),
        layers.elu(flat, 2),
    ]
    sparse = layers.dense_to_sparse(ids)
    with tf.variable_scope("again"):
        embedded = layers.embed_sequence(ids, 7, 2, scope="e", initializer=tf.ones_initializer())
        outputs += [
            embedded,
            layers.embed_sequence(ids, scope="e", reuse=True, vocab_size=7, embed_dim=2),
        ]
    loss = tf.add_n([tf.reduce_sum(tf.square(y)) for y in outputs])
    tf.gradients(loss, [x, flat, *tf.trainable_variables()])
    rng = np.random.RandomState(4)
    feed = {
        x: 2 * rng.randn(5, 4, 4, 6) + 1,
        flat: rng.randn(4, 6),
        ids: rng.randint(0, 7, [5, 3]),
        training: True,
        weights: rng.rand(5),
    }
    keys = [
        "mine",
        "kept",
        "gammas",
        "update_ops",
        "model_variables",
        "regularization_losses",
        "out",
    ]
    keys.append("global_variables")
    fetched = [
        y for n, y in enumerate(outputs) if n not in (3, 4, 7, 9)
    ]  # these update the variables they read
    return {
        "facts": {key: [v.name for v in tf.get_collection(key)] for key in keys},
        "steps": [
            ("initialize", tf.global_variables_initializer()),
            ("outputs", fetched, feed),
            ("inference", outputs[:3], {**feed, training: False}),
            ("sparse", [sparse.indices, sparse.values], feed),
            ("in place", outputs[3], feed),
            ("updates", tf.get_collection("mine")[:2], feed),
            ("moved", tf.get_collection("model_variables", "in_place")),
        ],
    }


TOLERANCE = 1e-4  # another summation order of means
