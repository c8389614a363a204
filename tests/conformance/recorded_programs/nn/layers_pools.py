"""Layers that pool along one, two and three axes: of tf.layers, of tf.contrib.layers, slim.pool; gradients."""

import numpy as np


def build(tf):
    layers, contrib, slim = tf.layers, tf.contrib.layers, tf.contrib.slim
    steps = tf.placeholder(tf.float32, [2, 9, 3], name="steps")
    images = tf.placeholder(tf.float32, [2, 6, 7, 3], name="images")
    volumes = tf.placeholder(tf.float32, [2, 4, 5, 4, 2], name="volumes")
    volume = layers.MaxPooling3D((2, 1, 2), 1, name="volume")
    outputs = [
        layers.max_pooling1d(steps, 3, 2, padding="same"),
        layers.average_pooling1d(steps, 2, 2),
        layers.max_pooling3d(volumes, 2, 2),
        layers.average_pooling3d(volumes, (1, 2, 2), 2, padding="same"),
        volume(volumes),
        layers.max_pooling3d(
            tf.transpose(volumes, [0, 4, 1, 2, 3]), 2, 2, data_format="channels_first"
        ),
        contrib.max_pool3d(volumes, 2, outputs_collections="pools"),
        contrib.avg_pool3d(volumes, [2, 2, 1], stride=1, padding="SAME", scope="mean"),
        contrib.max_pool2d(images, 3, 1, outputs_collections="pools"),
        slim.pool(images, [2, 2], "AVG", stride=2),
        slim.pool(steps, 2, "MAX", dilation_rate=2, scope="dilated"),
    ]
    loss = tf.add_n([tf.reduce_sum(tf.square(y)) for y in outputs])
    gradients = tf.gradients(loss, [steps, images, volumes])
    rng = np.random.RandomState(3)
    feed = {t: rng.permutation(int(np.prod(t.shape.as_list()))) for t in (steps, images, volumes)}
    feed = {t: value.reshape(t.shape.as_list()) for t, value in feed.items()}
    return {
        "facts": {
            "static": [str(y.shape) for y in outputs],
            "shape": str(volume.compute_output_shape([None, 4, 5, None, 2])),
            "config": volume.get_config(),
            "pools": [y.name for y in tf.get_collection("pools")],
        },
        "steps": [("outputs", outputs, feed), ("gradients", gradients, feed)],
    }
