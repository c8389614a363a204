"""tf.contrib.image: warping by flows and control points; stereograms; unknown shapes, options, errors."""

import numpy as np

from tests.conformance.scenes import unknown


def _image(*shape, kind=np.float32):
    return np.arange(1, 1 + np.prod(shape)).reshape(shape).astype(kind)


def warped(tf, stage):
    of = tf.contrib.image
    any_, ranked = unknown(tf), unknown(tf, ranked=True)
    image = _image(1, 2, 4, 1)
    flow = np.linspace(-2.0, 2.0, 16, dtype=np.float32).reshape(1, 2, 4, 2)
    here = np.float32([[[0.0, 0.0], [1.0, 2.0]]])
    there = np.float32([[[0.5, 0.0], [1.0, 1.0]]])

    def control(**options):
        given = [x.astype("d") for x in (image, here, there)]
        return lambda: of.sparse_image_warp(*given, **options)

    stage.each(
        {
            "dense, half": lambda: of.dense_image_warp(
                tf.constant(image, tf.float16), tf.constant(flow, tf.float16)
            ),
            "dense, any rank": lambda: of.dense_image_warp(any_(image), any_(flow)),
            "dense, one row": lambda: of.dense_image_warp(image[:, :1], tf.constant(flow[:, :1])),
            "dense, one column": lambda: of.dense_image_warp(
                ranked(image[:, :, :1]), tf.constant(flow[:, :, :1])
            ),
            "dense, not a number": lambda: of.dense_image_warp(image, tf.constant(flow) * np.nan),
            "sparse": control(),
            "sparse, linear": control(interpolation_order=1, regularization_weight=0.5),
            "sparse, edge": control(num_boundary_points=1, interpolation_order=3),
            "sparse, more edge": control(num_boundary_points=3, name="own"),
            "sparse, any": lambda: of.sparse_image_warp(ranked(image), here, there),
        },
        graph="sum",
    )


def stereograms(tf, stage):
    of = tf.contrib.image
    depths = np.float32([[0.0, 1.0], [2.0, 3.0]])
    stereo = of.single_image_random_dot_stereograms
    for options in (
        {},
        {
            "hidden_surface_removal": False,
            "convergence_dots_size": 0,
            "dots_per_inch": 10,
            "eye_separation": 1.5,
            "mu": 0.25,
            "normalize": False,
            "normalize_max": 5.0,
            "normalize_min": -5.0,
            "border_level": 0.5,
            "number_colors": 2,
            "output_image_shape": [20, 10, 3],
            "output_data_window": [18, 8],
        },
    ):
        with tf.Graph().as_default(), stage.failing():
            made = stereo(depths, **options)
            stage.say(made.dtype, made.shape)
            stage.graph()
    stage.attempts(lambda: stereo(depths, 1, 2, 3, 4, 5))
