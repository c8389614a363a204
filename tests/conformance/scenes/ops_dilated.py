"""Transposed convolutions and windows with rare options: dilations, formats, aliases."""

import numpy as np


def _w(*shape, by=5, of=7, less=3):
    return (np.arange(int(np.prod(shape))) * by % of - less).astype("f").reshape(shape)


def _answers(tf, stage, cases):
    """Static shapes, attrs of the last windowed op, values."""
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
