"""Images by raw ops: colors, boxes, transforms, matching; unknown ranks and errors."""

import numpy as np

from tests.conformance.scenes import made_node, unknown

IMAGE = (np.arange(48, dtype="f").reshape(1, 4, 4, 3) * 37 % 50) / 64
BYTES = (IMAGE[0] * 255).astype(np.uint8)


def changed(tf, stage):
    u, raw, im, p = unknown(tf), tf.raw_ops, tf.image, tf.placeholder_with_default
    f = lambda x: u(np.array(x, "f"))  # noqa: E731
    quality = im.adjust_jpeg_quality
    boxes = lambda x, b, *c: (  # noqa: E731
        raw.DrawBoundingBoxesV2(images=u(x), boxes=f(b), colors=f(*c))
        if c
        else raw.DrawBoundingBoxes(images=u(x), boxes=f(b))
    )
    box = [[[0.0, 0.25, 0.5, 0.75]]]

    def hue_gradient():
        x = tf.constant(
            np.array([[0.2, 0.7, 0.4], [0.9, 0.1, 0.3], [0.1, 0.3, 0.8], [0.5] * 3], "f")
        )
        return tf.gradients(im.rgb_to_hsv(x) * [1.0, 2.0, 3.0], x)

    stage.each(
        {
            "quality": lambda: [
                tf.shape(quality(np.full([9, 9, 3], k, t), q, name="own"))
                for k, t, q in ((90, "u1", 30), (0.5, "f", p(70, [])))
            ],
            "quality_random": lambda: tf.shape(im.random_jpeg_quality(BYTES, 10, 90, 7)),
            "quality_vector": lambda: raw.EncodeJpegVariableQuality(
                images=u(BYTES), quality=u([3])
            ),
            "quality_rank": lambda: raw.EncodeJpegVariableQuality(images=u(BYTES[0]), quality=3),
            "hsv_half": lambda: [
                im.rgb_to_hsv(IMAGE.astype("e")),
                im.hsv_to_rgb(IMAGE[0].astype("d")),
            ],
            "hsv_gradient": hue_gradient,
            "grey_depth_fed": lambda: im.grayscale_to_rgb(p(IMAGE, [None] * 4)),
            "grey_vector": lambda: im.grayscale_to_rgb(tf.constant([1.0])),
            "grey_unknown": lambda: im.grayscale_to_rgb(u(IMAGE[..., :1])),
            "unknown_rank": lambda: [
                g(u(BYTES))
                for g in (im.flip_left_right, im.flip_up_down, im.transpose_image, im.rot90)
            ],
            "glimpse_static_offsets": lambda: im.extract_glimpse(IMAGE, [2, 2], [[0.0]]),
            "boxes": lambda: [
                boxes(IMAGE[..., :1], box),
                boxes(np.concatenate([IMAGE, IMAGE[..., :1]], 3), box),
                boxes(IMAGE, [[[-0.5, 0.25, 0.5, 1.5], [2.0, 2.0, 3.0, 3.0]]]),
                boxes(IMAGE, box, [[0.5, 0.25, 1.0, 1.0]]),
                boxes(IMAGE, [[[0.0, 0.0, 0.1, 0.1]] * 11], np.zeros([0, 3])),
                boxes(IMAGE, np.zeros([1, 0, 4])),
            ],
        },
        graph=False,
    )


def sampled(tf, stage):
    u, raw = unknown(tf), tf.raw_ops
    f = lambda x: u(np.array(x, "f"))  # noqa: E731
    some = [[[0.1, 0.2, 0.9, 0.7], [0.4, 0.4, 0.45, 0.45]]]

    def sample(size, boxes=some, **k):
        return raw.SampleDistortedBoundingBoxV2(
            image_size=u(np.array(size)),
            bounding_boxes=f(boxes),
            min_object_covered=f(k.pop("least", 0.1)),
            seed=3,
            seed2=4,
            **k,
        )

    narrow = {"aspect_ratio_range": [3.0, 9.0], "area_range": [0.01, 1.0]}
    tf.contrib.image  # noqa: B018  which brings the next ones

    def transform(x, transforms, size=(2, 3), way="NEAREST"):
        x, size = tf.convert_to_tensor(x), u(np.array(size, "i"))
        options = {"interpolation": way.encode(), "dtype": x.dtype.as_datatype_enum}
        inputs = tf.placeholder_with_default(x, None), f(transforms), size
        return made_node(tf, "ImageProjectiveTransformV2", inputs, [x.dtype], **options)

    one = [1.0, 0.0, 0.5, 0.0, 1.0, 1.0, 0.0, 0.0]

    def seen_back(way, transforms, size=(3, 5)):
        x = tf.constant(IMAGE)
        options = {"interpolation": way.encode(), "dtype": x.dtype.as_datatype_enum}
        given = [x, tf.constant(transforms), tf.constant(size)]
        y = made_node(tf, "ImageProjectiveTransformV2", given, [x.dtype], **options)
        return y, tf.gradients(y * tf.range(5.0)[:, None], x)

    def match(distances, count, k=-1):
        given = (u(np.array(x, "f")) for x in (distances, count))
        return tf.contrib.image.bipartite_match(*given, k)

    distances = [[0.5, 0.25, 0.9], [0.1, 0.25, 0.8]]

    stage.each(
        {
            "boxes": lambda: [
                sample([40, 50, 3], least=0.5),
                sample([40, 50, 3], **narrow),
                sample(
                    [50, 40, 3],
                    aspect_ratio_range=[0.1, 0.3],
                    area_range=[0.3, 0.9],
                    max_attempts=5,
                ),
                sample(np.array([7, 9, 1], "u1"), max_attempts=40),
                sample([32, 32, 3], area_range=[0.9, 1.0], least=0.0),
                sample([40, 50, 3], np.zeros([1, 0, 4]), use_image_if_no_bounding_boxes=True),
                sample([40, 50, 3], least=1.0, max_attempts=1),
                sample([1, 1, 3], area_range=[0.5, 1.0]),
                sample([3, 200, 3], aspect_ratio_range=[0.5, 40.0], area_range=[0.2, 0.3]),
            ],
            "size_large": lambda: sample([2**31, 50, 3]),
            "size_negative": lambda: sample([40, -1, 3]),
            "boxes_columns": lambda: sample([40, 50, 3], [[[0.1]]]),
            "boxes_outside": lambda: sample([40, 50, 3], [[[-0.25, 0.0, 1.0, 1.0]]]),
            "least": lambda: sample([40, 50, 3], least=-0.5),
            "aspects": lambda: sample([40, 50, 3], aspect_ratio_range=[1.0]),
            "aspects_low": lambda: sample([40, 50, 3], aspect_ratio_range=[-1.0, 0.5]),
            "areas": lambda: sample([40, 50, 3], area_range=[0.5, 0.6, 0.7]),
            "areas_low": lambda: sample([40, 50, 3], area_range=[0.0, 0.5]),
            "areas_high": lambda: sample([40, 50, 3], area_range=[0.5, 1.5]),
            "attempts": lambda: sample([40, 50, 3], max_attempts=0),
            "old": lambda: raw.SampleDistortedBoundingBox(
                image_size=[40, 50, 3], bounding_boxes=some, seed=1, min_object_covered=0.3
            ),
            "old_least": lambda: raw.SampleDistortedBoundingBox(
                image_size=[40, 50, 3], bounding_boxes=some, min_object_covered=-0.3
            ),
            "seen_rank": lambda: transform(IMAGE[0], [one]),
            "seen_size_rank": lambda: transform(IMAGE, [one], [[2, 3]]),
            "seen_static": lambda: seen_back("NEAREST", [one], (1, 2, 3)),
            "seen_back_vector": lambda: seen_back("NEAREST", one),
            "seen_back_cube": lambda: seen_back("NEAREST", [[one]]),
            "seen_nothing": lambda: transform(IMAGE[:, :0], [one]),
            "matched_rank": lambda: match(distances[0], [1]),
            "matched_counts": lambda: match(distances, [1, 1]),
            "matched_rows": lambda: match(distances, [3]),
        },
        graph=False,
    )
