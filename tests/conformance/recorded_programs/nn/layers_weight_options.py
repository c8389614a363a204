"""Options of layers' weights: initializers, regularizers, constraints, no bias, untrained; and a training step."""

import numpy as np


def build(tf):
    constant = tf.constant_initializer
    random = np.random.RandomState(0)

    def most(bound):
        return lambda w: tf.clip_by_value(w, -bound, bound)

    kinds = {
        "conv1d": (tf.layers.conv1d, [2, 7, 3], (4, 3), {"dilation_rate": 2}),
        "conv2d": (tf.layers.conv2d, [2, 6, 5, 3], (4, (3, 2)), {"padding": "same"}),
        "conv3d": (tf.layers.conv3d, [2, 4, 5, 4, 2], (3, 2), {"strides": (1, 2, 1)}),
        "up2d": (tf.layers.conv2d_transpose, [2, 4, 3, 2], (3, 3), {"strides": 2}),
        "up3d": (tf.layers.conv3d_transpose, [1, 2, 3, 2, 2], (2, 2), {"strides": (2, 1, 2)}),
        "dense": (tf.layers.dense, [3, 4], (5,), {}),
    }
    separable = {
        "separable1d": (tf.layers.separable_conv1d, [2, 7, 3], (4, 3), {"depth_multiplier": 2}),
        "separable2d": (tf.layers.separable_conv2d, [2, 6, 5, 2], (3, 2), {"dilation_rate": 2}),
    }
    outputs = []
    for name, (layer, shape, sizes, more) in {**kinds, **separable}.items():
        x = tf.constant(random.randn(*shape).astype("f"))
        kernels = ("depthwise", "pointwise") if name in separable else ("kernel",)
        options = dict(more)
        for number, kernel in enumerate(kernels):
            options[kernel + "_initializer"] = tf.random_uniform_initializer(
                -0.5, 0.9, seed=number + 1
            )
            options[kernel + "_regularizer"] = tf.contrib.layers.l2_regularizer(0.1 + number)
            options[kernel + "_constraint"] = most(0.3 + 0.2 * number)
        options["bias_initializer"] = constant(0.7)
        options["bias_regularizer"] = tf.contrib.layers.l1_regularizer(0.2)
        options["bias_constraint"] = most(0.4)
        options["activity_regularizer"] = lambda y: tf.reduce_mean(tf.square(y))
        outputs.append(layer(x, *sizes, name=name, **options))
        for key in [key for key in options if key.startswith("bias")]:
            del options[key]
        del options["activity_regularizer"]
        outputs.append(
            layer(x, *sizes, name=name + "_still", use_bias=False, trainable=False, **options)
        )
    x = tf.constant(random.randn(4, 3).astype("f"))
    outputs.append(
        tf.layers.batch_normalization(
            x,
            training=True,
            name="norm",
            beta_initializer=constant(0.6),
            gamma_initializer=constant(1.4),
            moving_mean_initializer=constant(0.2),
            moving_variance_initializer=constant(3.0),
            beta_regularizer=tf.contrib.layers.l1_regularizer(0.3),
            gamma_regularizer=tf.contrib.layers.l2_regularizer(0.3),
            beta_constraint=most(0.5),
            gamma_constraint=most(1.2),
        )
    )
    outputs.append(
        tf.layers.batch_normalization(x, name="plain", center=False, scale=False, epsilon=0.1)
    )
    losses = tf.losses.get_regularization_losses()
    loss = tf.add_n(losses) + tf.add_n([tf.reduce_mean(y * y) for y in outputs])
    train = tf.train.GradientDescentOptimizer(0.1).minimize(loss)
    updates = tf.group(*tf.get_collection(tf.GraphKeys.UPDATE_OPS))
    facts = {
        "losses": [each.op.name for each in losses],
        "trained": [v.op.name for v in tf.trainable_variables()],
        "all": [v.op.name for v in tf.global_variables()],
    }
    steps = [
        ("init", tf.global_variables_initializer()),
        ("outputs", outputs),
        ("losses", losses),
        ("train", [train, updates]),
        ("weights", tf.global_variables()),
        ("outputs after", outputs),
    ]
    return {"facts": facts, "steps": steps}
