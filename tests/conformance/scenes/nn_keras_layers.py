"""Keras layers: options, configs and copies, shapes, masks, unknown sizes, errors, graphs."""

import numpy as np


def _data(shape, dtype=np.float32):
    count = int(np.prod(shape))
    return ((np.arange(count) % 7 - 2.0) / 4).astype(dtype).reshape(shape)


def _plain(value):
    """A config value; nested layers reduced to their names."""
    if isinstance(value, dict):
        return {key: _plain(value[key]) for key in sorted(value)}
    if isinstance(value, (list, tuple)):
        return [_plain(item) for item in value]
    return value


def _of_layers(cases):
    """A scene: each layer rebuilt from its config, and called on a known or, alternately, an unknown batch."""

    def scene(tf, stage):
        for number, (name, (make, shape)) in enumerate(cases.items()):
            with tf.Graph().as_default(), tf.Session() as session, stage.failing():
                tf.set_random_seed(1)
                stage.say("=", name)
                layer = make(tf.keras.layers)
                shapes = shape if isinstance(shape, list) else [shape]
                data = [_data(each) for each in shapes]
                if number % 2:
                    given = [tf.constant(each) for each in data]
                else:
                    pairs = zip(data, shapes)
                    given = [tf.placeholder_with_default(d, [None, *s[1:]]) for d, s in pairs]
                config = layer.get_config()
                stage.say(_plain(config))
                copy = type(layer).from_config(config)
                found = []
                with stage.failing():
                    found = copy(given if isinstance(shape, list) else given[0])
                    stage.say([str(x.shape) for x in tf.nest.flatten(found)], copy.input_spec)
                stage.say([(w.name, str(w.shape), w.trainable) for w in copy.weights])
                with stage.failing():
                    sizes = [tf.TensorShape([None, *s[1:]]) for s in shapes]
                    stage.say(
                        copy.compute_output_shape(sizes if isinstance(shape, list) else sizes[0])
                    )
                stage.attempt(lambda: layer.compute_mask(given[0], None))  # noqa: B023  called here
                stage.say(layer.supports_masking, copy.built)
                session.run(tf.global_variables_initializer())
                stage.attempt(session.run, found)
                stage.brief_graph(names=False)

    scene.__module__ = __name__
    return scene


_W = {"kernel_initializer": "ones"}
dense = _of_layers(
    {
        "plain": (lambda k: k.Dense(2, **_W), (2, 3)),
        "of three": (lambda k: k.Dense(2, "relu", kernel_initializer="ones"), (2, 2, 3)),
        "no bias": (lambda k: k.Dense(2, use_bias=False, activation="tanh", **_W), (2, 3)),
        "all": (
            lambda k: k.Dense(
                2,
                activation="softmax",
                bias_initializer="ones",
                kernel_regularizer="l2",
                bias_regularizer="l1",
                activity_regularizer="l2",
                kernel_constraint="max_norm",
                bias_constraint="non_neg",
                name="d",
                **_W,
            ),
            (2, 3),
        ),
        "text": (lambda k: k.Dense("2"), (2, 3)),
        "vector": (lambda k: k.Dense(2), (3,)),
        "half": (lambda k: k.Dense(2, dtype="float64", **_W), (2, 3)),
        "input": (lambda k: k.Dense(2, input_shape=(3,), **_W), (2, 3)),
        "input_dim": (lambda k: k.Dense(2, input_dim=3, batch_size=4, **_W), (4, 3)),
        "unknown": (lambda k: k.Dense(2, size=3), (2, 3)),
        "activation": (lambda k: k.Activation("elu"), (2, 3)),
        "activation_wrong": (lambda k: k.Activation("no"), (2, 3)),
        "flatten": (lambda k: k.Flatten(), (2, 3, 2)),
        "flatten_first": (lambda k: k.Flatten("channels_first"), (2, 3, 2, 1)),
        "flatten_vector": (lambda k: k.Flatten(), (3,)),
        "reshape": (lambda k: k.Reshape((3, -1)), (2, 2, 6)),
        "reshape_known": (lambda k: k.Reshape((6,)), (2, 2, 3)),
        "reshape_wrong": (lambda k: k.Reshape((5, -1)), (2, 2, 3)),
        "reshape_other": (lambda k: k.Reshape((5,)), (2, 2, 3)),
        "permute": (lambda k: k.Permute((2, 1)), (2, 2, 3)),
        "permute_wrong": (lambda k: k.Permute((2, 3)), (2, 2, 3)),
        "permute_rank": (lambda k: k.Permute((1, 3, 2)), (2, 2, 3)),
        "repeat": (lambda k: k.RepeatVector(3), (2, 3)),
        "repeat_rank": (lambda k: k.RepeatVector(3), (2, 3, 1)),
        "masking": (lambda k: k.Masking(0.5), (2, 3, 2)),
        "regularization": (lambda k: k.ActivityRegularization(0.5, 0.25), (2, 3)),
        "leaky": (lambda k: k.LeakyReLU(0.5), (2, 3)),
        "leaky_default": (lambda k: k.LeakyReLU(), (2, 3)),
        "prelu": (lambda k: k.PReLU(alpha_initializer="ones", alpha_regularizer="l2"), (2, 3)),
        "prelu_shared": (
            lambda k: k.PReLU("ones", shared_axes=[1], alpha_constraint="non_neg"),
            (2, 3, 2),
        ),
        "prelu_shared_one": (lambda k: k.PReLU(shared_axes=2), (2, 3, 2)),
        "elu": (lambda k: k.ELU(0.5), (2, 3)),
        "thresholded": (lambda k: k.ThresholdedReLU(0.25), (2, 3)),
        "relu": (lambda k: k.ReLU(0.5, 0.1, 0.2), (2, 3)),
        "relu_default": (lambda k: k.ReLU(), (2, 3)),
        "relu_negative": (lambda k: k.ReLU(max_value=-1.0), (2, 3)),
        "relu_slope": (lambda k: k.ReLU(negative_slope=-1.0), (2, 3)),
        "softmax": (lambda k: k.Softmax(axis=1), (2, 3, 2)),
        "softmax_default": (lambda k: k.Softmax(), (2, 3)),
        "embedding": (lambda k: k.Embedding(5, 2, embeddings_initializer="ones"), (2, 3)),
        "embedding_all": (
            lambda k: k.Embedding(
                5,
                2,
                "ones",
                embeddings_regularizer="l2",
                activity_regularizer="l1",
                embeddings_constraint="unit_norm",
                mask_zero=True,
                input_length=3,
            ),
            (2, 3),
        ),
        "embedding_length": (lambda k: k.Embedding(5, 2, "ones", input_length=4), (2, 3)),
        "embedding_lengths": (lambda k: k.Embedding(5, 2, "ones", input_length=(3, 2)), (2, 3, 2)),
        "embedding_ranks": (lambda k: k.Embedding(5, 2, "ones", input_length=(3, 2)), (2, 3)),
        "upsampling_1": (lambda k: k.UpSampling1D(3), (2, 2, 2)),
        "upsampling_2": (lambda k: k.UpSampling2D((2, 1)), (1, 2, 2, 1)),
        "upsampling_2_between": (
            lambda k: k.UpSampling2D(2, interpolation="bilinear"),
            (1, 2, 2, 1),
        ),
        "upsampling_2_first": (lambda k: k.UpSampling2D(2, "channels_first"), (1, 1, 2, 2)),
        "upsampling_2_wrong": (lambda k: k.UpSampling2D(2, interpolation="cubic"), (1, 2, 2, 1)),
        "upsampling_3": (lambda k: k.UpSampling3D((1, 2, 3)), (1, 2, 1, 1, 1)),
        "upsampling_3_first": (lambda k: k.UpSampling3D(2, "channels_first"), (1, 1, 1, 2, 1)),
        "padding_1": (lambda k: k.ZeroPadding1D((1, 2)), (1, 2, 1)),
        "padding_2": (lambda k: k.ZeroPadding2D(((1, 0), (2, 1))), (1, 1, 2, 1)),
        "padding_2_pair": (
            lambda k: k.ZeroPadding2D((1, 2), data_format="channels_first"),
            (1, 1, 2, 1),
        ),
        "padding_2_wrong": (lambda k: k.ZeroPadding2D((1, 2, 3)), (1, 1, 2, 1)),
        "padding_2_wrong_pair": (lambda k: k.ZeroPadding2D(((1, 2, 3), 1)), (1, 1, 2, 1)),
        "padding_3": (lambda k: k.ZeroPadding3D(((0, 1), (1, 0), (0, 0))), (1, 1, 2, 1, 1)),
        "padding_3_first": (
            lambda k: k.ZeroPadding3D(1, data_format="channels_first"),
            (1, 1, 1, 1, 1),
        ),
        "padding_3_wrong": (lambda k: k.ZeroPadding3D("a"), (1, 1, 1, 1, 1)),
        "cropping_1": (lambda k: k.Cropping1D((1, 2)), (1, 5, 1)),
        "cropping_1_end": (lambda k: k.Cropping1D((1, 0)), (1, 5, 1)),
        "cropping_2": (lambda k: k.Cropping2D(((1, 0), (0, 1))), (1, 3, 3, 1)),
        "cropping_2_both": (lambda k: k.Cropping2D(1), (1, 3, 4, 1)),
        "cropping_2_first": (lambda k: k.Cropping2D((0, 1), "channels_first"), (1, 1, 3, 3)),
        "cropping_2_wrong": (lambda k: k.Cropping2D((1, 1, 1)), (1, 3, 3, 1)),
        "cropping_3": (lambda k: k.Cropping3D(((0, 1), (1, 1), (1, 0))), (1, 2, 3, 2, 1)),
        "cropping_3_first": (lambda k: k.Cropping3D(1, "channels_first"), (1, 1, 3, 4, 3)),
        "cropping_3_ends": (lambda k: k.Cropping3D(((1, 0), (0, 1), (0, 0))), (1, 2, 2, 2, 1)),
    }
)


def _k(kind, *given, **options):
    options.setdefault("kernel_initializer", "ones")
    return lambda k: getattr(k, kind)(*given, **options)


_DEPTHS = {"depthwise_initializer": "ones"}
_BOTH = {"pointwise_initializer": "ones", **_DEPTHS}


def _plainly(kind, *given, **options):
    return lambda k: getattr(k, kind)(*given, **options)


convolutions = _of_layers(
    {
        "conv_1": (_k("Conv1D", 2, 2), (1, 4, 2)),
        "conv_1_causal": (_k("Conv1D", 2, 2, padding="causal", dilation_rate=2), (1, 5, 1)),
        "conv_1_strides": (_k("Conv1D", 2, 3, 2, "same", activation="relu"), (1, 5, 1)),
        "conv_1_first": (_k("Conv1D", 1, 2, data_format="channels_first"), (1, 1, 4)),
        "conv_1_wrong": (_k("Conv1D", 1, (2, 2)), (1, 4, 1)),
        "conv_1_both": (_k("Conv1D", 1, 2, strides=2, dilation_rate=2), (1, 6, 1)),
        "conv_2": (_k("Conv2D", 2, (2, 1), use_bias=False), (1, 3, 3, 2)),
        "conv_2_dilated": (_k("Conv2D", 1, 2, dilation_rate=(2, 1)), (1, 4, 3, 1)),
        "conv_2_same": (_k("Conv2D", 1, 3, (2, 1), "SAME"), (1, 4, 3, 1)),
        "conv_2_first": (_k("Conv2D", 1, 2, data_format="channels_first"), (1, 2, 3, 3)),
        "conv_2_causal": (_k("Conv2D", 1, 2, padding="causal"), (1, 3, 3, 1)),
        "conv_2_padding": (_k("Conv2D", 1, 2, padding="half"), (1, 3, 3, 1)),
        "conv_2_format": (_k("Conv2D", 1, 2, data_format="NHWC"), (1, 3, 3, 1)),
        "conv_2_rank": (_k("Conv2D", 1, 2), (1, 3, 3)),
        "conv_2_large": (_k("Conv2D", 1, 4), (1, 3, 3, 1)),
        "conv_2_regular": (
            _k(
                "Conv2D",
                1,
                2,
                kernel_regularizer="l2",
                bias_regularizer="l2",
                activity_regularizer="l1",
            ),
            (1, 3, 3, 1),
        ),
        "conv_2_constrained": (
            _k("Conv2D", 1, 2, kernel_constraint="unit_norm", bias_constraint="non_neg"),
            (1, 3, 3, 1),
        ),
        "conv_3": (_k("Conv3D", 1, (1, 2, 1), (1, 1, 2)), (1, 2, 2, 3, 1)),
        "conv_3_same": (_k("Conv3D", 2, 2, padding="same", activation="tanh"), (1, 2, 2, 2, 1)),
        "conv_3_first": (_k("Conv3D", 1, 1, data_format="channels_first"), (1, 1, 2, 2, 1)),
        "turned_2": (_k("Conv2DTranspose", 1, 2), (1, 2, 2, 1)),
        "turned_2_strides": (_k("Conv2DTranspose", 2, (3, 2), (2, 3), "same"), (1, 2, 2, 2)),
        "turned_2_valid": (_k("Conv2DTranspose", 1, 2, strides=3), (1, 2, 2, 1)),
        "turned_2_more": (_k("Conv2DTranspose", 1, 3, 2, output_padding=1), (1, 2, 2, 1)),
        "turned_2_same_more": (
            _k("Conv2DTranspose", 1, 3, 2, padding="same", output_padding=(1, 0)),
            (1, 2, 2, 1),
        ),
        "turned_2_too_much": (_k("Conv2DTranspose", 1, 3, 2, output_padding=2), (1, 2, 2, 1)),
        "turned_2_dilated": (_k("Conv2DTranspose", 1, 2, dilation_rate=2), (1, 2, 2, 1)),
        "turned_2_rank": (_k("Conv2DTranspose", 1, 2), (2, 2, 1)),
        "turned_3": (_k("Conv3DTranspose", 1, 2, activation="relu"), (1, 1, 2, 1, 1)),
        "turned_3_strides": (_k("Conv3DTranspose", 1, 2, (1, 2, 3), "same"), (1, 2, 1, 1, 1)),
        "turned_3_more": (_k("Conv3DTranspose", 1, 3, 2, output_padding=1), (1, 1, 1, 1, 1)),
        "turned_3_rank": (_k("Conv3DTranspose", 1, 2), (1, 2, 2, 1)),
        "separable_1": (_plainly("SeparableConv1D", 2, 2, depth_multiplier=2, **_BOTH), (1, 4, 2)),
        "separable_1_causal": (
            _plainly("SeparableConv1D", 1, 2, padding="causal", **_BOTH),
            (1, 3, 1),
        ),
        "separable_1_first": (
            _plainly("SeparableConv1D", 1, 2, data_format="channels_first", **_BOTH),
            (1, 1, 3),
        ),
        "separable_2": (
            _plainly("SeparableConv2D", 2, 2, activation="relu", **_BOTH),
            (1, 3, 3, 2),
        ),
        "separable_2_same": (
            _plainly("SeparableConv2D", 1, 3, 2, "same", use_bias=False, **_BOTH),
            (1, 3, 4, 1),
        ),
        "separable_2_dilated": (
            _plainly("SeparableConv2D", 1, 2, dilation_rate=2, depth_multiplier=2, **_BOTH),
            (1, 3, 4, 1),
        ),
        "separable_2_regular": (
            _plainly(
                "SeparableConv2D",
                1,
                1,
                depthwise_regularizer="l1",
                pointwise_regularizer="l2",
                depthwise_constraint="non_neg",
                pointwise_constraint="unit_norm",
                **_BOTH,
            ),
            (1, 2, 2, 1),
        ),
        "depthwise": (_plainly("DepthwiseConv2D", 2, depth_multiplier=2, **_DEPTHS), (1, 3, 3, 2)),
        "depthwise_same": (
            _plainly("DepthwiseConv2D", (2, 3), 2, "same", use_bias=False, **_DEPTHS),
            (1, 3, 3, 1),
        ),
        "depthwise_rank": (_plainly("DepthwiseConv2D", 2), (1, 3, 3)),
        "depthwise_regular": (
            _plainly(
                "DepthwiseConv2D",
                1,
                depthwise_regularizer="l1",
                bias_regularizer="l2",
                depthwise_constraint="non_neg",
                activation="tanh",
                **_DEPTHS,
            ),
            (1, 2, 2, 1),
        ),
        "local_1": (_k("LocallyConnected1D", 2, 2), (1, 4, 1)),
        "local_1_strides": (_k("LocallyConnected1D", 1, 2, 2, activation="relu"), (1, 5, 2)),
        "local_1_sparse": (_k("LocallyConnected1D", 1, 2, implementation=2), (1, 4, 1)),
        "local_1_rows": (
            _k("LocallyConnected1D", 1, 2, implementation=3, padding="same"),
            (1, 3, 1),
        ),
        "local_1_same": (_k("LocallyConnected1D", 1, 2, padding="same"), (1, 4, 1)),
        "local_1_wrong": (_k("LocallyConnected1D", 1, 2, implementation=4), (1, 4, 1)),
        "local_1_first": (_k("LocallyConnected1D", 1, 2, data_format="channels_first"), (1, 1, 4)),
        "local_2": (_k("LocallyConnected2D", 2, 2, use_bias=False), (1, 3, 3, 1)),
        "local_2_sparse": (_k("LocallyConnected2D", 1, 2, implementation=2), (1, 3, 2, 1)),
        "local_2_same": (
            _k("LocallyConnected2D", 1, (2, 1), (1, 2), "same", implementation=3),
            (1, 2, 3, 1),
        ),
        "local_2_first": (
            _k("LocallyConnected2D", 1, 2, data_format="channels_first", kernel_regularizer="l2"),
            (1, 1, 3, 3),
        ),
    }
)
pooling = _of_layers(
    {
        f"{kind} {name}": (_plainly(kind + end, *given, **options), shape)
        for kind in ("MaxPooling", "AveragePooling")
        for name, end, given, options, shape in (
            ("1", "1D", (), {}, (1, 4, 2)),
            ("1 strides", "1D", (3, 2, "same"), {}, (1, 5, 1)),
            ("1 first", "1D", (2,), {"data_format": "channels_first"}, (1, 1, 4)),
            ("1 wrong", "1D", (2,), {"padding": "half"}, (1, 4, 1)),
            ("2", "2D", (), {}, (1, 4, 4, 1)),
            ("2 strides", "2D", ((2, 1), (1, 2), "same"), {}, (1, 3, 3, 1)),
            ("2 first", "2D", (2, 1), {"data_format": "channels_first"}, (1, 1, 3, 3)),
            ("2 rank", "2D", (), {}, (1, 4, 4)),
            ("3", "3D", (), {}, (1, 2, 2, 2, 1)),
            ("3 strides", "3D", ((1, 2, 1), (1, 1, 2), "same"), {}, (1, 2, 2, 3, 1)),
            ("3 first", "3D", (1,), {"data_format": "channels_first"}, (1, 1, 2, 1, 1)),
        )
    }
)
_made = {
    f"{kind}{rank} {order}": (_plainly(f"Global{kind}Pooling{rank}D", order), shape[: rank + 2])
    for kind in ("Max", "Average")
    for rank in (1, 2, 3)
    for order in (None, "channels_first", "channels_last")
    for shape in ((2, 3, 2, 1, 2),)
}
global_pooling = _of_layers(_made)
merging = _of_layers(
    {
        "add": (_plainly("Add"), [(2, 3), (2, 3), (2, 3)]),
        "add_one": (_plainly("Add"), [(2, 3)]),
        "add_broadcast": (_plainly("Add"), [(2, 1, 3), (2, 2, 1)]),
        "add_ranks": (_plainly("Add"), [(2, 3), (2, 2, 3)]),
        "add_wrong": (_plainly("Add"), [(2, 3), (2, 4)]),
        "add_batches": (_plainly("Add"), [(2, 3), (4, 3)]),
        "subtract": (_plainly("Subtract"), [(2, 3), (2, 3)]),
        "subtract_three": (_plainly("Subtract"), [(2, 3), (2, 3), (2, 3)]),
        "multiply": (_plainly("Multiply"), [(2, 3), (2, 3)]),
        "average": (_plainly("Average"), [(2, 3), (2, 3), (2, 3)]),
        "maximum": (_plainly("Maximum"), [(2, 3), (2, 1)]),
        "minimum": (_plainly("Minimum"), [(2, 3), (2, 3)]),
        "concatenate": (_plainly("Concatenate"), [(2, 3), (2, 1)]),
        "concatenate_axis": (_plainly("Concatenate", axis=1), [(2, 3, 2), (2, 1, 2)]),
        "concatenate_wrong": (_plainly("Concatenate", axis=1), [(2, 3, 2), (2, 1, 3)]),
        "concatenate_one": (_plainly("Concatenate"), [(2, 3)]),
        "concatenate_tensor": (_plainly("Concatenate"), (2, 3)),
        "dot": (_plainly("Dot", 1), [(2, 3), (2, 3)]),
        "dot_axes": (_plainly("Dot", (2, 1)), [(2, 3, 2), (2, 2, 3)]),
        "dot_normal": (_plainly("Dot", -1, normalize=True), [(2, 3), (2, 3)]),
        "dot_wrong": (_plainly("Dot", 1), [(2, 3), (2, 4)]),
        "dot_axis": (_plainly("Dot", "a"), [(2, 3), (2, 3)]),
        "dot_three": (_plainly("Dot", (1, 1, 1)), [(2, 3), (2, 3)]),
        "dot_inputs": (_plainly("Dot", 1), [(2, 3), (2, 3), (2, 3)]),
        "dot_tensor": (_plainly("Dot", 1), (2, 3)),
        "attention": (_plainly("Attention"), [(2, 2, 3), (2, 4, 3)]),
        "attention_scaled": (
            _plainly("Attention", use_scale=True),
            [(1, 2, 3), (1, 4, 3), (1, 4, 3)],
        ),
        "attention_causal": (_plainly("Attention", causal=True), [(1, 3, 2), (1, 3, 2)]),
        "attention_one": (_plainly("Attention"), [(1, 3, 2)]),
        "attention_tensor": (_plainly("Attention"), (1, 3, 2)),
        "additive": (_plainly("AdditiveAttention"), [(1, 2, 3), (1, 3, 3)]),
        "additive_plain": (
            _plainly("AdditiveAttention", use_scale=False, causal=True),
            [(1, 2, 3), (1, 2, 3)],
        ),
    }
)


def _normalization(*given, **options):
    return lambda k: k.BatchNormalization(*given, **options)


normalizations = _of_layers(
    {
        "plain": (_normalization(), (3, 2)),
        "images": (_normalization(), (1, 2, 2, 2)),
        "not_fused": (_normalization(fused=False), (1, 2, 2, 2)),
        "first": (_normalization(axis=1), (1, 2, 2, 2)),
        "second": (_normalization(axis=2), (1, 2, 2, 3)),
        "second_fused": (_normalization(axis=2, fused=True), (1, 2, 2, 3)),
        "axes": (_normalization(axis=[1, 2]), (2, 2, 3)),
        "axes_wrong": (_normalization(axis=[1, 1]), (2, 2, 3)),
        "axis_far": (_normalization(axis=4), (2, 3)),
        "axis_text": (_normalization(axis="a"), (2, 3)),
        "bare": (_normalization(center=False, scale=False), (3, 2)),
        "bare_fused": (_normalization(center=False, scale=False), (1, 2, 2, 2)),
        "options": (
            _normalization(
                momentum=0.5,
                epsilon=0.1,
                beta_initializer="ones",
                gamma_initializer="zeros",
                moving_mean_initializer="ones",
                moving_variance_initializer="zeros",
                beta_regularizer="l2",
                gamma_regularizer="l1",
                beta_constraint="non_neg",
                gamma_constraint="max_norm",
            ),
            (3, 2),
        ),
        "renorm": (
            _normalization(renorm=True, renorm_clipping={"rmax": 2.0, "rmin": 0.5, "dmax": 1.0}),
            (3, 2),
        ),
        "renorm_momentum": (_normalization(renorm=True, renorm_momentum=0.5), (1, 2, 2, 2)),
        "renorm_fused": (_normalization(renorm=True, fused=True), (1, 2, 2, 2)),
        "renorm_wrong": (_normalization(renorm=True, renorm_clipping={"max": 1.0}), (3, 2)),
        "virtual": (_normalization(virtual_batch_size=2), (4, 2)),
        "virtual_images": (_normalization(virtual_batch_size=1), (2, 2, 2, 1)),
        "virtual_fused": (_normalization(virtual_batch_size=2, fused=True), (4, 2, 2, 1)),
        "virtual_renorm": (_normalization(virtual_batch_size=2, renorm=True), (4, 2)),
        "adjusted": (_normalization(adjustment=lambda shape: (2.0, 1.0)), (3, 2)),
        "adjusted_fused": (
            _normalization(adjustment=lambda s: (2.0, 1.0), fused=True),
            (1, 2, 2, 2),
        ),
        "adjusted_virtual": (
            _normalization(adjustment=lambda s: (2.0, 1.0), virtual_batch_size=1),
            (2, 2),
        ),
        "not_trained": (_normalization(trainable=False), (3, 2)),
        "doubles": (_normalization(dtype="float64"), (3, 2)),
        "layer": (_plainly("LayerNormalization"), (2, 3)),
        "layer_axes": (
            _plainly("LayerNormalization", axis=[1, 2], epsilon=0.1, gamma_initializer="zeros"),
            (2, 3, 2),
        ),
        "layer_bare": (_plainly("LayerNormalization", center=False, scale=False), (2, 2, 3)),
        "layer_options": (
            _plainly(
                "LayerNormalization",
                axis=1,
                beta_initializer="ones",
                beta_regularizer="l2",
                gamma_regularizer="l1",
                beta_constraint="non_neg",
                gamma_constraint="max_norm",
            ),
            (2, 3, 2),
        ),
        "layer_far": (_plainly("LayerNormalization", axis=3), (2, 3)),
        "layer_text": (_plainly("LayerNormalization", axis="a"), (2, 3)),
        "layer_twice": (_plainly("LayerNormalization", axis=[1, -1]), (2, 3)),
    }
)
