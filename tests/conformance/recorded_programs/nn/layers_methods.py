"""Layers as objects: configurations, shapes, scopes, reuse, arguments of Dropout and Flatten."""

import numpy as np


def build(tf):
    layers = tf.layers
    x = tf.placeholder(tf.float32, [2, 6, 6, 4], name="x")
    anything = tf.placeholder(tf.float32, [None, None, 3], name="anything")
    rate = tf.placeholder_with_default(0.25, [], name="rate")
    conv = layers.Conv2D(3, 2, activation="relu", activity_regularizer="l2", name="conv")
    pool = layers.MaxPooling2D((2, 3), 2, "same")
    mean = layers.AveragePooling2D(2, (1, 2), name="mean")
    drop = layers.Dropout(0.5, noise_shape=[None, 1, 1, None], seed=9)
    flat = layers.Flatten()
    made = [conv(x), conv(x * 2.0), pool(x), mean(x), drop(x, training=True), drop(x), flat(x)]
    made += [
        layers.dropout(x, rate, training=tf.equal(rate, 0.25), name="by_tensor", seed=2),
        layers.dropout(x, 0.0, training=True),
        layers.flatten(anything),
        layers.flatten(tf.placeholder(tf.float32, [None, 2, 3, 4]), data_format="channels_first"),
        layers.flatten(x, data_format="channels_first", name="first"),
        layers.Flatten(data_format="channels_first")(anything),
        layers.conv2d(x, 2, 3),
    ]
    with tf.variable_scope("again") as scope:
        made.append(layers.conv2d(x, 2, 3, name="c"))
        scope.reuse_variables()
        made.append(layers.conv2d(x, 2, 3, name="c"))
    with tf.variable_scope("resources", use_resource=True):
        made.append(layers.conv2d(x, 2, 3, bias_initializer="ones", kernel_constraint="unit_norm"))
    again = layers.Conv2D.from_config(conv.get_config())
    pooled = layers.AveragePooling2D.from_config(mean.get_config())
    made += [again(x), pooled(x)]
    rng = np.random.RandomState(1)
    feed = {x: rng.randn(2, 6, 6, 4), anything: rng.randn(2, 3, 3)}
    shape = [None, 7, 8, 3]
    facts = {
        "configs": [layer.get_config() for layer in (conv, pool, mean, drop, flat)],
        "shapes": [str(layer.compute_output_shape(shape)) for layer in (conv, pool, mean, flat)],
        "same": [str(drop.compute_output_shape(shape)), str(flat.compute_output_shape([None]))],
        "static": [str(t.shape) for t in made],
        "names": [t.name for t in made],
        "weights": [v.name for v in conv.trainable_weights],
        "losses": [t.name for t in tf.get_collection(tf.GraphKeys.REGULARIZATION_LOSSES)],
        "spec": [repr(layer.input_spec) for layer in (conv, pool, flat)],
        "count": conv.count_params(),
    }
    unfed = made[10]
    steps = [
        ("initialize", tf.global_variables_initializer()),
        ("outputs", [t for t in made if t is not unfed], feed),
        ("gradients", tf.gradients(made[:3], [x, *conv.weights]), feed),
    ]
    return {"facts": facts, "steps": steps}
