"""Image similarity, its gradients, image edges; drawn boxes, and seeded samples around objects."""

import numpy as np

TOLERANCE = 1e-4  # sums over windows, in another summation order


def build(tf):
    image = tf.image
    rng = np.random.RandomState(15)
    x = tf.placeholder(tf.float32, [2, 14, 13, 3], name="x")
    y = tf.placeholder(tf.float32, [2, 14, 13, 3], name="y")
    one = tf.placeholder(tf.uint8, [None, None, None, 1], name="one")
    large = tf.placeholder(tf.float32, [1, 45, 46, 1], name="large")
    likeness = [
        image.psnr(x, y, 1.0),
        image.psnr(one, one // 2, 255, name="noise"),
        image.ssim(x, y, 1.0),
        image.ssim(one, one // 2, 255, filter_size=5, filter_sigma=1.0),
        image.ssim_multiscale(large, large * large, 1.0, (0.3, 0.7), filter_size=7),
    ]
    results = [
        image.total_variation(x),
        image.total_variation(x[0], name="varied"),
        *image.image_gradients(x),
        image.sobel_edges(x),
        image.draw_bounding_boxes(x, [[[0.1, 0.2, 0.6, 0.7], [0, 0, 1, 1]]] * 2),
        image.draw_bounding_boxes(large, [[[-0.1, 0.2, 0.6, 1.7], [0.9, 0.9, 0.1, 0.1]]]),
        image.draw_bounding_boxes(x, [[[0.1, 0.2, 0.6, 0.7]]] * 2, colors=[[0.1, 0.2, 0.3]]),
    ]
    gradients = [
        *tf.gradients(likeness[2], [x, y]),
        *tf.gradients(likeness[0], [x]),
        *tf.gradients(results[0], [x]),
    ]
    boxes = tf.constant([[[0.1, 0.2, 0.5, 0.9], [0.3, 0.3, 0.6, 0.4]]])
    sampled = [
        *image.sample_distorted_bounding_box([40, 50, 3], boxes, seed=3, seed2=4),
        *image.sample_distorted_bounding_box(
            [300, 200, 3],
            boxes,
            seed=9,
            min_object_covered=0.7,
            aspect_ratio_range=[0.5, 2.0],
            area_range=[0.3, 0.9],
            max_attempts=20,
            name="sampled",
        ),
        *image.sample_distorted_bounding_box(
            [100, 80, 1], boxes[:, :0], seed=5, use_image_if_no_bounding_boxes=True
        ),
    ]
    feed = {
        x: rng.rand(2, 14, 13, 3),
        y: rng.rand(2, 14, 13, 3),
        one: rng.randint(0, 256, (2, 12, 15, 1)),
        large: rng.rand(1, 45, 46, 1),
    }
    steps = [("likeness", likeness, feed), ("drawn", results, feed), ("slopes", gradients, feed)]
    return {"steps": steps + [(f"sampled {n}", sampled) for n in range(8)]}
