"""Layers, cells and losses computed with doubles, halves and integers: dtypes of outputs, weights and gradients."""

import numpy as np

from tests.conformance.scenes import eager_mode


def _numbers(*shape):
    return ((np.arange(int(np.prod(shape))) * 5 % 11 - 3.0) / 8 + 1e-3).reshape(shape)


def _rounded(value):
    """Values without what is left of a sum that is 0, or its sign."""
    if isinstance(value, (list, tuple)):
        return [_rounded(one) for one in value]
    if value is None:
        return None
    value = value if isinstance(value, (np.ndarray, np.generic)) else value.numpy()
    return np.round(value, 9) + np.array(0, value.dtype)


def _of_dtypes(cases, dtypes=("float64", "float16")):
    """A scene: each layer called on numbers of each dtype, in a graph and in eager mode, with its gradients."""

    def scene(tf, stage):
        for name, (make, *shapes) in cases.items():
            for dtype in dtypes:
                with tf.Graph().as_default(), tf.Session() as session, stage.failing():
                    tf.set_random_seed(1)
                    np.random.seed(1)
                    stage.say("=", name, dtype)
                    layer = make(tf.keras.layers)
                    given = [tf.constant(_numbers(*s).astype(dtype)) for s in shapes]
                    found = layer(given if len(given) > 1 else given[0])
                    outputs = tf.nest.flatten(found)
                    stage.say(layer.dtype, [(str(x.dtype), str(x.shape)) for x in outputs])
                    stage.say([(w.name, str(w.dtype), str(w.shape)) for w in layer.weights])
                    slopes = tf.gradients([x * x for x in outputs], [*given, *layer.weights])
                    if dtype == "float64":  # halves are rounded in another order
                        session.run(tf.global_variables_initializer())
                        known = [s for s in slopes if s is not None]
                        stage.say(*map(_rounded, session.run([outputs, known])))
                    stage.brief_graph(names=False)
            with tf.Graph().as_default(), eager_mode(tf), stage.failing():
                tf.set_random_seed(1)
                np.random.seed(1)
                layer = make(tf.keras.layers)
                given = [tf.constant(_numbers(*s)) for s in shapes]
                with tf.GradientTape() as tape:
                    tape.watch(given)
                    found = layer(given if len(given) > 1 else given[0])
                    total = [tf.reduce_sum(x * x) for x in tf.nest.flatten(found)]
                    total = tf.add_n(total)
                slopes = tape.gradient(total, [*given, *layer.trainable_weights])
                stage.say(_rounded(tf.nest.flatten(found)), _rounded(slopes))

    scene.__module__ = __name__
    return scene


_O = {"kernel_initializer": "ones"}
_R = {**_O, "recurrent_initializer": "ones"}
plain = _of_dtypes(
    {
        "dense": (lambda k: k.Dense(2, "tanh", bias_initializer="ones", **_O), (2, 3)),
        "dense of three": (lambda k: k.Dense(2, use_bias=False, **_O), (2, 2, 3)),
        "conv1d": (lambda k: k.Conv1D(2, 2, padding="causal", dilation_rate=2, **_O), (1, 4, 2)),
        "conv2d": (lambda k: k.Conv2D(1, (2, 1), (1, 2), "same", **_O), (1, 3, 3, 2)),
        "locally": (lambda k: k.LocallyConnected1D(1, 2, strides=2, **_O), (1, 4, 2)),
        "max": (lambda k: k.MaxPooling2D((2, 1), padding="same"), (1, 3, 2, 1)),
        "average": (lambda k: k.AveragePooling1D(2, 1, "same"), (1, 3, 2)),
        "global": (lambda k: k.GlobalAveragePooling1D(), (2, 3, 2)),
        "global max": (lambda k: k.GlobalMaxPooling2D(), (1, 2, 2, 2)),
        "padding": (lambda k: k.ZeroPadding1D((1, 0)), (1, 2, 2)),
        "cropping": (lambda k: k.Cropping2D(((1, 0), (0, 1))), (1, 3, 3, 1)),
        "up": (lambda k: k.UpSampling1D(2), (1, 2, 2)),
        "batch": (lambda k: k.BatchNormalization(momentum=0.5), (2, 3)),
        "prelu": (lambda k: k.PReLU(alpha_initializer="ones", shared_axes=[1]), (1, 2, 2)),
        "leaky": (lambda k: k.LeakyReLU(0.1), (2, 3)),
        "elu": (lambda k: k.ELU(0.5), (2, 3)),
        "relu": (lambda k: k.ReLU(0.5, 0.1, 0.2), (2, 3)),
        "thresholded": (lambda k: k.ThresholdedReLU(0.25), (2, 3)),
        "softmax": (lambda k: k.Softmax(1), (2, 3, 1)),
        "activation": (lambda k: k.Activation("hard_sigmoid"), (2, 3)),
        "selu": (lambda k: k.Activation("selu"), (2, 3)),
    }
)
normalized = _of_dtypes(
    {
        "layer": (lambda k: k.LayerNormalization(center=False), (2, 3)),
        "layer of axes": (lambda k: k.LayerNormalization([1, 2], 0.5, scale=False), (2, 2, 3)),
        "cosine": (lambda k: k.Dot(axes=1, normalize=True), (2, 3), (2, 3)),
        "additive": (lambda k: k.AdditiveAttention(), (1, 2, 2), (1, 3, 2), (1, 3, 2)),
        "batch of images": (lambda k: k.BatchNormalization(1, fused=False), (1, 2, 2, 2)),
    },
    ["float64"],
)
several = _of_dtypes(
    {
        "add": (lambda k: k.Add(), (2, 2), (2, 2), (2, 2)),
        "subtract": (lambda k: k.Subtract(), (2, 2), (2, 2)),
        "average": (lambda k: k.Average(), (2, 2), (2, 2)),
        "maximum": (lambda k: k.Maximum(), (2, 2), (2, 2)),
        "multiply": (lambda k: k.Multiply(), (2, 2), (2, 2)),
        "concatenate": (lambda k: k.Concatenate(axis=1), (2, 2), (2, 1)),
        "dot of axes": (lambda k: k.Dot((2, 1)), (1, 2, 3), (1, 3, 2)),
        "attention": (lambda k: k.Attention(causal=True), (1, 2, 2), (1, 3, 2)),
    }
)
recurrent = _of_dtypes(
    {
        "simple": (lambda k: k.SimpleRNN(2, return_state=True, **_R), (1, 3, 2)),
        "lstm": (lambda k: k.LSTM(1, unit_forget_bias=True, implementation=2, **_R), (1, 2, 2)),
        "gru": (lambda k: k.GRU(1, go_backwards=True, reset_after=True, **_R), (1, 2, 2)),
        "unrolled": (lambda k: k.LSTM(1, unroll=True, return_sequences=True, **_R), (1, 2, 2)),
        "both": (lambda k: k.Bidirectional(k.GRU(1, **_R), merge_mode="ave"), (1, 2, 2)),
        "distributed": (lambda k: k.TimeDistributed(k.Dense(1, **_O)), (1, 2, 2)),
        "cells": (lambda k: k.RNN([k.GRUCell(1, **_R), k.SimpleRNNCell(1, **_R)]), (1, 2, 2)),
    },
    ["float64"],
)


def convolutions(tf, stage):
    """Of `tf.layers` and `tf.nn` in doubles, with weights that differ and in every format that a CPU takes."""
    image = _numbers(1, 4, 3, 2)

    def x(shape=None, value=image):
        return tf.placeholder_with_default(value, shape or value.shape)

    def drawn():
        return tf.random_normal_initializer(seed=2)

    layers = tf.layers
    stage.each(
        {
            "conv1d": lambda: layers.conv1d(
                x((None, 4, 6), image.reshape(1, 4, 6)),
                *(2, 2, 1, "same", "channels_last", 2),
                kernel_initializer=drawn(),
                bias_initializer=drawn(),
                activation=tf.nn.relu,
            ),
            "conv2d": lambda: layers.conv2d(
                x((None, None, 3, 2)), 2, [3, 2], [1, 2], kernel_initializer=drawn(), use_bias=False
            ),
            "conv3d": lambda: layers.conv3d(
                x(None, image.reshape(1, 2, 2, 3, 2)), 1, (1, 2, 2), kernel_initializer=drawn()
            ),
            "transposed": lambda: layers.conv2d_transpose(
                x((None, 4, None, 2)), 2, 2, (2, 1), "same", kernel_initializer=drawn()
            ),
            "transposed three": lambda: layers.conv3d_transpose(
                x(None, image.reshape(1, 2, 2, 3, 2)), 1, 2, (1, 2, 1), kernel_initializer=drawn()
            ),
            "separable": lambda: layers.separable_conv2d(
                x((None, 4, 3, 2)),
                *(3, 2, 1, "same", "channels_last", (2, 1), 2),
                depthwise_initializer=drawn(),
                pointwise_initializer=drawn(),
            ),
            "pool one": lambda: layers.max_pooling1d(x(None, image.reshape(2, 4, 3)), 3, 1),
            "pool three": lambda: layers.average_pooling3d(
                x(None, image.reshape(1, 2, 2, 3, 2)), 2, 1, "same"
            ),
            "flatten": lambda: layers.flatten(x((None, 4, None, 2))),
            "dropout": lambda: layers.dropout(x(), 0.5, [1, 4, 1, 2], 3, training=True),
            "batch": lambda: layers.batch_normalization(
                x(), axis=1, momentum=0.5, epsilon=0.1, training=True
            ),
            "dense": lambda: layers.dense(
                x((None, None, 3, 2)),
                2,
                tf.nn.sigmoid,
                kernel_initializer=drawn(),
                kernel_constraint=tf.keras.constraints.NonNeg(),
                kernel_regularizer=tf.nn.l2_loss,
            ),
        }
    )


def measured(tf, stage):
    """Losses and metrics of doubles and integers, scalars and empty batches."""
    a, b = _numbers(2, 3), _numbers(3, 2).T

    def losses(function, *given, **options):
        return lambda: (
            getattr(tf.losses, function)(*[tf.constant(x) for x in given], **options),
            tf.add_n(tf.losses.get_losses()) if "loss_collection" not in options else (),
            tf.constant(len(tf.get_collection("mine"))),
        )

    cases = {}
    reductions = [*tf.losses.Reduction.all()][:4]
    for name in (
        *("absolute_difference", "mean_squared_error", "huber_loss", "log_loss", "hinge_loss"),
        *("sigmoid_cross_entropy", "softmax_cross_entropy", "mean_pairwise_squared_error"),
    ):
        cases[name] = losses(name, np.abs(a), np.abs(b))
        cases[name + " empty"] = losses(name, a[:0], b[:0])
        cases[name + " weights"] = losses(name, np.abs(a), np.abs(b), weights=[[0.5], [0.0]])
        if name != "mean_pairwise_squared_error":
            for reduction in sorted(reductions):
                cases[f"{name} {reduction}"] = losses(
                    name, (a > 0).astype(float), np.abs(b), weights=2.0, reduction=reduction
                )
    cases["cosine"] = losses("cosine_distance", a, b, 1, [[0.5], [2.0]])
    cases["sparse"] = losses("sparse_softmax_cross_entropy", [1, 2], b, weights=[0.0, 2.0])
    cases["kept"] = losses("absolute_difference", a, b, loss_collection="mine", scope="named")
    cases["not kept"] = lambda: (
        tf.losses.absolute_difference(a, b, loss_collection=None),
        tf.constant(len(tf.losses.get_losses())),
    )
    cases["weighted"] = lambda: tf.losses.compute_weighted_loss(
        tf.constant([1, 2]), [0.5, 0.25], "named"
    )
    with tf.Graph().as_default(), tf.Session() as session:
        made = {}
        for name, case in cases.items():
            stage.say(name)
            tf.get_default_graph().clear_collection("losses")
            with stage.failing():
                made[name] = case()
                stage.say([(str(x.dtype), str(x.shape)) for x in tf.nest.flatten(made[name])])
        for name, value in session.run(made).items():
            stage.say(name, value)
        stage.brief_graph(names=False)
    metrics = {
        "accuracy": ([1, 2, 3], [1, 2, 4]),
        "mean": (a,),
        "mean_tensor": (a,),
        "mean_absolute_error": (a, b),
        "mean_squared_error": (a, b),
        "root_mean_squared_error": (a, b),
        "mean_relative_error": (a, b, np.abs(a) + 1.0),
        "mean_cosine_distance": (a.astype("f"), b.astype("f"), 1),
        "percentage_below": (a, 0.1),
        "mean_iou": ([0, 1, 1], [0, 1, 0], 2),
        "mean_per_class_accuracy": ([0, 1, 1], [0, 1, 0], 3),
        "precision": ([1, 0, 1], [1, 1, 0]),
        "recall": ([1.0, 0.0, 1.0], [True, True, False]),
        "auc": ([1, 0, 1], np.array([0.75, 0.5, 0.25])),
        "true_positives": ([1, 0, 2], [1, 1, 0]),
        "false_negatives_at_thresholds": ([1, 0, 1], np.array([0.75, 0.5, 0.25]), (0.3, 0.6)),
        "sensitivity_at_specificity": ([1, 0, 1], np.array([0.75, 0.5, 0.25]), 0.5),
    }
    with tf.Graph().as_default(), tf.Session() as session:
        made = {}
        for name, given in metrics.items():
            with stage.failing():
                made[name] = getattr(tf.metrics, name)(
                    *[tf.constant(g) if isinstance(g, (list, np.ndarray)) else g for g in given],
                    metrics_collections=["kept", "both"],
                    updates_collections=["both"],
                    name="named_" + name,
                )
        session.run(tf.local_variables_initializer())
        stage.say([(v.name, str(v.dtype), str(v.shape)) for v in tf.local_variables()])
        values = {name: made[name][0] for name in made}
        for fetched in (values, {name: made[name][1] for name in made}, made, values):
            for name, value in session.run(fetched).items() if fetched is not made else ():
                stage.say(name, fetched[name].dtype, str(fetched[name].shape), value)
            if fetched is made:
                session.run([update for _, update in made.values()])
        stage.say(*session.run(tf.local_variables()))
        stage.say(*tf.get_collection("kept"))
        stage.say(*tf.get_collection("both"))
        stage.brief_graph(names=False)
