"""CTC and Keras's backend: options, ranks, formats, errors, graphs."""

import numpy as np


def ctc(tf, stage):
    logits = (np.arange(24, dtype=np.float32) % 7 / 4).reshape(4, 2, 3)

    def sparse():
        return tf.SparseTensor([[0, 0], [0, 1], [1, 0]], np.array([0, 1, 1], np.int32), [2, 2])

    def dense():
        return tf.constant([[1, 2], [2, 0]])

    def second(labels, major=True, **options):
        def run():
            x = tf.constant(logits if major else logits.transpose(1, 0, 2))
            lengths = options.pop("lengths", [2, 1])
            loss = tf.nn.ctc_loss_v2(labels(), x, lengths, [4, 3], major, **options)
            return loss, tf.gradients(loss, x)[0]

        return run

    def first(**options):
        def run():
            x = tf.constant(
                logits if options.get("time_major", True) else logits.transpose(1, 0, 2)
            )
            loss = tf.nn.ctc_loss(sparse(), x, [4, 3], **options)
            return loss, tf.gradients(loss, x)[0]

        return run

    def decoded(function, **options):
        return lambda: function(tf.constant(logits), tf.constant([4, 3]), **options)

    cases = {
        "first": first(),
        "first_batches": first(time_major=False),
        "first_plain": first(ctc_merge_repeated=False),
        "first_before": first(preprocess_collapse_repeated=True),
        "sparse": second(sparse, blank_index=-1),
        "sparse_zero": second(sparse, blank_index=0),
        "sparse_middle": second(sparse, blank_index=1),
        "sparse_none": second(sparse),
        "dense": second(dense, blank_index=0),
        "dense_none": second(dense),
        "dense_middle": second(lambda: tf.constant([[0, 2], [2, 0]]), blank_index=1),
        "dense_batches": second(dense, False, blank_index=0),
        "dense_unique": lambda: tf.nn.ctc_loss_v2(
            dense(), logits, [2, 1], [4, 3], unique=tf.nn.ctc_unique_labels(dense()), blank_index=0
        ),
        "collapsed": lambda: tf.nn.collapse_repeated(
            tf.constant([[1, 1, 2], [2, 1, 1]]), tf.constant([3, 2])
        ),
        "greedy": decoded(tf.nn.ctc_greedy_decoder),
        "greedy_all": decoded(tf.nn.ctc_greedy_decoder, merge_repeated=False),
        "beam": decoded(tf.nn.ctc_beam_search_decoder, beam_width=3, top_paths=2),
        "beam_all": decoded(tf.nn.ctc_beam_search_decoder, merge_repeated=False),
        "beam_v2": decoded(tf.nn.ctc_beam_search_decoder_v2, beam_width=2),
    }
    stage.each(cases, graph="sum")


def backend(tf, stage):
    k = tf.keras.backend
    x = [[1.0, -2.0], [3.0, 0.5]]

    def of(function, *given, **options):
        return lambda: getattr(k, function)(
            *[tf.constant(g) if isinstance(g, (list, np.ndarray)) else g for g in given], **options
        )

    image = np.arange(18, dtype=np.float32).reshape(1, 3, 3, 2) / 8
    ones = np.ones([2, 2, 2, 1], np.float32)
    cases = {
        "expand": of("expand_dims", x),
        "squeeze": of("squeeze", [[1.0], [2.0]], 1),
        "squeeze_wrong": of("squeeze", x, 1),
        "repeat": of("repeat", x, 2),
        "repeat_elements": of("repeat_elements", x, 2, axis=1),
        "tile": of("tile", x, 2),
        "tile_list": of("tile", x, [1, 2]),
        "arange": of("arange", 5, 1, -2),
        "arange_stop": of("arange", 3, dtype="float32"),
        "arange_negative": of("arange", -3),
        "one_hot": of("one_hot", [0, 2], 3),
        "reverse": of("reverse", x, 1),
        "reverse_list": of("reverse", x, [0, 1]),
        "stack": lambda: k.stack([tf.constant(x), tf.constant(x)], axis=-1),
        "permute": of("permute_dimensions", image, (0, 3, 1, 2)),
        "flatten": of("flatten", image),
        "batch_flatten": of("batch_flatten", image),
        "dot_ranks": of("dot", image, x),
        "dot_vector": of("dot", image, [1.0, 2.0]),
        "batch_dot": of("batch_dot", x, x, 1),
        "batch_dot_scalar": of("batch_dot", [1.0], [2.0]),
        "gather": of("gather", x, [1, 0]),
        "cumsum": of("cumsum", x, axis=1),
        "cumprod": of("cumprod", x),
        "var": of("var", x, axis=0, keepdims=True),
        "std": of("std", x),
        "any": of("any", x, axis=1),
        "all": of("all", x, axis=0, keepdims=True),
        "argmax": of("argmax", x, 0),
        "argmin": of("argmin", x),
        "logsumexp": of("logsumexp", x, axis=1) if hasattr(k, "logsumexp") else of("sum", x),
        "round": of("round", x),
        "pow": of("pow", x, 2),
        "sqrt": of("sqrt", x),
        "clip": of("clip", x, 0.0, 1.0),
        "clip_turned": of("clip", x, 2.0, 1.0),
        "clip_none": of("clip", x, 0.0, None) if hasattr(k, "clip") else None,
        "softmax": of("softmax", x, 0),
        "softsign": of("softsign", x),
        "normalize": of("l2_normalize", x, axis=1),
        "in_top": of("in_top_k", x, [0, 1], 1),
        "switch": of("switch", [True, False], x, [[0.0, 0.0], [0.0, 0.0]]),
        "switch_ranks": of("switch", [[True], [False]], x, [[0.0, 0.0], [0.0, 0.0]]),
        "normalized": of("normalize_batch_in_training", x, [1.0, 2.0], [0.0, 1.0], [0], 0.1),
        "batch": of(
            "batch_normalization", x, [0.0, 1.0], [1.0, 4.0], [0.0, 1.0], [1.0, 2.0], 1, 0.1
        ),
        "batch_images": of("batch_normalization", image, [0.0, 1.0], [1.0, 4.0], None, None),
        "crossentropy": of("categorical_crossentropy", [[0.0, 1.0]], [[0.25, 0.75]]),
        "crossentropy_logits": of("categorical_crossentropy", [[0.0, 1.0]], x, from_logits=True),
        "sparse": of("sparse_categorical_crossentropy", [1, 0], [[0.25, 0.75], [0.5, 0.5]]),
        "sparse_logits": of("sparse_categorical_crossentropy", [1, 0], x, from_logits=True),
        "sparse_axis": of("sparse_categorical_crossentropy", [[1, 0]], image[0][:, :1], axis=0),
        "binary_logits": of("binary_crossentropy", x, x, from_logits=True),
        "bias": of("bias_add", image, [1.0, 2.0]),
        "bias_three": of("bias_add", image[0], [1.0, 2.0]),
        "bias_many": of("bias_add", image, image[0]),
        "bias_first": of("bias_add", image[0], [1.0, 2.0, 3.0], "channels_first"),
        "bias_wrong": of("bias_add", image, [1.0, 2.0], "NHWC"),
        "bias_rank": of("bias_add", image, x),
        "conv": of("conv2d", image, ones, padding="same", strides=(2, 1)),
        "conv_wrong": of("conv2d", image, ones, padding="half"),
        "conv_1": of("conv1d", image[0], np.ones([2, 2, 1], np.float32), padding="causal"),
        "separable": of("separable_conv2d", image, ones, np.ones([1, 1, 2, 1], np.float32)),
        "depthwise": of("depthwise_conv2d", image, ones, padding="same")
        if hasattr(k, "depthwise_conv2d")
        else None,
        "turned": lambda: k.conv2d_transpose(
            tf.constant(image), np.ones([2, 2, 1, 2]), (1, 4, 4, 1)
        ),
        "pool": of("pool2d", image, (2, 2), (1, 2), "same", pool_mode="avg"),
        "pool_wrong": of("pool2d", image, (2, 2), pool_mode="min"),
        "local": of(
            "local_conv1d", image[0], np.ones([2, 4, 1], np.float32), (2,), (1,), "channels_last"
        ),
        "resize": of("resize_images", image, 2, 1, "channels_last"),
        "resize_wrong": of("resize_images", image, 2, 1, "NHWC"),
        "padding": of("spatial_2d_padding", image, ((1, 0), (0, 1))),
        "padding_first": of("spatial_2d_padding", image, data_format="channels_first"),
        "ones_like": of("ones_like", x, dtype="int32"),
        "variable_sparse": lambda: str(k.variable(np.float64(1.0)).dtype),
        "labels": of("ctc_label_dense_to_sparse", [[1, 2], [2, 0]], [2, 1]),
        "uniform": lambda: (
            k.random_uniform([2], 1, 5, "int32", 3),
            k.truncated_normal([2], seed=3),
        ),
        "dropout": of("dropout", x, 0.5, seed=2),
        "dropout_noise": of("dropout", x, 0.5, noise_shape=(2, 1), seed=2),
        "print": of("print_tensor", x, "said"),
        "cast": of("cast", x, "int32"),
    }
    stage.each({name: case for name, case in cases.items() if case}, graph="sum")
