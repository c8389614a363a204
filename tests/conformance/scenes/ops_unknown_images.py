"""Images, boxes and image files whose shapes are known only to kernels: odd, empty, invalid."""

import numpy as np

from tests.conformance.scenes.ops_unknown import Told

IMAGE = np.arange(32.0, dtype="f").reshape(1, 4, 4, 2) / 8
RGB = np.arange(48.0, dtype="f").reshape(4, 4, 3) / 48
BOXES = np.array([[0.0, 0.0, 1.0, 1.0], [0.1, 0.2, 0.6, 0.9], [0.5, 0.5, 0.4, 1.5]], "f")
I = np.array  # noqa: E741


def matched(tf, stage):
    told = Told(tf, stage)
    u, raw = told.u, told.raw
    match = lambda d, n=-1.0, **k: tf.contrib.image.bipartite_match(u(I(d, "f")), n, **k)  # noqa: E731
    joined = lambda x: tf.contrib.image.connected_components(u(x))  # noqa: E731
    draw = lambda x, b: raw.DrawBoundingBoxes(images=u(x), boxes=u(b))  # noqa: E731
    coloured = lambda x, b, c: raw.DrawBoundingBoxesV2(images=u(x), boxes=u(b), colors=u(c))  # noqa: E731
    white = np.zeros([1, 3, 4, 3], "f")
    box = lambda *ends: draw(white, I([[ends]], "f"))  # noqa: E731
    told(
        matched=lambda: [
            match([[1, 2, 3], [2, 1, 0]]),
            match([[1, 1], [1, 1]]),
            match([[3, 2], [1, 0]], top_k=1),
            match(np.zeros([0, 2]), 0),
            match([[1, 2], [2, 4]], 1.0),
        ],
        matched_few=lambda: match([[1, 1], [1, 1]], I(1)),
        joined=lambda: [
            joined(I([[0, 1, 1], [0, 0, 1], [2, 0, 0]], "i")),
            joined(I([[[True, False], [True, True]]])),
            joined(I([[["a", "b", "a"]]])[0]),
            joined(np.zeros([0, 3], "i")),
            joined(np.ones([1, 2, 2], "f")),
        ],
        joined_rank=lambda: joined(I([1])),
        drawn=lambda: [
            box(0.0, 0.0, 0.9, 0.9),
            box(-0.5, 0.2, 0.5, 1.5),
            box(0.2, -0.5, 1.5, 0.6),
            box(0.5, 0.5, 0.1, 0.1),
            draw(white, np.zeros([1, 0, 4], "f")),
        ],
        drawn_outside=lambda: [
            box(1.2, 0.0, 1.5, 1.0),
            box(-0.9, 0.0, -0.5, 1.0),
            box(0.0, 1.2, 1.0, 1.5),
            box(0.0, -0.9, 1.0, -0.5),
        ],
        drawn_many=lambda: coloured(
            np.zeros([1, 4, 4, 3], "f"),
            np.stack([BOXES, BOXES * 0.5])[:1],
            [[1.0, 0, 0], [0, 1, 0.5]],
        ),
        drawn_alpha=lambda: coloured(
            np.zeros([1, 2, 2, 4], "f"), BOXES[None], [[0.5, 0.25, 1.0, 0.75]]
        ),
        drawn_rank=lambda: draw(white[0], BOXES[None]),
        drawn_batch=lambda: draw(white, np.stack([BOXES, BOXES])),
        drawn_depth=lambda: draw(white[..., :2], BOXES[None]),
        drawn_colours=lambda: coloured(white, BOXES[None], [[1.0, 1.0]]),
        drawn_colour_rank=lambda: coloured(white, BOXES[None], [1.0, 1.0, 1.0]),
        drawn_static=lambda: raw.DrawBoundingBoxes(images=white, boxes=BOXES[None, :, :3]),
    )


def cut_and_moved(tf, stage):
    told = Told(tf, stage)
    u, raw = told.u, told.raw
    crop = lambda x, b, i, s, **k: raw.CropAndResize(  # noqa: E731
        image=u(x), boxes=u(b), box_ind=u(I(i, "i")), crop_size=u(I(s, "i")), **k
    )
    back = lambda g, b, i, s, **k: raw.CropAndResizeGradImage(  # noqa: E731
        grads=u(g), boxes=u(b), box_ind=u(I(i, "i")), image_size=u(I(s, "i")), T=tf.float32, **k
    )
    back_boxes = lambda g, x, b, i: raw.CropAndResizeGradBoxes(  # noqa: E731
        grads=u(g), image=u(x), boxes=u(b), box_ind=u(I(i, "i"))
    )
    grads = np.ones([3, 2, 2, 2], "f")
    glimpse = lambda x, s, o, **k: raw.ExtractGlimpse(  # noqa: E731
        input=u(x), size=u(I(s, "i")), offsets=u(I(o, "f")), **k
    )
    told(
        cropped=lambda: [
            crop(IMAGE, BOXES, [0, 0, 0], [2, 3], extrapolation_value=-1.0),
            crop(IMAGE, BOXES, [0, 0, 0], [1, 1]),
            crop(IMAGE, BOXES, [0, 0, 0], [3, 1], method="nearest"),
            crop(IMAGE.astype("u1"), BOXES[:1], [0], [2, 2]),
            crop(IMAGE.astype("d"), BOXES[:1], [0], [5, 2], method="nearest"),
            crop(IMAGE, BOXES[:0], np.zeros([0]), [2, 2]),
        ],
        cropped_rank=lambda: crop(IMAGE[0], BOXES, [0, 0, 0], [2, 2]),
        cropped_empty=lambda: crop(IMAGE[:, :0], BOXES, [0, 0, 0], [2, 2]),
        cropped_narrow=lambda: crop(IMAGE[:, :, :0], BOXES, [0, 0, 0], [2, 2]),
        cropped_columns=lambda: crop(IMAGE, BOXES[:, :3], [0, 0, 0], [2, 2]),
        cropped_boxes=lambda: crop(IMAGE, BOXES[0], [0], [2, 2]),
        cropped_numbers=lambda: crop(IMAGE, BOXES, [0, 0], [2, 2]),
        cropped_matrix=lambda: crop(IMAGE, BOXES, [[0, 0, 0]], [2, 2]),
        cropped_far=lambda: crop(IMAGE, BOXES, [0, 1, 0], [2, 2]),
        cropped_sizes=lambda: crop(IMAGE, BOXES, [0, 0, 0], [2, 2, 2]),
        cropped_zero=lambda: crop(IMAGE, BOXES, [0, 0, 0], [2, 0]),
        cropped_static=lambda: raw.CropAndResize(
            image=IMAGE, boxes=BOXES[:, :3], box_ind=[0, 0, 0], crop_size=[2, 2]
        ),
        cropped_static_sizes=lambda: raw.CropAndResize(
            image=IMAGE, boxes=BOXES, box_ind=[0, 0, 0], crop_size=[2, 2, 2]
        ),
        cropped_through=lambda: [
            told.slopes(
                lambda x, b, m=m: tf.image.crop_and_resize(x, b, [0, 0, 0], [2, 3], m),
                u(IMAGE),
                u(BOXES),
            )
            for m in ("bilinear", "nearest")
        ],
        back=lambda: [
            back(grads, BOXES, [0, 1, 0], [2, 4, 4, 2]),
            back(grads, BOXES, [0, 1, 0], [2, 4, 4, 2], method="nearest"),
            back(grads[:0], BOXES[:0], np.zeros([0]), [1, 2, 2, 2]),
        ],
        back_sizes=lambda: back(grads, BOXES, [0, 0, 0], [1, 4, 4]),
        back_empty=lambda: back(grads, BOXES, [0, 0, 0], [1, 4, 0, 2]),
        back_depth=lambda: back(grads, BOXES, [0, 0, 0], [1, 4, 4, 3]),
        back_rank=lambda: back(grads[0], BOXES, [0, 0, 0], [1, 4, 4, 2]),
        back_rows=lambda: back(grads[:2], BOXES, [0, 0, 0], [1, 4, 4, 2]),
        back_narrow=lambda: back(grads[:, :, :0], BOXES, [0, 0, 0], [1, 4, 4, 2]),
        back_far=lambda: back(grads, BOXES, [0, 0, 3], [1, 4, 4, 2]),
        boxes=lambda: back_boxes(grads, IMAGE, BOXES, [0, 0, 0]),
        boxes_rank=lambda: back_boxes(grads, IMAGE[0], BOXES, [0, 0, 0]),
        boxes_narrow=lambda: back_boxes(grads, IMAGE[:, :, :0], BOXES, [0, 0, 0]),
        boxes_depth=lambda: back_boxes(grads, IMAGE[..., :1], BOXES, [0, 0, 0]),
        glimpse=lambda: [
            glimpse(
                IMAGE,
                [2, 2],
                [[0.0, 0.5]],
                centered=c,
                normalized=n,
                uniform_noise=False,
                noise="zero",
            )
            for c in (True, False)
            for n in (True, False)
        ],
        glimpse_empty=lambda: glimpse(IMAGE, [0, 3], [[0.0, 0.0]]),
        glimpse_size=lambda: glimpse(IMAGE, [2], [[0.0, 0.0]]),
        glimpse_size_rank=lambda: glimpse(IMAGE, [[2, 2]], [[0.0, 0.0]]),
        glimpse_offsets=lambda: glimpse(IMAGE, [2, 2], [0.0, 0.0]),
        glimpse_batch=lambda: glimpse(IMAGE, [2, 2], [[0.0, 0.0]] * 2),
        glimpse_columns=lambda: glimpse(IMAGE, [2, 2], [[0.0]]),
        glimpse_rank=lambda: glimpse(IMAGE[0], [2, 2], [[0.0, 0.0]]),
    )


def resized(tf, stage):
    told = Told(tf, stage)
    u, raw = told.u, told.raw
    kinds = "ResizeBilinear", "ResizeBicubic", "ResizeNearestNeighbor", "ResizeArea"
    size = lambda f, x, s, **k: getattr(raw, f)(images=u(x), size=u(I(s, "i")), **k)  # noqa: E731
    move = lambda x=IMAGE, s=(3, 5), c=(0.5, 2.0), t=(1.0, -0.5), **k: raw.ScaleAndTranslate(  # noqa: E731
        images=u(x), size=u(I(s, "i")), scale=u(I(c, "f")), translation=u(I(t, "f")), **k
    )
    cases = {}
    for f in kinds:
        cases[f] = lambda f=f: [
            size(f, IMAGE, [3, 5]),
            size(f, IMAGE, [2, 2], align_corners=True),
            size(f, IMAGE, [1, 7], **({} if f == "ResizeArea" else {"half_pixel_centers": True})),
            size(f, IMAGE.astype("u1"), [2, 3]),
            size(f, IMAGE.astype("d"), [4, 4]),
        ]
        cases[f + "_rank"] = lambda f=f: size(f, IMAGE[0], [2, 2])
        cases[f + "_sizes"] = lambda f=f: size(f, IMAGE, [2, 2, 2])
        cases[f + "_matrix"] = lambda f=f: size(f, IMAGE, [[2, 2]])
        cases[f + "_zero"] = lambda f=f: size(f, IMAGE, [0, 2])
        cases[f + "_narrow"] = lambda f=f: size(f, IMAGE[:, :, :0], [2, 2])
        cases[f + "_depth"] = lambda f=f: size(f, IMAGE[..., :0], [2, 2])
        cases[f + "_static"] = lambda f=f: getattr(raw, f)(images=IMAGE, size=[2, 2, 2])
        if f != "ResizeArea":
            cases[f + "_through"] = lambda f=f: [
                told.slopes(lambda x, k=k: getattr(raw, f)(images=x, size=[3, 2], **k), u(IMAGE))
                for k in ({}, {"align_corners": True}, {"half_pixel_centers": True})
            ]
    grads = lambda f, g, x, **k: getattr(raw, f)(grads=u(g), original_image=u(x), **k)  # noqa: E731
    for f in ("ResizeBilinearGrad", "ResizeBicubicGrad"):
        cases[f + "_rank"] = lambda f=f: grads(f, IMAGE[0], IMAGE)
        cases[f + "_image_rank"] = lambda f=f: grads(f, IMAGE, IMAGE[0])
    told(**cases)
    moved = {
        k: lambda k=k, a=a: [
            move(kernel_type=k, antialias=a),
            *told.slopes(
                lambda x: raw.ScaleAndTranslate(
                    images=x,
                    size=[3, 5],
                    scale=[0.5, 2.0],
                    translation=[1.0, -0.5],
                    kernel_type=k,
                    antialias=a,
                ),
                u(IMAGE),
            ),
        ]
        for k in (
            "lanczos1",
            "lanczos3",
            "lanczos5",
            "gaussian",
            "box",
            "triangle",
            "keyscubic",
            "mitchellcubic",
        )
        for a in (k != "box",)
    }
    told(
        **moved,
        kind=lambda: move(kernel_type="other"),
        rank=lambda: move(IMAGE[0]),
        scales=lambda: move(c=(1.0, 0.0)),
        scales_three=lambda: move(c=(1.0, 1.0, 1.0)),
        scales_matrix=lambda: move(c=[[1.0, 1.0]]),
        translations=lambda: move(t=(1.0,)),
        translations_matrix=lambda: move(t=[[1.0, 1.0]]),
        sizes=lambda: move(s=(2,)),
        sizes_zero=lambda: move(s=(0, 2)),
        back_rank=lambda: raw.ScaleAndTranslateGrad(
            grads=u(IMAGE[0]),
            original_image=u(IMAGE),
            scale=u(I([1.0, 1.0], "f")),
            translation=u(I([0.0, 0.0], "f")),
        ),
        back_image_rank=lambda: raw.ScaleAndTranslateGrad(
            grads=u(IMAGE),
            original_image=u(IMAGE[0]),
            scale=u(I([1.0, 1.0], "f")),
            translation=u(I([0.0, 0.0], "f")),
        ),
    )


def suppressed(tf, stage):
    told = Told(tf, stage)
    u, raw = told.u, told.raw
    scores = I([0.5, 0.9, 0.9], "f")
    f = lambda x: u(I(x, "f"))  # noqa: E731
    first = lambda b=BOXES, s=scores, n=2, t=0.5: raw.NonMaxSuppression(  # noqa: E731
        boxes=u(b), scores=u(s), max_output_size=u(I(n, "i")), iou_threshold=t
    )

    def later(v, b=BOXES, s=scores, n=2, t=0.5, low=0.1, **k):
        given = {
            "boxes": u(b),
            "scores": u(s),
            "max_output_size": u(I(n, "i")),
            "iou_threshold": f(t),
        }
        if v > 2:
            given["score_threshold"] = f(low)
        if v == 5:
            given["soft_nms_sigma"] = f(k.pop("sigma", 0.5))
        return getattr(raw, f"NonMaxSuppressionV{v}")(**given, **k)

    overlaps = lambda o, s=scores, n=3, t=0.5, low=0.1: raw.NonMaxSuppressionWithOverlaps(  # noqa: E731
        overlaps=u(o),
        scores=u(s),
        max_output_size=u(I(n, "i")),
        overlap_threshold=f(t),
        score_threshold=f(low),
    )
    combined = lambda b, s, n=2, m=3, t=0.5, low=0.1, **k: raw.CombinedNonMaxSuppression(  # noqa: E731
        boxes=u(b),
        scores=u(s),
        max_output_size_per_class=u(I(n, "i")),
        max_total_size=u(I(m, "i")),
        iou_threshold=f(t),
        score_threshold=f(low),
        **k,
    )
    many = np.stack([BOXES, BOXES[::-1]])[:, :, None]
    marks = np.stack([np.stack([scores, scores * 0.5], 1)] * 2)
    cases = {}
    for v in (2, 3, 4, 5):
        cases[f"v{v}"] = lambda v=v: [
            later(v),
            later(v, n=0),
            later(v, n=9, t=1.0),
            later(v, b=BOXES[:0], s=scores[:0]),
        ]
        cases[f"v{v}_scores"] = lambda v=v: later(v, s=scores[:2])
        cases[f"v{v}_scores_rank"] = lambda v=v: later(v, s=scores[None])
        cases[f"v{v}_boxes"] = lambda v=v: later(v, b=BOXES[:, :3])
        cases[f"v{v}_boxes_rank"] = lambda v=v: later(v, b=BOXES[0])
        cases[f"v{v}_most"] = lambda v=v: later(v, n=[2])
        cases[f"v{v}_threshold"] = lambda v=v: later(v, t=1.5)
        cases[f"v{v}_thresholds"] = lambda v=v: later(v, t=[0.5])
    told(
        **cases,
        first=lambda: [first(), first(n=0), first(t=0.0), first(BOXES[:0], scores[:0])],
        first_scores=lambda: first(s=scores[:2]),
        first_threshold=lambda: first(t=-0.5),
        padded=lambda: [later(v, n=5, pad_to_max_output_size=True) for v in (4, 5)],
        soft=lambda: [later(5, sigma=s, n=3, t=0.1) for s in (0.0, 0.25, 2.0)],
        soft_negative=lambda: later(5, sigma=-1.0),
        low_vector=lambda: later(3, low=[0.1]),
        overlaps=lambda: [
            overlaps(I([[1, 0.6, 0.1], [0.6, 1, 0.9], [0.1, 0.9, 1]], "f")),
            overlaps(np.zeros([0, 0], "f"), scores[:0]),
        ],
        overlaps_rank=lambda: overlaps(scores),
        overlaps_square=lambda: overlaps(np.zeros([3, 2], "f")),
        overlaps_scores=lambda: overlaps(np.zeros([3, 3], "f"), scores[:2]),
        combined=lambda: [
            combined(many, marks),
            combined(many, marks, pad_per_class=True),
            combined(many * 2, marks, clip_boxes=False, m=1),
            combined(np.tile(many, [1, 1, 2, 1]), marks, n=1, t=0.1),
        ],
        combined_rank=lambda: combined(many[:, :, 0], marks),
        combined_scores=lambda: combined(many, marks[0]),
        combined_counts=lambda: combined(many, marks[:, :2]),
        combined_classes=lambda: combined(np.tile(many, [1, 1, 3, 1]), marks),
        combined_total=lambda: combined(many, marks, m=0),
        combined_most=lambda: combined(many, marks, n=0),
        combined_low=lambda: combined(many, marks, t=2.0),
        combined_static=lambda: tf.image.combined_non_max_suppression(many, marks, 2, 0),
    )


def older(tf, stage):
    told = Told(tf, stage)
    u, raw = told.u, told.raw
    filters = np.arange(24, dtype="f").reshape(2, 3, 2, 2) / 4
    pads = I([[0, 0], [1, 0], [0, 1], [0, 0]], "i")
    fused = lambda x=IMAGE, p=pads, w=filters, m="REFLECT", s=(1, 1, 1, 1): raw.FusedPadConv2D(  # noqa: E731
        input=u(x),
        paddings=tf.placeholder_with_default(p, [4, None]),
        filter=u(w),
        mode=m,
        strides=list(s),
        padding="VALID",
    )
    both = lambda s=(3, 5), **k: raw.FusedResizeAndPadConv2D(  # noqa: E731
        input=u(IMAGE),
        size=u(I(s, "i")),
        paddings=tf.placeholder_with_default(pads, [4, None]),
        filter=u(filters),
        mode="SYMMETRIC",
        strides=[1, 2, 1, 1],
        padding="SAME",
        **k,
    )
    eight = [1.0, 0.1, 0.5, -0.1, 1.0, 0.2, 0.01, 0.0]
    told(
        fused=lambda: [
            fused(),
            fused(m="SYMMETRIC", s=(1, 2, 1, 1)),
            both(),
            both(resize_align_corners=True),
        ],
        fused_filter=lambda: fused(w=filters[0]),
        fused_depth=lambda: fused(w=filters[:, :, :1]),
        fused_pads=lambda: raw.FusedPadConv2D(
            input=u(IMAGE),
            paddings=u(pads),
            filter=u(filters),
            mode="REFLECT",
            strides=[1] * 4,
            padding="SAME",
        ),
        fused_far=lambda: fused(p=pads * 5),
        fused_size=lambda: both((3,)),
        fused_size_static=lambda: raw.FusedResizeAndPadConv2D(
            input=IMAGE,
            size=[3, 4, 5],
            paddings=pads,
            filter=filters,
            mode="REFLECT",
            strides=[1] * 4,
            padding="SAME",
        ),
        turned=lambda: [
            tf.contrib.image.transform(u(IMAGE), eight, m, s)
            for m in ("NEAREST", "BILINEAR")
            for s in (None, [2, 3])
        ],
        turned_kind=lambda: tf.contrib.image.transform(u(IMAGE), eight, "CUBIC"),
        turned_seven=lambda: tf.contrib.image.transform(u(IMAGE), eight[:7]),
        flipped_rank=lambda: tf.image.flip_left_right(u(RGB[0])),
        hsv=lambda: [
            raw.RGBToHSV(images=u(RGB)),
            raw.HSVToRGB(images=u(RGB.astype("d"))),
            raw.RGBToHSV(images=u(RGB[:0])),
        ],
        hsv_depth=lambda: raw.RGBToHSV(images=u(IMAGE)),
        hsv_scalar=lambda: raw.HSVToRGB(images=u(np.float32(1))),
        contrasts=lambda: [
            raw.AdjustContrastv2(images=u(x), contrast_factor=u(np.float32(2)))
            for x in (RGB, RGB[None], RGB[:, :, :1], RGB[:0])
        ],
        contrasts_rank=lambda: raw.AdjustContrastv2(
            images=u(RGB[0, 0]), contrast_factor=u(np.float32(2))
        ),
        contrasts_vector=lambda: raw.AdjustContrastv2(
            images=u(RGB), contrast_factor=u(I([2.0], "f"))
        ),
        hues=lambda: [
            raw.AdjustHue(images=u(RGB), delta=u(np.float32(d))) for d in (0.0, 0.3, -1.7)
        ],
        hues_depth=lambda: raw.AdjustHue(images=u(IMAGE), delta=u(np.float32(0.1))),
        saturated=lambda: [
            raw.AdjustSaturation(images=u(RGB), scale=u(np.float32(d))) for d in (0.0, 0.5, 3.0)
        ],
        saturated_rank=lambda: raw.AdjustSaturation(images=u(RGB[0, 0]), scale=u(np.float32(1))),
    )
