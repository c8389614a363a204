"""nce_loss and sampled_softmax_loss: partitioned weights, several true classes, given samples, dtypes, gradients."""

import numpy as np


def build(tf):
    nn = tf.nn
    rng = np.random.RandomState(4)
    weights = tf.get_variable("weights", initializer=rng.randn(20, 3).astype(np.float32))
    biases = tf.get_variable("biases", initializer=rng.randn(20).astype(np.float32))
    parts = tf.get_variable(
        "parts",
        [20, 3],
        initializer=tf.constant_initializer(0.25),
        partitioner=tf.fixed_size_partitioner(3),
    )
    wide = tf.cast(weights, tf.float64)
    x = tf.placeholder(tf.float32, [None, 3], name="x")
    y = tf.placeholder(tf.int64, [None, 1], name="y")
    pair = tf.placeholder(tf.int32, [4, 2], name="pair")
    given = nn.uniform_candidate_sampler(y, 1, 7, True, 20, seed=3)
    whole = nn.all_candidate_sampler(y, 1, 20, True)
    made = [
        nn.nce_loss(weights, biases, y, x, 5, 20),
        nn.nce_loss(
            weights, biases, labels=pair, inputs=x, num_sampled=5, num_classes=20, num_true=2
        ),
        nn.nce_loss(weights, biases, y, x, 7, 20, 1, given, remove_accidental_hits=True),
        nn.nce_loss(parts, biases, y, x, 6, 20, partition_strategy="div", name="in_parts"),
        nn.sampled_softmax_loss(weights, biases, y, x, 5, 20, seed=5),
        nn.sampled_softmax_loss(weights, biases, pair, x, 6, 20, 2, seed=6),
        nn.sampled_softmax_loss(weights, biases, y, x, 20, 20, sampled_values=whole),
        nn.sampled_softmax_loss(wide, tf.cast(biases, tf.float64), y, x, 5, 20, seed=7),
    ]
    total = tf.add_n([tf.reduce_sum(tf.cast(loss, tf.float32)) for loss in made[1:]])
    grads = tf.gradients(total, [weights, biases, x])
    grads = [tf.convert_to_tensor(grad) for grad in grads]
    feed = {
        x: rng.randn(4, 3).astype(np.float32),
        y: [[0], [3], [19], [7]],
        pair: [[0, 1], [3, 3], [19, 2], [7, 8]],
    }
    return {
        "facts": {"shapes": [str(loss.shape) for loss in made]},
        "steps": [
            ("initialize", tf.global_variables_initializer()),
            ("losses", made, feed),
            ("again", made, feed),
            ("gradients", grads, feed),
        ],
    }
