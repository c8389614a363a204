"""Convolutions backwards and windows with the options that few programs give: dilations, formats, other names."""

import numpy as np


def _w(*shape, by=5, of=7, less=3):
    return (np.arange(int(np.prod(shape))) * by % of - less).astype("f").reshape(shape)


def _answers(tf, stage, cases):
    """Static shapes, attrs of the last op with windows, values."""
    for name, case in cases.items():
        with tf.Graph().as_default() as graph, tf.Session() as session:
            stage.say(name)
            with stage.failing():
                made = tf.nest.flatten(case())
                stage.say([str(x.shape) for x in made])
                for node in graph.as_graph_def().node:
                    if "strides" in node.attr:
                        attrs = node.attr
                        lists = [
                            list(attrs[k].list.i)
                            for k in ("strides", "dilations", "ksize", "explicit_paddings")
                        ]
                        stage.say(
                            node.name, node.op, lists, attrs["padding"].s, attrs["data_format"].s
                        )
                stage.say(session.run(made))


def transposed(tf, stage):
    nn = tf.nn
    one, two, three = _w(1, 4, 2), _w(1, 3, 4, 2), _w(1, 2, 3, 2, 2)
    f1, f2, f3 = _w(2, 3, 2), _w(2, 2, 3, 2), _w(2, 1, 2, 3, 2)
    fed = lambda *s: tf.placeholder(tf.float32, list(s))  # noqa: E731
    cases = {
        "one": lambda: nn.conv1d_transpose(one, f1, [1, 8, 3], 2),
        "one_dilated": lambda: nn.conv1d_transpose(one, f1, [1, 4, 3], 1, dilations=2),
        "one_dilated_list": lambda: nn.conv1d_transpose(
            one, f1, [1, 4, 3], [1, 1, 1], dilations=[1, 3, 1]
        ),
        "one_valid": lambda: nn.conv1d_transpose(one, f1, [1, 5, 3], 1, "VALID"),
        "one_format": lambda: nn.conv1d_transpose(one, f1, [1, 4, 3], 1, "SAME", "NXW"),
        "one_fed": lambda: nn.conv1d_transpose(fed(None, 4, 2), f1, [-1, 4, 3], 1),
        "two": lambda: nn.conv2d_transpose(two, f2, [1, 6, 8, 3], [1, 2, 2, 1]),
        "two_named": lambda: nn.conv2d_transpose(
            input=two, filters=f2, output_shape=[1, 6, 8, 3], strides=2, name="own"
        ),
        "two_both": lambda: nn.conv2d_transpose(two, f2, [1, 6, 8, 3], 2, input=two),
        "two_filters": lambda: nn.conv2d_transpose(two, f2, [1, 6, 8, 3], 2, filters=f2),
        "two_none": lambda: nn.conv2d_transpose(two, None, [1, 6, 8, 3], 2),
        "two_dilated": lambda: nn.conv2d_transpose(two, f2, [1, 3, 4, 3], 1, dilations=2),
        "two_dilated_pair": lambda: nn.conv2d_transpose(two, f2, [1, 3, 4, 3], 1, dilations=[1, 2]),
        "two_strides": lambda: nn.conv2d_transpose(two, f2, [1, 6, 4, 3], [2, 1]),
        "two_strides_three": lambda: nn.conv2d_transpose(two, f2, [1, 6, 4, 3], [2, 1, 1]),
        "two_valid": lambda: nn.conv2d_transpose(two, f2, [1, 4, 5, 3], 1, "VALID"),
        "two_wrong": lambda: nn.conv2d_transpose(two, f2, [1, 5, 5, 3], 1, "VALID"),
        "two_format": lambda: nn.conv2d_transpose(two, f2, [1, 3, 4, 3], 1, "SAME", "HW"),
        "two_padding": lambda: nn.conv2d_transpose(two, f2, [1, 3, 4, 3], 1, "FULL"),
        "two_explicit": lambda: nn.conv2d_transpose(
            two, f2, [1, 4, 5, 3], 1, [[0, 0], [0, 0], [0, 0], [0, 0]]
        ),
        "two_fed": lambda: nn.conv2d_transpose(fed(None, 3, 4, 2), f2, [-1, 3, 4, 3], 1),
        "two_v2": lambda: tf.compat.v2.nn.conv2d_transpose(
            two, f2, [1, 3, 4, 3], 1, "SAME", "NHWC", [1, 2]
        ),
        "three": lambda: nn.conv3d_transpose(three, f3, [1, 2, 3, 2, 3], [1, 1, 1, 1, 1]),
        "three_strides": lambda: nn.conv3d_transpose(three, f3, [1, 4, 3, 4, 3], [1, 2, 1, 2, 1]),
        "three_dilated": lambda: nn.conv3d_transpose(
            three, f3, [1, 2, 3, 2, 3], [1] * 5, dilations=[1, 1, 2, 1, 1]
        ),
        "three_named": lambda: nn.conv3d_transpose(
            None, None, [1, 2, 3, 2, 3], [1] * 5, input=three, filters=f3
        ),
        "three_v2": lambda: tf.compat.v2.nn.conv3d_transpose(three, f3, [1, 2, 3, 2, 3], 1),
        "any_one": lambda: nn.conv_transpose(one, f1, [1, 8, 3], 2),
        "any_two": lambda: nn.conv_transpose(two, f2, [1, 3, 4, 3], 1, dilations=2, name="own"),
        "any_three": lambda: nn.conv_transpose(three, f3, [1, 2, 3, 2, 3], 1, "SAME", "NDHWC"),
        "any_four": lambda: nn.conv_transpose(_w(1, 1, 1, 1, 1, 2), f3, [1] * 6, 1),
        "any_list": lambda: nn.conv_transpose(one, f1, 8, 2),
    }
    _answers(tf, stage, cases)


def backwards(tf, stage):
    nn, compat = tf.nn, tf.compat.v1.nn
    x, f = _w(1, 4, 5, 2), _w(2, 2, 2, 3)
    out = _w(1, 4, 5, 3, by=3)
    d, deep = _w(2, 2, 2, 2), _w(1, 4, 5, 4, by=3)
    cube, out3 = _w(1, 2, 3, 3, 2), _w(1, 2, 3, 3, 3, by=3)
    ones, wide = [1, 1, 1, 1], [1, 1, 2, 1]
    cases = {
        "input": lambda: nn.conv2d_backprop_input([1, 4, 5, 2], f, out, ones, "SAME"),
        "input_named": lambda: nn.conv2d_backprop_input(
            [1, 4, 5, 2], out_backprop=out, strides=1, padding="SAME", filters=f, name="own"
        ),
        "input_both": lambda: nn.conv2d_backprop_input(
            [1, 4, 5, 2], f, out, ones, "SAME", filters=f
        ),
        "input_dilated": lambda: nn.conv2d_backprop_input(
            [1, 4, 5, 2], f, out, ones, "SAME", dilations=wide
        ),
        "input_explicit": lambda: nn.conv2d_backprop_input(
            [1, 4, 5, 2], f, _w(1, 4, 5, 3), ones, [[0, 0], [1, 0], [0, 1], [0, 0]]
        ),
        "input_cudnn": lambda: nn.conv2d_backprop_input([1, 4, 5, 2], f, out, ones, "SAME", False),
        "input_shape": lambda: nn.conv2d_backprop_input([1, 4, 6, 2], f, out, ones, "SAME"),
        "filter": lambda: nn.conv2d_backprop_filter(x, [2, 2, 2, 3], out, ones, "SAME"),
        "filter_dilated": lambda: nn.conv2d_backprop_filter(
            x, [2, 2, 2, 3], out, 1, "SAME", dilations=[1, 2, 1, 1]
        ),
        "filter_dilated_pair": lambda: nn.conv2d_backprop_filter(
            x, [2, 2, 2, 3], out, 1, "SAME", dilations=[1, 2]
        ),
        "filter_explicit": lambda: nn.conv2d_backprop_filter(
            x, [2, 2, 2, 3], out, ones, [[0, 0], [0, 1], [1, 0], [0, 0]]
        ),
        "deep_input": lambda: nn.depthwise_conv2d_backprop_input(
            [1, 4, 5, 2], d, deep, ones, "SAME"
        ),
        "deep_input_dilated": lambda: nn.depthwise_conv2d_backprop_input(
            [1, 4, 5, 2], d, deep, ones, "SAME", "NHWC", wide
        ),
        "deep_input_first": lambda: nn.depthwise_conv2d_backprop_input(
            [1, 2, 4, 5], d, _w(1, 4, 4, 5), ones, "SAME", data_format="NCHW"
        ),
        "deep_filter": lambda: nn.depthwise_conv2d_backprop_filter(
            x, [2, 2, 2, 2], deep, ones, "SAME"
        ),
        "deep_filter_dilated": lambda: nn.depthwise_conv2d_backprop_filter(
            x, [2, 2, 2, 2], deep, ones, "SAME", dilations=wide
        ),
        "deep_native": lambda: nn.depthwise_conv2d_native(x, d, ones, "VALID", dilations=ones),
        "cube": lambda: compat.conv3d_backprop_filter(cube, [1, 2, 2, 2, 3], out3, [1] * 5, "SAME"),
        "cube_dilated": lambda: compat.conv3d_backprop_filter_v2(
            cube, [1, 2, 2, 2, 3], out3, [1] * 5, "SAME", dilations=[1, 1, 2, 1, 1]
        ),
        "cube_first": lambda: compat.conv3d_backprop_filter(
            cube, [1, 2, 2, 2, 3], out3, [1] * 5, "SAME", data_format="NCDHW"
        ),
        "pool_first": lambda: nn.max_pool_v2(_w(1, 2, 4, 5), 2, 2, "SAME", "NCHW"),
        "pool": lambda: nn.max_pool_v2(x, 2, [1, 2], "VALID", name="own"),
        "pool_one": lambda: nn.max_pool_v2(_w(1, 6, 2), [3], 1, "SAME", "NWC"),
        "pool_format": lambda: nn.max_pool_v2(x, 2, 2, "SAME", "NWHC"),
        "pool_cube": lambda: nn.max_pool_v2(cube, 2, 2, "SAME"),
        "argmax": lambda: list(
            nn.max_pool_with_argmax(x, 2, 2, "SAME", "NHWC", tf.int32, include_batch_in_index=True)
        ),
        "argmax_first": lambda: list(nn.max_pool_with_argmax(x, 2, 2, "SAME", "NCHW")),
        "average_first": lambda: nn.avg_pool_v2(_w(1, 2, 4, 5), 2, 2, "SAME", "NCHW"),
        "any": lambda: nn.pool(x, [2, 3], "AVG", "SAME", [2, 1], [1, 1]),
        "any_dilated": lambda: nn.pool(x, [2, 2], "MAX", "VALID", [2, 1]),
        "any_both": lambda: nn.pool(x, [2, 2], "MAX", "VALID", [2, 1], [2, 1]),
        "any_kind": lambda: nn.pool(x, [2, 2], "MIN", "VALID"),
        "any_first": lambda: nn.pool(_w(1, 2, 4, 5), [2, 2], "MAX", "SAME", data_format="NCHW"),
        "any_v2": lambda: tf.compat.v2.nn.pool(
            x, [2, 2], "AVG", [1, 2], "VALID", None, None, "own"
        ),
        "convolution": lambda: nn.convolution(x, f, "VALID", [1, 2]),
        "convolution_dilated": lambda: nn.convolution(x, f, "SAME", dilation_rate=[2, 1]),
        "convolution_both": lambda: nn.convolution(x, f, "SAME", [2, 2], [2, 1]),
        "convolution_few": lambda: nn.convolution(x, f, "SAME", [2]),
        "with_space": lambda: nn.with_space_to_batch(
            x,
            [2, 2],
            "SAME",
            lambda y, spatial, padding: nn.conv2d(y, f, 1, padding),
            filter_shape=[2, 2],
        ),
        "separable": lambda: nn.separable_conv2d(x, d, _w(1, 1, 4, 3), ones, "SAME", rate=[1, 2]),
        "separable_first": lambda: nn.separable_conv2d(
            _w(1, 2, 4, 5), d, _w(1, 1, 4, 3), ones, "SAME", data_format="NCHW"
        ),
        "atrous": lambda: nn.atrous_conv2d(x, f, 2, "VALID"),
        "atrous_back": lambda: nn.atrous_conv2d_transpose(
            out, _w(2, 2, 2, 3), [1, 4, 5, 2], 2, "SAME"
        ),
        "eroded": lambda: nn.erosion2d(x, _w(2, 2, 2), ones, [1, 2, 2, 1], "SAME"),
        "dilated": lambda: (
            nn.dilation2d(x, _w(2, 2, 2), [1, 2, 1, 1], [1, 1, 2, 1], "VALID")
            if hasattr(nn, "dilation2d")
            else 0
        ),
    }
    _answers(tf, stage, cases)
