"""Rare paths of tf.contrib.layers: normalization from parts, unknown sizes, other ranks and dtypes."""

import functools

import numpy as np

from tests.conformance import scenes
from tests.conformance.scenes.contrib_layers import _IMAGES, _X


def _tried(tf, stage, cases):
    """Records each function's values, static shapes, variables and node count."""
    for name, function in cases:
        with tf.Graph().as_default() as graph, tf.Session() as session:
            tf.set_random_seed(1)
            stage.say(name)
            with stage.failing():
                made = function()
                leaves = [x for x in tf.nest.flatten(made) if isinstance(x, tf.Tensor)]
                stage.say([(x.name, str(x.shape), x.dtype.name) for x in leaves])
                session.run([tf.global_variables_initializer(), tf.local_variables_initializer()])
                stage.say(session.run(leaves))
                updates = tf.get_collection("update_ops") + tf.get_collection("mine")
                stage.say(session.run(updates), session.run(tf.global_variables()))
            names = {
                key: len(tf.get_collection(key))
                for key in graph.get_all_collection_keys()
                if key[0] != "_"
            }
            stage.say([v.name for v in tf.global_variables()], sorted(names.items()))
            stage.brief_graph(names=False)


def _norms(tf):
    of = tf.contrib.layers
    first = lambda: tf.constant(_IMAGES.transpose(0, 3, 1, 2).copy())  # noqa: E731
    x = lambda kind=np.float32: tf.constant(_X.astype(kind))  # noqa: E731
    loose, ranked = scenes.unknown(tf), scenes.unknown(tf, True)
    norm = of.batch_norm
    halves = {
        name: tf.constant_initializer(0.5)
        for name in ("beta", "gamma", "moving_mean", "moving_variance")
    }

    def cut(function):
        def case():
            with tf.variable_scope("cut", partitioner=tf.fixed_size_partitioner(3)):
                return function()

        return case

    return {
        "weighted, channels first": lambda: norm(
            first(), 0.5, scale=True, batch_weights=[1.0, 3.0], data_format="NCHW"
        ),
        "channels first, in place": lambda: norm(
            first(), 0.5, updates_collections=None, fused=False, data_format="NCHW", center=False
        ),
        "channels first, fixed": lambda: norm(
            first(),
            scale=True,
            is_training=False,
            fused=False,
            data_format="NCHW",
            updates_collections="mine",
            param_initializers=halves,
        ),
        "fed": lambda: norm(
            x(),
            0.5,
            fused=False,
            updates_collections="mine",
            is_training=tf.placeholder_with_default(True, []),
            outputs_collections="out",
        ),
        "fed, in place": lambda: norm(
            x(),
            0.5,
            fused=False,
            updates_collections=None,
            is_training=tf.placeholder_with_default(False, []),
            param_initializers=halves,
        ),
        "fed, fused, in place": lambda: norm(
            tf.constant(_IMAGES),
            0.5,
            updates_collections=None,
            scale=True,
            center=False,
            is_training=tf.placeholder_with_default(True, []),
        ),
        "double": lambda: norm(x(np.float64), 0.5, zero_debias_moving_mean=True, fused=False),
        "half": lambda: norm(x(np.float16), 0.5, fused=False),
        "of rank three": lambda: norm(tf.constant(_IMAGES[0]), 0.5, scale=True, center=False),
        "matrix, channels first": lambda: norm(x(), data_format="NCHW", scale=True),
        "of no center": lambda: norm(x(), center=False, activation_fn=tf.nn.relu, epsilon=0.5),
        "renorm": lambda: norm(x(), renorm=True, renorm_clipping={"rmax": 2.0}, renorm_decay=0.5),
        "renorm, weighted": lambda: norm(x(), renorm=True, batch_weights=[1.0, 1.0]),
        "renorm, in place": lambda: norm(x(), renorm=True, updates_collections=None),
        "adjusted": lambda: norm(
            x(), adjustment=lambda shape: (tf.ones([1, 3]) * 2, tf.ones([1, 3]))
        ),
        "weights of another size": lambda: norm(x(), batch_weights=[1.0, 1.0, 1.0]),
        "unknown channels": lambda: norm(ranked(_X), fused=False, updates_collections=None),
        "unknown channels, fused": lambda: norm(ranked(_IMAGES)),
        "unknown rank": lambda: norm(loose(_X), updates_collections=None),
        "unknown rank, fused": lambda: norm(loose(_IMAGES), fused=True),
        "unknown batch": lambda: norm(tf.placeholder_with_default(_X, [None, 3])),
        "cut": cut(lambda: norm(x(), scale=True, fused=False)),
        "layer, half": lambda: of.layer_norm(x(np.float16)),
        "layer, double": lambda: of.layer_norm(x(np.float64), scale=False),
        "layer, from behind": lambda: of.layer_norm(
            tf.constant(_IMAGES), begin_norm_axis=-2, scope="s"
        ),
        "layer, unknown rank": lambda: of.layer_norm(loose(_X)),
        "layer, cut": cut(lambda: of.layer_norm(x())),
        "instance, unknown rank": lambda: of.instance_norm(loose(_IMAGES)),
        "instance, unknown channels": lambda: of.instance_norm(ranked(_IMAGES)),
        "instance, double": lambda: of.instance_norm(
            tf.constant(_IMAGES, tf.float64), center=False
        ),
        "group, unknown batch": lambda: of.group_norm(
            tf.placeholder_with_default(_IMAGES, [None, 4, 4, 3]), 3, center=False
        ),
        "group, unknown channels": lambda: of.group_norm(ranked(_IMAGES), 3),
        "group, unknown rows": lambda: of.group_norm(
            tf.placeholder_with_default(_IMAGES, [2, None, 4, 3]), 3
        ),
        "group, unknown rank": lambda: of.group_norm(loose(_IMAGES), 3),
        "group, initialized": lambda: of.group_norm(
            tf.constant(_IMAGES),
            3,
            scale=False,
            param_initializers=halves,
            trainable=False,
            variables_collections={"beta": ["mine"]},
        ),
    }


def _sizes(tf):
    of = tf.contrib.layers
    loose, ranked = scenes.unknown(tf), scenes.unknown(tf, True)
    images = lambda: tf.constant(_IMAGES)  # noqa: E731
    x = lambda: tf.constant(_X)  # noqa: E731
    ones = tf.ones_initializer()
    weights = {"weights_initializer": ones}

    def twice():
        first = of.optimize_loss(
            tf.get_variable("w", initializer=2.0) ** 2,
            tf.train.create_global_step(),
            tf.constant(0.5),
            "SGD",
        )
        return first

    return {
        "pool": lambda: of.pool(images(), 2, "MAX"),
        "pool options": lambda: of.pool(
            images(), [2, 1], "AVG", "SAME", stride=[1, 2], scope="mine", outputs_collections="out"
        ),
        "pool rates": lambda: of.pool(images(), 2, "MAX", dilation_rate=2, padding="VALID"),
        "pool of rank three": lambda: of.pool(images()[0], 2, "AVG"),
        "pool of rank two": lambda: of.pool(x(), 2, "AVG"),
        "pool of no rank": lambda: of.pool(loose(_IMAGES), 2, "AVG"),
        "pool of three sizes": lambda: of.pool(images(), [2, 2, 2], "AVG"),
        "pool of no size": lambda: of.pool(images(), 0, "AVG"),
        "pool of a text": lambda: of.pool(images(), "ab", "AVG"),
        "pool of sizes of texts": lambda: of.pool(images(), ["a", "b"], "AVG"),
        "two sizes of three": lambda: of.conv2d_in_plane(images(), [1, 2, 3]),
        "two sizes of a shape": lambda: of.conv2d_in_plane(
            images(), tf.TensorShape([2, 1]), **weights
        ),
        "two sizes of a text": lambda: of.conv2d_in_plane(images(), "two"),
        "plane of unknown channels": lambda: of.conv2d_in_plane(ranked(_IMAGES), 2),
        "plane of no rank": lambda: of.conv2d_in_plane(loose(_IMAGES), 2),
        "separable of unknown channels": lambda: of.separable_conv2d(ranked(_IMAGES), None, 2, 1),
        "separable without points": lambda: of.separable_conv2d(
            images(),
            None,
            [2, 1],
            2,
            [2, 2],
            "VALID",
            biases_initializer=None,
            scope="mine",
            variables_collections={"weights": ["mine"]},
            trainable=False,
            **weights,
        ),
        "separable, its points": lambda: of.separable_conv2d(
            images(),
            2,
            2,
            1,
            rate=2,
            pointwise_initializer=tf.zeros_initializer(),
            normalizer_fn=of.bias_add,
            normalizer_params={"initializer": ones},
            **weights,
        ),
        "bias of unknown channels": lambda: of.bias_add(ranked(_IMAGES)),
        "convolution of rank two": lambda: of.convolution(x(), 2, 2),
        "softmax of no rank": lambda: of.softmax(loose(_X)),
        "softmax of unknown sizes": lambda: of.softmax(ranked(_IMAGES)),
        "maxout of unknown sizes": lambda: of.maxout(ranked(_IMAGES)[:, :, :, :2], 1),
        "maxout of an unknown batch": lambda: of.maxout(
            tf.placeholder_with_default(_X, [None, 3]), 1
        ),
        "unit norm of no rank": lambda: of.unit_norm(loose(_X), 0),
        "legacy of no rank": lambda: of.legacy_fully_connected(loose(_X), 2),
        "legacy of a vector": lambda: of.legacy_fully_connected(tf.ones([3]), 2),
        "legacy of unknown size": lambda: of.legacy_fully_connected(ranked(_X), 2),
        "bow of nothing": lambda: of.bow_encoder([[0]], 0, 2),
        "bow of sparse": lambda: of.bow_encoder(
            tf.SparseTensor([[0, 0], [1, 1]], tf.constant([0, 1], tf.int64), [2, 2]),
            3,
            2,
            initializer=ones,
        ),
        "bow of sparse as dense": lambda: of.bow_encoder(
            tf.SparseTensor([[0, 0]], [0], [1, 1]), 3, 2, sparse_lookup=False, initializer=ones
        ),
        "bow again": lambda: [
            of.bow_encoder([[0, 1]], 3, 2, scope="b", initializer=ones),
            of.bow_encoder([[1, 2]], 3, 2, scope="b", reuse=True),
        ],
        "embedded again": lambda: [
            of.embed_sequence([[0, 1]], 3, 2, scope="b", initializer=ones),
            of.embed_sequence([[1, 2]], scope="b", reuse=True),
            of.embed_sequence([[1, 2]], embed_dim=2, scope="b", reuse=True),
        ],
        "places": lambda: of.spatial_softmax(images(), 0.5, "mine", {"temperature": ["mine"]}),
        "places, channels first": lambda: of.spatial_softmax(
            images(), data_format="NCHW", trainable=False, variables_collections=["mine"]
        ),
        "places, another format": lambda: of.spatial_softmax(images(), data_format="none"),
        "places of unknown channels": lambda: of.spatial_softmax(ranked(_IMAGES)),
        "places of an unknown size": lambda: of.spatial_softmax(
            tf.placeholder_with_default(_IMAGES, [None, None, None, 3])
        ),
        "sequences, another format": lambda: of.images_to_sequence(images(), "none"),
        "images of a sequence": lambda: of.sequence_to_images(
            tf.placeholder_with_default(np.ones([4, 8, 3], "f"), [4, None, 3]), 4
        ),
        "scaled of no size": lambda: of.variance_scaling_initializer(seed=3)([]),
        "scaled of integers": lambda: of.variance_scaling_initializer(seed=3)([2], dtype=tf.int32),
        "safe of parts": lambda: of.safe_embedding_lookup_sparse(
            tf.get_variable(
                "parts", [4, 1], partitioner=tf.fixed_size_partitioner(2), initializer=ones
            ),
            tf.SparseTensor([[0, 0], [1, 0]], tf.constant([3, 0], tf.int64), [3, 1]),
        ),
        "dense to sparse": lambda: (
            list(of.dense_to_sparse(tf.constant([[0, 3], [5, 0]], tf.int64), None))[0].values
        ),
        "trained by a tensor's rate": twice,
        "activations of none": lambda: of.summarize_activations(),
        "reversible of partial functions": lambda: of.rev_block(
            x(), x() * 2, functools.partial(tf.multiply, 0.5), functools.partial(tf.add, 1.0), 2
        ),
        "stack of partial functions": lambda: of.stack(
            x(), functools.partial(of.fully_connected, weights_initializer=ones), [2, 1]
        ),
        "repeat of partial functions": lambda: of.repeat(
            x(), 2, functools.partial(of.fully_connected, weights_initializer=ones), 2
        ),
    }


def _part(made, number):
    """A scene of every third case."""

    def scene(tf, stage):
        _tried(tf, stage, list(made(tf).items())[number::3])

    scene.__module__ = __name__
    return scene


for _n in range(3):
    globals()[f"norms_made_of_parts_{_n}"] = _part(_norms, _n)
    globals()[f"sizes_refused_{_n}"] = _part(_sizes, _n)
