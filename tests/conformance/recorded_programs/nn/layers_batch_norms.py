"""tf.layers.batch_normalization: axes, moving averages, renormalization, virtual batches, adjustments, reuse."""

import numpy as np


def build(tf):
    layers = tf.layers
    flat = tf.placeholder(tf.float32, [None, 3], name="flat")
    images = tf.placeholder(tf.float32, [4, 5, 3, 2], name="images")
    training = tf.placeholder(tf.bool, [], name="training")
    norm = layers.batch_normalization
    l1 = tf.contrib.layers.l1_regularizer(0.1)
    outputs = [
        norm(flat),
        norm(flat, training=True, momentum=0.5, name="momentum"),
        norm(flat, training=training, center=False),
        norm(flat, training=1, scale=False, epsilon=0.1, gamma_regularizer=l1, beta_regularizer=l1),
        norm(images, training=training, name="fused"),
        norm(images, training=True, scale=False, center=False, momentum=0.9),
        norm(images, training=tf.constant(True), fused=False, axis=1, beta_constraint="non_neg"),
        norm(images, training=True, axis=[1, 2], fused=None, name="axes"),
        norm(images, training=False, axis=[1, -1], name="frozen"),
        norm(images, axis=-1, training=True, renorm=True, momentum=0.8, name="renorm"),
        norm(
            flat,
            training=training,
            renorm=True,
            renorm_clipping={"rmin": 0.5, "rmax": 2.0, "dmax": 0.3},
            renorm_momentum=0.7,
        ),
        norm(images, training=True, virtual_batch_size=2, name="virtual"),
        norm(images, training=False, virtual_batch_size=2, axis=1),
        norm(
            images,
            training=training,
            adjustment=lambda shape: (
                tf.fill([shape[0], 1, 1, 1], 2.0, name="by"),
                tf.fill([shape[0], 1, 1, 1], 0.5, name="shift"),
            ),
            name="adjusted",
        ),
        norm(tf.cast(images, tf.float16), training=True, name="half"),
        norm(tf.cast(flat, tf.float64), training=True, trainable=False),
        norm(flat, training=True, gamma_initializer="zeros", moving_variance_initializer="zeros"),
    ]
    with tf.variable_scope("scope", partitioner=tf.fixed_size_partitioner(2)):
        outputs.append(norm(flat, training=True))
    with tf.variable_scope("resources", use_resource=True):
        outputs.append(norm(images, training=training, name="resource"))
        outputs.append(norm(flat, training=True, renorm=True))
    outputs.append(norm(flat, training=True, name="momentum", reuse=True))
    layer = layers.BatchNormalization(axis=1, name="layer", renorm=True)
    outputs += [layer(flat, training=True), layer(flat + 1.0), layer(flat, training=training)]
    plain = layers.BatchNormalization(virtual_batch_size=2)
    loss = tf.add_n([tf.reduce_sum(tf.cast(y, tf.float32) ** 3) for y in outputs])
    loss += tf.add_n(tf.get_collection(tf.GraphKeys.REGULARIZATION_LOSSES))
    tf.gradients(loss, [flat, images, *tf.trainable_variables()])
    rng = np.random.RandomState(4)
    feed = {flat: 2 * rng.randn(6, 3) + 1, images: rng.randn(4, 5, 3, 2), training: True}
    updates = tf.get_collection(tf.GraphKeys.UPDATE_OPS)
    # Layers called twice for training update the same averages twice, in unspecified order.
    twice = ("momentum", "layer")
    updates = [u for u in updates if not u.name.startswith(twice)]
    kept = [v for v in tf.global_variables() if not v.name.startswith(twice)]
    return {
        "facts": {
            "names": [y.name for y in outputs],
            "config": [layer.get_config(), plain.get_config()],
            "updates": [u.name for u in tf.get_collection(tf.GraphKeys.UPDATE_OPS)],
            "of layer": [[u.name for u in layer.updates], [w.name for w in layer.weights]],
            "for inputs": [len(layer.get_updates_for(flat)), len(layer.get_updates_for(None))],
            "shape": str(layer.compute_output_shape([2, 3])),
            "losses": [t.name for t in tf.get_collection(tf.GraphKeys.REGULARIZATION_LOSSES)],
        },
        "steps": [
            ("initialize", tf.global_variables_initializer()),
            ("inference", outputs[:4], {**feed, training: False}),
            ("outputs", [outputs[n] for n in (0, 1, 2, 3, 4, 6, 7, 8, 11, 12, 13, 14, 15)], feed),
            ("update", updates, feed),
            ("averages", kept),
        ],
    }


TOLERANCE = 2e-3  # half precision
