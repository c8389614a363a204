"""Images and sounds by raw ops: gradients, unknown ranks, odd sizes, kinds of files, what does not fit."""

import numpy as np

IMAGE = (np.arange(48, dtype="f").reshape(1, 4, 4, 3) * 37 % 50) / 64
BYTES = (IMAGE[0] * 255).astype(np.uint8)


def _unknown(tf):
    def fed(x):
        x = x if hasattr(x, "dtype") else np.array(x, "i" if np.array(x).dtype == int else None)
        return tf.placeholder_with_default(x, None)

    return fed


def _node(tf, kind, inputs, dtypes, **attrs):
    """The outputs of a node of a type that no function makes alone."""
    attrs = {
        k: tf.AttrValue(**{"s" if isinstance(v, bytes) else "type": v}) for k, v in attrs.items()
    }
    inputs = [tf.convert_to_tensor(x) for x in inputs]
    node = tf.get_default_graph().create_op(kind, inputs, dtypes, attrs=attrs)
    return node.outputs[0] if len(dtypes) == 1 else list(node.outputs)


def changed(tf, stage):
    u, raw, im, p = _unknown(tf), tf.raw_ops, tf.image, tf.placeholder_with_default
    f = lambda x: u(np.array(x, "f"))  # noqa: E731
    quality = im.adjust_jpeg_quality
    glimpse = lambda x, size, at, **k: raw.ExtractGlimpse(  # noqa: E731
        input=u(x), size=u(size), offsets=f(at), noise="zero", uniform_noise=False, **k
    )
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
            "quality_same": lambda: im.random_jpeg_quality(BYTES, 10, 10),
            "quality_far": lambda: [
                tf.strings.length(raw.EncodeJpegVariableQuality(images=BYTES, quality=q))
                for q in (200, 100, 0, -3)
            ],
            "quality_vector": lambda: raw.EncodeJpegVariableQuality(
                images=u(BYTES), quality=u([3])
            ),
            "quality_rank": lambda: raw.EncodeJpegVariableQuality(images=u(BYTES[0]), quality=3),
            "contrast_v2": lambda: raw.AdjustContrastv2(images=u(IMAGE), contrast_factor=f([1.0])),
            "contrast_v2_rank": lambda: raw.AdjustContrastv2(
                images=u(IMAGE[0, 0]), contrast_factor=f(1.0)
            ),
            "hue_scalar": lambda: raw.AdjustHue(images=u(IMAGE), delta=f([1.0])),
            "hue_rank": lambda: raw.AdjustHue(images=u(IMAGE[0, 0]), delta=f(1.0)),
            "saturation_depth": lambda: raw.AdjustSaturation(
                images=u(IMAGE[..., :2]), scale=f(1.0)
            ),
            "hsv_scalar": lambda: raw.RGBToHSV(images=f(1.0)),
            "hsv_depth": lambda: raw.HSVToRGB(images=u(IMAGE[..., :2])),
            "hsv_static": lambda: im.hsv_to_rgb(IMAGE[..., :2]),
            "hsv_half": lambda: [
                im.rgb_to_hsv(IMAGE.astype("e")),
                im.hsv_to_rgb(IMAGE[0].astype("d")),
            ],
            "hsv_gradient": hue_gradient,
            "grey": lambda: im.grayscale_to_rgb(p(IMAGE[..., :1], [None] * 4)),
            "grey_depth": lambda: im.grayscale_to_rgb(tf.constant(IMAGE)),
            "grey_depth_fed": lambda: im.grayscale_to_rgb(p(IMAGE, [None] * 4)),
            "grey_vector": lambda: im.grayscale_to_rgb(tf.constant([1.0])),
            "grey_unknown": lambda: im.grayscale_to_rgb(u(IMAGE[..., :1])),
            "to_grey": lambda: [
                im.rgb_to_grayscale(u(IMAGE[0])),
                im.rgb_to_grayscale(IMAGE.astype("d")),
            ],
            "yuv": lambda: [
                g(IMAGE) for g in (im.rgb_to_yuv, im.rgb_to_yiq, im.yuv_to_rgb, im.yiq_to_rgb)
            ],
            "unknown_rank": lambda: [
                g(u(BYTES))
                for g in (im.flip_left_right, im.flip_up_down, im.transpose_image, im.rot90)
            ],
            "random_unknown": lambda: [
                im.random_flip_left_right(u(BYTES), 3),
                im.random_flip_up_down(u(BYTES), 5),
            ],
            "turned_vector": lambda: im.rot90(tf.zeros([2, 2]), 1),
            "turned_by_vector": lambda: im.rot90(BYTES, [1]),
            "transposed_rank": lambda: im.transpose_image(tf.zeros([2, 2])),
            "flipped_rank": lambda: im.random_flip_up_down(tf.zeros([2, 2])),
            "flipped_unequal": lambda: im.flip_up_down(tf.zeros([2, 0, 3])),
            "glimpse": lambda: [
                glimpse(IMAGE, [3, 2], [at], centered=c, normalized=n)
                for at in ([0.0, 0.0], [-1.0, 1.0], [2.0, 1.0])
                for c in (True, False)
                for n in (True, False)
            ],
            "glimpse_images": lambda: glimpse(IMAGE[0], [2, 2], [[0.0, 0.0]]),
            "glimpse_size": lambda: glimpse(IMAGE, [2, 2, 2], [[0.0, 0.0]]),
            "glimpse_none": lambda: glimpse(IMAGE, [2, 0], [[0.0, 0.0]]),
            "glimpse_offsets": lambda: glimpse(IMAGE, [2, 2], [0.0, 0.0]),
            "glimpse_batch": lambda: glimpse(IMAGE, [2, 2], [[0.0, 0.0]] * 2),
            "glimpse_columns": lambda: glimpse(IMAGE, [2, 2], [[0.0, 0.0, 0.0]]),
            "glimpse_static": lambda: im.extract_glimpse(IMAGE, [2, 2, 2], [[0.0, 0.0]]),
            "glimpse_static_offsets": lambda: im.extract_glimpse(IMAGE, [2, 2], [[0.0]]),
            "boxes": lambda: [
                boxes(IMAGE[..., :1], box),
                boxes(np.concatenate([IMAGE, IMAGE[..., :1]], 3), box),
                boxes(IMAGE, [[[-0.5, 0.25, 0.5, 1.5], [2.0, 2.0, 3.0, 3.0]]]),
                boxes(IMAGE, box, [[0.5, 0.25, 1.0, 1.0]]),
                boxes(IMAGE, [[[0.0, 0.0, 0.1, 0.1]] * 11], np.zeros([0, 3])),
                boxes(IMAGE, np.zeros([1, 0, 4])),
            ],
            "boxes_images": lambda: boxes(IMAGE[0], box),
            "boxes_rank": lambda: boxes(IMAGE, box[0]),
            "boxes_batch": lambda: boxes(IMAGE, box * 2),
            "boxes_depth": lambda: boxes(IMAGE[..., :2], box),
            "boxes_colours": lambda: boxes(IMAGE, box, [0.5, 0.5, 0.5]),
            "boxes_few_colours": lambda: boxes(IMAGE, box, [[0.5, 0.5]]),
            "boxes_static": lambda: raw.DrawBoundingBoxes(images=IMAGE[..., :2], boxes=box),
            "boxes_columns": lambda: raw.DrawBoundingBoxes(images=IMAGE, boxes=[[[0.0]]]),
        },
        graph=False,
    )


def sampled(tf, stage):
    u, raw = _unknown(tf), tf.raw_ops
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
        return _node(tf, "ImageProjectiveTransformV2", inputs, [x.dtype], **options)

    one = [1.0, 0.0, 0.5, 0.0, 1.0, 1.0, 0.0, 0.0]

    def seen_back(way, transforms, size=(3, 5)):
        x = tf.constant(IMAGE)
        options = {"interpolation": way.encode(), "dtype": x.dtype.as_datatype_enum}
        given = [x, tf.constant(transforms), tf.constant(size)]
        y = _node(tf, "ImageProjectiveTransformV2", given, [x.dtype], **options)
        return y, tf.gradients(y * tf.range(5.0)[:, None], x)

    warp = [[[0.5, 1.25], [-0.5, 3.5], [9.0, 1.0], [np.nan, 0.0]]]

    def resampled(data, points, grad=None):
        x, w = tf.constant(data), tf.constant(np.array(points, data.dtype))
        y = tf.contrib.resampler.resampler(x, w)
        return y, tf.gradients(y * y, [x, w])

    def resample(x, w):
        return tf.contrib.resampler.resampler(u(x), u(np.array(w, x.dtype)))

    def match(distances, count, k=-1):
        given = (u(np.array(x, "f")) for x in (distances, count))
        return tf.contrib.image.bipartite_match(*given, k)

    distances = [[0.5, 0.25, 0.9], [0.1, 0.25, 0.8]]
    joined = lambda x: tf.contrib.image.connected_components(x)  # noqa: E731

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
            "size_rank": lambda: sample([[40, 50, 3]]),
            "size_count": lambda: sample([40, 50]),
            "size_large": lambda: sample([2**31, 50, 3]),
            "size_negative": lambda: sample([40, -1, 3]),
            "boxes_rank": lambda: sample([40, 50, 3], some[0]),
            "boxes_columns": lambda: sample([40, 50, 3], [[[0.1]]]),
            "boxes_outside": lambda: sample([40, 50, 3], [[[-0.25, 0.0, 1.0, 1.0]]]),
            "boxes_none": lambda: sample([40, 50, 3], np.zeros([1, 0, 4])),
            "least": lambda: sample([40, 50, 3], least=-0.5),
            "least_vector": lambda: sample([40, 50, 3], least=[0.5]),
            "aspects": lambda: sample([40, 50, 3], aspect_ratio_range=[1.0]),
            "aspects_low": lambda: sample([40, 50, 3], aspect_ratio_range=[-1.0, 0.5]),
            "areas": lambda: sample([40, 50, 3], area_range=[0.5, 0.6, 0.7]),
            "areas_low": lambda: sample([40, 50, 3], area_range=[0.0, 0.5]),
            "areas_high": lambda: sample([40, 50, 3], area_range=[0.5, 1.5]),
            "attempts": lambda: sample([40, 50, 3], max_attempts=0),
            "static": lambda: raw.SampleDistortedBoundingBoxV2(
                image_size=[1, 2], bounding_boxes=some, min_object_covered=0.1
            ),
            "old": lambda: raw.SampleDistortedBoundingBox(
                image_size=[40, 50, 3], bounding_boxes=some, seed=1, min_object_covered=0.3
            ),
            "old_least": lambda: raw.SampleDistortedBoundingBox(
                image_size=[40, 50, 3], bounding_boxes=some, min_object_covered=-0.3
            ),
            "seen": lambda: [transform(IMAGE, [one], way=way) for way in ("NEAREST", "BILINEAR")],
            "seen_rank": lambda: transform(IMAGE[0], [one]),
            "seen_columns": lambda: transform(IMAGE, [one[:7]]),
            "seen_count": lambda: transform(np.concatenate([IMAGE] * 3), [one] * 2),
            "seen_vector": lambda: transform(IMAGE, one),
            "seen_size": lambda: transform(IMAGE, [one], [2]),
            "seen_size_rank": lambda: transform(IMAGE, [one], [[2, 3]]),
            "seen_none": lambda: transform(IMAGE, [one], [2, 0]),
            "seen_static": lambda: seen_back("NEAREST", [one], (1, 2, 3)),
            "seen_back_vector": lambda: seen_back("NEAREST", one),
            "seen_back_cube": lambda: seen_back("NEAREST", [[one]]),
            "seen_old": lambda: _node(
                tf,
                "ImageProjectiveTransform",
                [BYTES[None], tf.constant([one])],
                [tf.uint8],
                interpolation=b"BILINEAR",
                dtype=tf.uint8.as_datatype_enum,
            ),
            "seen_nothing": lambda: transform(IMAGE[:, :0], [one]),
            "seen_each": lambda: transform(np.concatenate([IMAGE, IMAGE]), [one, one[::-1]]),
            "seen_back": lambda: [seen_back(way, [one]) for way in ("NEAREST", "BILINEAR")],
            "resampled": lambda: resampled(IMAGE, warp),
            "resampled_double": lambda: resampled(IMAGE.astype("d"), [[warp[0]] * 2]),
            "resampled_rank": lambda: resample(IMAGE[0], warp),
            "resampled_points": lambda: resample(IMAGE, warp[0]),
            "resampled_batch": lambda: resample(IMAGE, warp * 2),
            "resampled_last": lambda: resample(IMAGE, [[[1.0, 2.0, 3.0]]]),
            "matched": lambda: [match(distances, [n], k) for n in (2, 1, -1) for k in (-1, 1)],
            "matched_rank": lambda: match(distances[0], [1]),
            "matched_counts": lambda: match(distances, [1, 1]),
            "matched_rows": lambda: match(distances, [3]),
            "joined": lambda: [
                joined(np.array([[[1, 1, 0], [0, 1, 2], [2, 0, 2]]])),
                joined(np.array([[True, False], [True, True]])),
                joined(np.array([["a", "a"], ["", "b"]])),
            ],
            "joined_rank": lambda: tf.contrib.image.connected_components([1, 2]),
        },
        graph=False,
    )


def resized_and_cut(tf, stage):
    u, raw = _unknown(tf), tf.raw_ops
    f = lambda x: u(np.array(x, "f"))  # noqa: E731
    sized = lambda op, x, size, **k: op(images=u(x), size=u(np.array(size, "i")), **k)  # noqa: E731
    nearest, linear, cubic, area = (
        raw.ResizeNearestNeighbor,
        raw.ResizeBilinear,
        raw.ResizeBicubic,
        raw.ResizeArea,
    )
    box = [[0.1, 0.2, 0.9, 0.7], [1.0, 0.0, -0.5, 1.5]]

    def back(op, x, size=(3, 2), **k):
        x = tf.constant(x)
        y = op(images=x, size=size, **k)
        return tf.gradients(tf.cast(y, tf.float32) * tf.range(float(size[1]))[:, None], x)

    crop = lambda x=IMAGE, b=box, i=(0, 0), size=(2, 3), **k: raw.CropAndResize(  # noqa: E731
        image=u(x), boxes=f(b), box_ind=u(np.array(i, "i")), crop_size=u(np.array(size, "i")), **k
    )
    ones = np.ones([2, 1, 2, 3])

    def of_image(grads=ones, b=box, i=(0, 0), size=(1, 4, 4, 3), **k):
        i, size = (u(np.array(x, "i")) for x in (i, size))
        return raw.CropAndResizeGradImage(
            grads=f(grads), boxes=f(b), box_ind=i, image_size=size, T=tf.float32, **k
        )

    def of_boxes(grads=ones, x=IMAGE, b=box, i=(0, 0)):
        i = u(np.array(i, "i"))
        return raw.CropAndResizeGradBoxes(grads=f(grads), image=u(x), boxes=f(b), box_ind=i)

    best = lambda b, s, **k: raw.NonMaxSuppressionV3(  # noqa: E731
        boxes=f(b),
        scores=f(s),
        max_output_size=u(k.get("n", 2)),
        iou_threshold=f(k.get("iou", 0.5)),
        score_threshold=f(0.0),
    )
    each = lambda b, s, n=2, m=3, iou=0.5: raw.CombinedNonMaxSuppression(  # noqa: E731
        boxes=f(b),
        scores=f(s),
        max_output_size_per_class=u(n),
        max_total_size=u(m),
        iou_threshold=f(iou),
        score_threshold=f(0.0),
    )
    four = np.array([[0, 0, 1, 1], [0, 0, 1, 0.9], [0.5, 0.5, 2, 2]])
    several, points = four[None, :, None], np.array([[[0.9], [0.8], [0.3]]])
    centers = [{}, {"align_corners": True}, {"half_pixel_centers": True}]
    stage.each(
        {
            **{
                f"{op.__name__}_{n}": lambda op=op, k=k: [
                    sized(op, IMAGE, [3, 7], **k),
                    sized(op, BYTES[None], [2, 1], **k),
                ]
                for op in (nearest, linear, cubic)
                for n, k in enumerate(centers)
            },
            **{
                f"back_{op.__name__}_{n}": lambda op=op, k=k: back(op, IMAGE, **k)
                for op in (nearest, linear, cubic)
                for n, k in enumerate(centers)
            },
            "back_other": lambda: back(linear, IMAGE.astype("d"), (7, 5)),
            "back_bytes": lambda: [str(back(op, BYTES[None])) for op in (linear, cubic)],
            "back_unknown": lambda: tf.gradients(
                raw.ResizeNearestNeighbor(images=u(IMAGE), size=[2, 2]),
                tf.get_default_graph().get_tensor_by_name("PlaceholderWithDefault:0"),
            ),
            "same": lambda: [
                sized(op, BYTES[None], [4, 4]) for op in (nearest, linear, cubic, area)
            ],
            "both": lambda: [
                sized(nearest, IMAGE, [4, 4], align_corners=True, half_pixel_centers=True)
            ],
            "rank": lambda: sized(linear, BYTES, [4, 4]),
            "size_rank": lambda: sized(linear, IMAGE, [[4, 4]]),
            "size_count": lambda: sized(linear, IMAGE, [4]),
            "size_none": lambda: sized(cubic, IMAGE, [4, 0]),
            "image_none": lambda: sized(area, IMAGE[:, :0], [4, 1]),
            "area": lambda: [
                sized(area, IMAGE, [3, 7]),
                sized(area, IMAGE, [3, 7], align_corners=True),
            ],
            "back_rank": lambda: raw.ResizeNearestNeighborGrad(grads=f(IMAGE[0]), size=u([2, 2])),
            "back_size": lambda: raw.ResizeNearestNeighborGrad(grads=f(IMAGE), size=u([2, 2, 2])),
            "back_size_rank": lambda: raw.ResizeNearestNeighborGrad(
                grads=f(IMAGE), size=u([[2, 2]])
            ),
            "cropped": lambda: [
                crop(method=m, extrapolation_value=9.0) for m in ("bilinear", "nearest")
            ],
            "cropped_bytes": lambda: crop(BYTES[None]),
            "cropped_none": lambda: crop(b=np.zeros([0, 4]), i=()),
            "cropped_rank": lambda: crop(IMAGE[0]),
            "cropped_empty": lambda: crop(IMAGE[:, :0]),
            "cropped_boxes": lambda: crop(b=box[0]),
            "cropped_columns": lambda: crop(b=[[0.1]] * 2),
            "cropped_places": lambda: crop(i=[[0, 0]]),
            "cropped_count": lambda: crop(i=[0]),
            "cropped_far": lambda: crop(i=[0, -1]),
            "cropped_size": lambda: crop(size=[2]),
            "cropped_size_rank": lambda: crop(size=[[2, 2]]),
            "cropped_size_none": lambda: crop(size=[2, 0]),
            "of_image": lambda: [of_image(), of_image(method="nearest")],
            "of_image_rank": lambda: of_image(np.ones([2, 2, 3])),
            "of_image_none": lambda: of_image(np.ones([2, 0, 2, 3])),
            "of_image_count": lambda: of_image(np.ones([1, 1, 2, 3])),
            "of_image_size": lambda: of_image(size=[1, 4, 4]),
            "of_image_size_rank": lambda: of_image(size=[[1, 4, 4, 3]]),
            "of_image_empty": lambda: of_image(size=[1, 0, 4, 3]),
            "of_image_depth": lambda: of_image(size=[1, 4, 4, 2]),
            "of_image_far": lambda: of_image(i=[0, 1]),
            "of_boxes": lambda: of_boxes(),
            "of_boxes_rank": lambda: of_boxes(np.ones([2, 2, 3])),
            "of_boxes_image": lambda: of_boxes(x=IMAGE[0]),
            "of_boxes_empty": lambda: of_boxes(x=IMAGE[:, :0]),
            "of_boxes_depth": lambda: of_boxes(x=IMAGE[..., :2]),
            "of_boxes_count": lambda: of_boxes(np.ones([1, 1, 2, 3])),
            "of_boxes_far": lambda: of_boxes(i=[0, 1]),
            "best": lambda: [best(four, [0.5, 0.9, 0.1], n=n) for n in (0, 1, 9)],
            "best_static": lambda: tf.image.non_max_suppression([[0.0]], [1.0], 1),
            "best_size": lambda: best(four, [0.5, 0.9, 0.1], n=[2]),
            "best_threshold": lambda: best(four, [0.5, 0.9, 0.1], iou=[0.5]),
            "best_low": lambda: best(four, [0.5, 0.9, 0.1], iou=-0.1),
            "best_rank": lambda: best(four[0], [0.5]),
            "each": lambda: each(several, points),
            "each_boxes": lambda: each(four[None], points),
            "each_scores": lambda: each(several, points[0][None, :, 0]),
            "each_batch": lambda: each(several, np.concatenate([points] * 2)),
            "each_none": lambda: each(several, points, m=0),
            "each_count": lambda: each(several, points[:, :2]),
            "each_classes": lambda: each(
                np.concatenate([several] * 2, 2), np.concatenate([points] * 3, 2)
            ),
            "each_columns": lambda: each(several[..., :3], points),
            "each_limit": lambda: each(several, points, iou=1.5),
            "each_static": lambda: tf.image.combined_non_max_suppression(
                several[..., :3].astype("f"), points.astype("f"), 2, 3
            ),
            "each_static_classes": lambda: tf.image.combined_non_max_suppression(
                np.concatenate([several] * 2, 2).astype("f"),
                np.concatenate([points] * 3, 2).astype("f"),
                2,
                3,
            ),
            "padded": lambda: [
                raw.FusedPadConv2D(
                    input=IMAGE,
                    paddings=[[0, 0], [1, 0], [0, 2], [0, 0]],
                    filter=np.ones([2, 2, 3, 1], "f"),
                    mode=m,
                    strides=[1, 1, 2, 1],
                    padding="VALID",
                )
                for m in ("REFLECT", "SYMMETRIC")
            ],
            "padded_batch": lambda: raw.FusedPadConv2D(
                input=IMAGE,
                paddings=u([[1, 0], [1, 0], [0, 2], [0, 0]]),
                filter=np.ones([2, 2, 3, 1], "f"),
                mode="SYMMETRIC",
                strides=[1] * 4,
                padding="VALID",
            ),
            "padded_batches": lambda: raw.FusedPadConv2D(
                input=IMAGE,
                paddings=tf.placeholder_with_default([[1, 0], [1, 0], [0, 2], [0, 0]], [4, 2]),
                filter=np.ones([2, 2, 3, 1], "f"),
                mode="SYMMETRIC",
                strides=[1] * 4,
                padding="VALID",
            ),
            "padded_rows": lambda: raw.FusedPadConv2D(
                input=IMAGE,
                paddings=[[1, 0]] * 3,
                filter=np.ones([2, 2, 3, 1], "f"),
                mode="SYMMETRIC",
                strides=[1] * 4,
                padding="VALID",
            ),
            "padded_columns": lambda: raw.FusedPadConv2D(
                input=IMAGE,
                paddings=[[1]] * 4,
                filter=np.ones([2, 2, 3, 1], "f"),
                mode="SYMMETRIC",
                strides=[1] * 4,
                padding="VALID",
            ),
            "padded_depth": lambda: raw.FusedPadConv2D(
                input=IMAGE,
                paddings=[[0, 0]] * 4,
                filter=np.ones([2, 2, 2, 1], "f"),
                mode="SYMMETRIC",
                strides=[1] * 4,
                padding="VALID",
            ),
            "padded_strides": lambda: raw.FusedPadConv2D(
                input=IMAGE,
                paddings=[[0, 0]] * 4,
                filter=np.ones([2, 2, 3, 1], "f"),
                mode="SYMMETRIC",
                strides=[1] * 3,
                padding="VALID",
            ),
            "resized_padded": lambda: raw.FusedResizeAndPadConv2D(
                input=IMAGE,
                size=[3, 5],
                paddings=[[0, 0], [1, 0], [0, 1], [0, 0]],
                filter=np.ones([2, 2, 3, 1], "f"),
                mode="REFLECT",
                strides=[1] * 4,
                padding="SAME",
                resize_align_corners=True,
            ),
        },
        graph=False,
    )


def files(tf, stage):
    raw, im = tf.raw_ops, tf.image
    exact = {"dct_method": "INTEGER_ACCURATE"}
    u = _unknown(tf)
    png = lambda x=BYTES, **k: im.encode_png(x, **k)  # noqa: E731
    jpeg = lambda x=BYTES, **k: im.encode_jpeg(x, **k)  # noqa: E731
    gif = b"GIF89a\x02\0\x01\0\x80\0\0\xff\0\0\0\0\xff,\0\0\0\0\x02\0\x01\0\0\x02\x02\x44\x0a\0;"
    header = lambda w, h, bits, start=54: (  # noqa: E731
        b"BM"
        + b"\0" * 8
        + int(start).to_bytes(4, "little", signed=True)
        + b"\x28\0\0\0"
        + int(w).to_bytes(4, "little", signed=True)
        + int(h).to_bytes(4, "little", signed=True)
        + b"\1\0"
        + bytes([bits, 0])
        + b"\0" * 24
    )
    pixels = bytes(range(32))
    bmp = lambda *a, **k: raw.DecodeBmp(contents=header(*a) + pixels, **k)  # noqa: E731
    stage.each(
        {
            "png": lambda: [
                im.decode_png(png(x, compression=c), name="own")
                for x in (BYTES, BYTES[..., :1], BYTES[..., :2])
                for c in (-1, 0, 9)
            ],
            "png_wide": lambda: [
                im.decode_png(png(BYTES.astype(np.uint16) * 257), k, tf.uint16)
                for k in (0, 1, 3, 4)
            ],
            "png_narrow": lambda: [
                im.decode_png(png(BYTES.astype(np.uint16) * 257)),
                im.decode_png(png(), dtype=tf.uint16),
            ],
            "png_channels": lambda: [
                im.decode_png(png(x), k) for x in (BYTES, BYTES[..., :1]) for k in (1, 3, 4)
            ],
            "png_five": lambda: raw.EncodePng(image=u(np.zeros([2, 2, 5], "u1"))),
            "png_rank": lambda: raw.EncodePng(image=u(BYTES[0])),
            "png_compression": lambda: png(compression=10),
            "png_two": lambda: im.decode_png(png(), 2),
            "png_type": lambda: im.decode_png(png(), dtype=tf.int32),
            "jpeg": lambda: [
                im.decode_jpeg(
                    jpeg(
                        quality=q,
                        progressive=q == 30,
                        chroma_downsampling=q != 90,
                        optimize_size=q > 50,
                    ),
                    ratio=r,
                    fancy_upscaling=r == 1,
                    **exact,
                )
                for q in (0, 30, 90, 100)
                for r in (1, 2)
            ],
            "jpeg_grey": lambda: [
                im.decode_jpeg(jpeg(BYTES[..., :1], format="grayscale"), **exact),
                im.decode_jpeg(jpeg(), 1, **exact),
                im.decode_jpeg(jpeg(BYTES[..., :1]), 3, **exact),
            ],
            "jpeg_format": lambda: jpeg(format="grayscale"),
            "jpeg_rgb": lambda: jpeg(BYTES[..., :1], format="rgb"),
            "jpeg_two": lambda: jpeg(BYTES[..., :2]),
            "jpeg_quality": lambda: jpeg(quality=101),
            "jpeg_rank": lambda: raw.EncodeJpeg(image=u(BYTES[0])),
            "jpeg_none": lambda: raw.EncodeJpeg(image=u(BYTES[:0])),
            "jpeg_header": lambda: [
                tf.strings.substr(jpeg(x_density=d, y_density=2 * d, density_unit=w), 0, 20)
                for d, w in ((300, "in"), (7, "cm"))
            ],
            "jpeg_xmp": lambda: tf.strings.substr(jpeg(xmp_metadata="some"), 20, 45),
            "jpeg_ratio": lambda: im.decode_jpeg(jpeg(), ratio=3),
            "jpeg_method": lambda: im.decode_jpeg(jpeg(), dct_method="FAST"),
            "jpeg_channels": lambda: im.decode_jpeg(jpeg(), 4),
            "jpeg_shape": lambda: [
                im.extract_jpeg_shape(jpeg()),
                im.extract_jpeg_shape(jpeg(BYTES[..., :1]), tf.int64, "own"),
            ],
            "jpeg_shape_of_png": lambda: im.extract_jpeg_shape(png()),
            "jpeg_part": lambda: [
                im.decode_and_crop_jpeg(jpeg(), [1, 0, 2, 3], **exact),
                im.decode_and_crop_jpeg(jpeg(), [0, 0, 4, 4], 1, **exact),
            ],
            "jpeg_part_far": lambda: im.decode_and_crop_jpeg(jpeg(), [1, 0, 2, 5]),
            "jpeg_part_few": lambda: raw.DecodeAndCropJpeg(
                contents=jpeg(), crop_window=u([1, 0, 2])
            ),
            "jpeg_is": lambda: [im.is_jpeg(jpeg()), im.is_jpeg(png(), "own")],
            "gif": lambda: [
                im.decode_gif(gif),
                im.decode_image(gif),
                im.decode_png(gif),
                im.decode_jpeg(gif),
            ],
            "gif_one": lambda: im.decode_png(gif, 1),
            "gif_wide": lambda: im.decode_png(gif, dtype=tf.uint16),
            "gif_broken": lambda: im.decode_gif(gif[:20]),
            "gif_of_png": lambda: im.decode_gif(png()),
            "jpeg_wide": lambda: im.decode_png(jpeg(), dtype=tf.uint16),
            "bmp": lambda: [
                bmp(2, 2, 24),
                bmp(2, -2, 24),
                bmp(2, 2, 32),
                bmp(3, 2, 8),
                bmp(2, 2, 24, 57),
                bmp(2, 1, 24, channels=3),
            ],
            "bmp_channels": lambda: bmp(2, 2, 24, channels=4),
            "bmp_two": lambda: bmp(2, 2, 24, channels=2),
            "bmp_depth": lambda: bmp(2, 2, 16),
            "bmp_width": lambda: bmp(0, 2, 24),
            "bmp_height": lambda: bmp(2, 0, 24),
            "bmp_start": lambda: bmp(2, 2, 24, -1),
            "bmp_short": lambda: bmp(4, 4, 24),
            "bmp_large": lambda: bmp(20000, -20000, 8),
            "bmp_quite_large": lambda: bmp(16000, 16000, 24),
            "bmp_wide": lambda: bmp(-2, 0, 16, -1),
            "bmp_header": lambda: raw.DecodeBmp(contents="BM"),
            "bmp_other": lambda: raw.DecodeBmp(contents=png()),
            "any": lambda: [
                im.decode_image(x, k, d)
                for x in (png(), header(2, 2, 24) + pixels)
                for k in (0, 3)
                for d in (tf.uint8, tf.float32)
            ],
            "any_wide": lambda: [im.decode_image(png(), dtype=tf.uint16)],
            "any_broken": lambda: im.decode_image("some text"),
            "any_short": lambda: im.decode_image("a"),
            "any_vector": lambda: raw.DecodePng(contents=u([b"a"])),
            "any_channels": lambda: im.decode_image(png(), 2),
            "gif_channels": lambda: im.decode_image(gif, 1),
            "bmp_channel": lambda: im.decode_image(header(2, 2, 24) + pixels, 1),
        },
        graph=False,
    )
