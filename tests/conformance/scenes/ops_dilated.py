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
    cases = {
        "one_dilated": lambda: nn.conv1d_transpose(one, f1, [1, 4, 3], 1, dilations=2),
        "two_dilated": lambda: nn.conv2d_transpose(two, f2, [1, 3, 4, 3], 1, dilations=2),
        "three_dilated": lambda: nn.conv3d_transpose(
            three, f3, [1, 2, 3, 2, 3], [1] * 5, dilations=[1, 1, 2, 1, 1]
        ),
        "any_one": lambda: nn.conv_transpose(one, f1, [1, 8, 3], 2),
        "any_two": lambda: nn.conv_transpose(two, f2, [1, 3, 4, 3], 1, dilations=2, name="own"),
        "any_four": lambda: nn.conv_transpose(_w(1, 1, 1, 1, 1, 2), f3, [1] * 6, 1),
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
        "input_named": lambda: nn.conv2d_backprop_input(
            [1, 4, 5, 2], out_backprop=out, strides=1, padding="SAME", filters=f, name="own"
        ),
        "input_dilated": lambda: nn.conv2d_backprop_input(
            [1, 4, 5, 2], f, out, ones, "SAME", dilations=wide
        ),
        "input_explicit": lambda: nn.conv2d_backprop_input(
            [1, 4, 5, 2], f, _w(1, 4, 5, 3), ones, [[0, 0], [1, 0], [0, 1], [0, 0]]
        ),
        "input_cudnn": lambda: nn.conv2d_backprop_input([1, 4, 5, 2], f, out, ones, "SAME", False),
        "filter_dilated": lambda: nn.conv2d_backprop_filter(
            x, [2, 2, 2, 3], out, 1, "SAME", dilations=[1, 2, 1, 1]
        ),
        "filter_explicit": lambda: nn.conv2d_backprop_filter(
            x, [2, 2, 2, 3], out, ones, [[0, 0], [0, 1], [1, 0], [0, 0]]
        ),
        "deep_input_dilated": lambda: nn.depthwise_conv2d_backprop_input(
            [1, 4, 5, 2], d, deep, ones, "SAME", "NHWC", wide
        ),
        "deep_input_first": lambda: nn.depthwise_conv2d_backprop_input(
            [1, 2, 4, 5], d, _w(1, 4, 4, 5), ones, "SAME", data_format="NCHW"
        ),
        "deep_filter_dilated": lambda: nn.depthwise_conv2d_backprop_filter(
            x, [2, 2, 2, 2], deep, ones, "SAME", dilations=wide
        ),
        "cube_dilated": lambda: compat.conv3d_backprop_filter_v2(
            cube, [1, 2, 2, 2, 3], out3, [1] * 5, "SAME", dilations=[1, 1, 2, 1, 1]
        ),
        "cube_first": lambda: compat.conv3d_backprop_filter(
            cube, [1, 2, 2, 2, 3], out3, [1] * 5, "SAME", data_format="NCDHW"
        ),
        "pool_first": lambda: nn.max_pool_v2(_w(1, 2, 4, 5), 2, 2, "SAME", "NCHW"),
        "pool": lambda: nn.max_pool_v2(x, 2, [1, 2], "VALID", name="own"),
        "any_first": lambda: nn.pool(_w(1, 2, 4, 5), [2, 2], "MAX", "SAME", data_format="NCHW"),
        "separable_first": lambda: nn.separable_conv2d(
            _w(1, 2, 4, 5), d, _w(1, 1, 4, 3), ones, "SAME", data_format="NCHW"
        ),
        "atrous_back": lambda: nn.atrous_conv2d_transpose(
            out, _w(2, 2, 2, 3), [1, 4, 5, 2], 2, "SAME"
        ),
    }
    _answers(tf, stage, cases)
