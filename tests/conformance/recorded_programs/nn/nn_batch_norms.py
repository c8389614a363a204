"""Batch normalization ops: fused, composed, both layouts, first and second gradients; local response normalization."""

import numpy as np


def build(tf):
    nn, raw = tf.nn, tf.raw_ops
    rng = np.random.RandomState(6)
    x = tf.placeholder(tf.float32, [None, 4, 3, 2], name="x")
    scale = tf.get_variable("scale", initializer=[1.5, -0.5])
    offset = tf.get_variable("offset", initializer=[0.1, 0.2])
    mean, variance = tf.constant([0.3, -0.2], name="mean"), tf.constant([2.0, 0.5], name="variance")
    trained, batch_mean, batch_variance = nn.fused_batch_norm(x, scale, offset)
    frozen, _, _ = nn.fused_batch_norm(
        x, scale, offset, mean, variance, is_training=False, epsilon=0.0, name="frozen"
    )
    kinds = [trained, frozen]
    for number, op in enumerate((raw.FusedBatchNorm, raw.FusedBatchNormV2)):
        training = number == 0
        given = ([], []) if training else (mean, variance)
        kinds += op(
            x=x,
            scale=scale,
            offset=offset,
            mean=given[0],
            variance=given[1],
            is_training=training,
            epsilon=0.01,
        )[:1]
    half = nn.fused_batch_norm(tf.cast(x, tf.float16), scale, offset, name="half")[0]
    anything = nn.fused_batch_norm(
        tf.placeholder(tf.float32, None), [1.0, 2.0], [0.0, 1.0], epsilon=0.1, data_format="NCHW"
    )
    gradients = []
    for y in (*kinds, half):
        wide = tf.cast(y, tf.float32)
        loss = tf.reduce_sum(tf.exp(wide) * tf.sin(x))
        first = tf.gradients(loss, [x, scale, offset])
        penalty = tf.add_n([tf.reduce_sum(tf.square(g)) for g in first])
        gradients += [*first, *tf.gradients(penalty, [x, scale])]
    for training in (True, False):
        with tf.name_scope("channels_first"):
            images = tf.transpose(x, [0, 3, 1, 2])
            given = {} if training else {"mean": mean, "variance": variance}
            y = nn.fused_batch_norm(
                images, scale, offset, data_format="NCHW", is_training=training, **given
            )[0]
            first = tf.gradients(tf.reduce_sum(tf.square(y)), [x, scale, offset])
            tf.gradients(tf.reduce_sum(tf.square(first[0])), [x, scale])
    moments = nn.moments(x, [0, 1, 2])
    composed = [
        nn.batch_normalization(x, *moments, offset, scale, 1e-3),
        nn.batch_normalization(x, mean, variance, None, scale, 1e-3, name="no_offset"),
        nn.batch_normalization(x, mean, variance, offset, None, 1e-3),
        nn.batch_normalization(tf.cast(x, tf.float16), mean, variance, None, None, 1e-3),
        nn.batch_norm_with_global_normalization(x, *moments, offset, scale, 1e-3, True),
        nn.batch_norm_with_global_normalization(
            input=x,
            mean=mean,
            variance=variance,
            beta=offset,
            gamma=scale,
            variance_epsilon=0.1,
            scale_after_normalization=False,
            name="old",
        ),
    ]
    deep = tf.placeholder(tf.float32, [2, 3, 3, 9], name="deep")
    responses = [
        nn.lrn(deep),
        nn.local_response_normalization(deep, 2, 1.0, 0.3, 0.75, name="norm1"),
        nn.lrn(deep, depth_radius=1, bias=2, alpha=1e-2, beta=1.0),
        nn.lrn(deep, depth_radius=3, bias=2, alpha=1e-1, beta=0.4),
    ]
    of_responses = [tf.gradients(tf.square(y), [deep])[0] for y in responses]
    train = tf.train.MomentumOptimizer(0.05, 0.9).minimize(
        tf.reduce_mean(tf.square(trained - 0.5)) + tf.reduce_mean(composed[0])
    )
    feed = {x: 2 * rng.randn(5, 4, 3, 2) + 1, deep: rng.randn(2, 3, 3, 9)}
    return {
        "facts": {"shapes": [str(t.shape) for t in anything]},
        "steps": [
            ("initialize", tf.global_variables_initializer()),
            ("normalized", [*kinds, batch_mean, batch_variance, *composed], feed),
            ("gradients", gradients[:20], feed),
            ("responses", [*responses, *of_responses], feed),
            ("train", train, feed),
            ("trained", [scale, offset]),
        ],
    }


TOLERANCE = 1e-3  # half precision, and differences of sums
