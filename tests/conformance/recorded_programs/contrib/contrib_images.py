"""tf.contrib.image and resampler: rotation, translation, flow and point warps; components, pairs, splines."""

import numpy as np


def transformed(tf, images, floats):
    there = tf.contrib.image
    angles = tf.constant([0.3, -1.2])
    unknown = tf.placeholder_with_default(floats, [None, None, None, 3])
    turn = there.angles_to_projective_transforms(angles, tf.constant([5.0]), tf.constant([6.0]))
    move = there.translations_to_projective_transforms([[1.0, 2.0], [-0.5, 1.5]])
    both = there.compose_transforms(turn, move, turn)
    tilted = [0.9, 0.1, 0.2, -0.1, 1.1, 0.3, 0.02, -0.01]
    return [
        turn,
        both,
        there.matrices_to_flat_transforms(there.flat_transforms_to_matrices(tilted)),
        there.rotate(floats, angles),
        there.rotate(floats[0], 0.7, interpolation="bilinear"),
        there.rotate(images[0, :, :, 0], np.pi / 2),
        there.rotate(unknown, angles, "BILINEAR", name="turned"),
        there.translate(images, [1, -1]),
        there.translate(floats, [[0.25, 0.5], [2.5, -1.5]], "BILINEAR"),
        there.transform(floats, both, "BILINEAR"),
        there.transform(floats, tilted, "BILINEAR", output_shape=[3, 8]),
        there.transform(images, tilted),
        there.transform(tf.cast(floats * 9, tf.float64), tilted, "BILINEAR"),
    ]


def gradients(tf, floats):
    y = tf.contrib.image.rotate(floats, [0.3, -1.2], "BILINEAR")
    moved = tf.contrib.image.translate(floats, [1, 0])
    (grad,) = tf.gradients(tf.reduce_sum(y * y) + tf.reduce_sum(moved**3), floats)
    return grad


def matched(tf, random):
    there = tf.contrib.image
    distances = tf.constant(random.rand(4, 6).astype("f"))
    parts = random.randint(0, 3, (2, 5, 7))
    return [
        there.bipartite_match(distances, -1.0),
        there.bipartite_match(distances, [3.0], top_k=2, name="pairs"),
        there.connected_components(parts > 0),
        there.connected_components(parts[0]),
        there.connected_components(np.ones([3, 2], np.uint8)),
    ]


def warped(tf, random, floats):
    there = tf.contrib.image
    flow = tf.constant(random.randn(2, 5, 6, 2).astype("f"))
    source = tf.constant(random.rand(2, 3, 2).astype("f") * 4)
    target = source + tf.constant(random.rand(2, 3, 2).astype("f"))
    values = tf.constant(random.rand(2, 3, 2).astype("f"))
    queries = tf.constant(random.rand(2, 4, 2).astype("f") * 4)
    found = [there.dense_image_warp(floats, flow)]
    found += [tf.gradients(found[0], [floats, flow])]
    found += [there.sparse_image_warp(floats, source, target, regularization_weight=0.01)]
    found += [there.sparse_image_warp(floats, source, target, 1, num_boundary_points=2)]
    splines = [there.interpolate_spline(source, values, queries, n, 0.1 * n) for n in range(1, 7)]
    return [*found, *splines, tf.gradients(splines[1], [source, values, queries])]


def resampled(tf, random, floats):
    points = tf.constant((random.rand(2, 3, 2, 2) * 8 - 1.5).astype("f"))
    y = tf.contrib.resampler.resampler(floats, points)
    flat = tf.contrib.resampler.resampler(floats, points[:, 0, 0], name="single")
    return [y, flat, tf.gradients(y * y, [floats, points])]


def build(tf):
    random = np.random.RandomState(0)
    images = tf.constant(random.randint(0, 256, (2, 5, 6, 3)).astype(np.uint8))
    floats = tf.Variable(random.rand(2, 5, 6, 3).astype("f"))
    return {
        "steps": [
            ("initialize", tf.global_variables_initializer()),
            ("transformed", transformed(tf, images, floats)),
            ("gradients", gradients(tf, floats)),
            ("matched", matched(tf, random)),
            ("warped", warped(tf, random, floats)),
            ("resampled", resampled(tf, random, floats)),
        ]
    }


TOLERANCE = 2e-4  # float32 linear systems: a spline had a relative error of 9e-5
