"""tf.contrib.layers: spatial softmax, images as sequences, the older dense layers, summaries; in slim too."""

import numpy as np


def build(tf):
    layers = tf.contrib.layers
    random = np.random.RandomState(0)
    maps = tf.constant(random.rand(2, 3, 4, 5).astype("f"))
    tf.set_random_seed(3)
    with tf.contrib.framework.arg_scope([layers.spatial_softmax], trainable=False):
        fixed = layers.spatial_softmax(
            maps, 0.5, data_format="NCHW", variables_collections=["kept"]
        )
    unknown = tf.placeholder_with_default(maps, [None, None, None, 5])
    places = [
        layers.spatial_softmax(maps),
        fixed,
        layers.spatial_softmax(
            unknown, temperature=2, name="places", variables_collections=["kept"]
        ),
    ]
    steps = layers.images_to_sequence(maps, outputs_collections="out")
    turned = [
        steps,
        layers.sequence_to_images(steps, 3),
        layers.sequence_to_images(steps, 3, "channels_first", "out", "back"),
        layers.images_to_sequence(maps, "NCHW", scope="columns"),
    ]
    ones = tf.ones_initializer()
    flat = tf.reshape(maps, [-1, 5])
    dense = [
        layers.legacy_fully_connected(flat, 3, weight_init=ones),
        layers.legacy_relu(maps - 0.5, 4, bias_init=ones, name="cubes", output_collections=["out"]),
        tf.contrib.slim.legacy_linear(unknown, 2, weight_init=ones, bias_init=None),
        layers.legacy_fully_connected(
            flat,
            2,
            tf.nn.relu6,
            weight_regularizer=tf.nn.l2_loss,
            bias_regularizer=tf.nn.l2_loss,
            weight_collections=["mine"],
            trainable=False,
        ),
    ]
    tf.add_to_collection("numbers", tf.constant(2.0, name="two"))
    tf.add_to_collection("numbers", tf.constant([1.0, 3.0], name="three"))
    tf.add_to_collection("numbers", tf.constant(["a"], name="text"))
    summaries = [
        layers.summarize_activations(),
        layers.summarize_activation(tf.nn.softplus(tf.constant([100.0, -200.0]))),
        [s for s in layers.summarize_collection("numbers") if s is not None],
        layers.summarize_collection("numbers", "t.*o"),
        layers.summarize_tensors([flat, maps]),
        layers.summarize_tensor(tf.reduce_sum(flat), "total"),
        tf.contrib.slim.summarize_biases(),
        tf.contrib.slim.summarize_weights("cubes"),
        tf.contrib.slim.summarize_variables("places"),
    ]
    grads = tf.gradients([places[0], places[2]], tf.trainable_variables()[:2])
    return {
        "steps": [
            ("initialize", tf.global_variables_initializer()),
            ("places", [places, grads]),
            ("turned", turned),
            ("dense", dense),
            ("summaries", summaries),
            ("collected", tf.get_collection(tf.GraphKeys.SUMMARIES)),
        ]
    }
