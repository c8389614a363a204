"""Layers, cells and losses in float64, float16 and integers: dtypes of outputs, weights and gradients."""

import numpy as np

from tests.conformance.scenes import eager_mode


def _numbers(*shape):
    return ((np.arange(int(np.prod(shape))) * 5 % 11 - 3.0) / 8 + 1e-3).reshape(shape)


def _rounded(value):
    """Values without rounding residues of zero sums, or their signs."""
    if isinstance(value, (list, tuple)):
        return [_rounded(one) for one in value]
    if value is None:
        return None
    value = value if isinstance(value, (np.ndarray, np.generic)) else value.numpy()
    return np.round(value, 9) + np.array(0, value.dtype)


def _of_dtypes(cases, dtypes=("float64", "float16")):
    """A scene: each layer called on numbers of each dtype, in graph and eager mode, with its gradients."""

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
                    if dtype == "float64":  # float16 is rounded in another order
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
