"""Images resized and cropped by raw ops, image files: gradients, odd sizes, errors."""

import numpy as np

from tests.conformance.scenes import unknown

IMAGE = (np.arange(48, dtype="f").reshape(1, 4, 4, 3) * 37 % 50) / 64
BYTES = (IMAGE[0] * 255).astype(np.uint8)


def resized_and_cut(tf, stage):
    u, raw = unknown(tf), tf.raw_ops
    f = lambda x: u(np.array(x, "f"))  # noqa: E731
    sized = lambda op, x, size, **k: op(images=u(x), size=u(np.array(size, "i")), **k)  # noqa: E731
    nearest, linear, cubic = raw.ResizeNearestNeighbor, raw.ResizeBilinear, raw.ResizeBicubic
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
            "both": lambda: [
                sized(nearest, IMAGE, [4, 4], align_corners=True, half_pixel_centers=True)
            ],
            "back_rank": lambda: raw.ResizeNearestNeighborGrad(grads=f(IMAGE[0]), size=u([2, 2])),
            "cropped": lambda: [
                crop(method=m, extrapolation_value=9.0) for m in ("bilinear", "nearest")
            ],
            "cropped_none": lambda: crop(b=np.zeros([0, 4]), i=()),
            "cropped_size": lambda: crop(size=[2]),
            "of_image": lambda: [of_image(), of_image(method="nearest")],
            "of_image_none": lambda: of_image(np.ones([2, 0, 2, 3])),
            "of_image_size": lambda: of_image(size=[1, 4, 4]),
            "of_image_far": lambda: of_image(i=[0, 1]),
            "of_boxes_empty": lambda: of_boxes(x=IMAGE[:, :0]),
            "of_boxes_far": lambda: of_boxes(i=[0, 1]),
            "best": lambda: [best(four, [0.5, 0.9, 0.1], n=n) for n in (0, 1, 9)],
            "best_threshold": lambda: best(four, [0.5, 0.9, 0.1], iou=[0.5]),
            "each_none": lambda: each(several, points, m=0),
            "each_columns": lambda: each(several[..., :3], points),
            "each_limit": lambda: each(several, points, iou=1.5),
            "each_static": lambda: tf.image.combined_non_max_suppression(
                several[..., :3].astype("f"), points.astype("f"), 2, 3
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
    u = unknown(tf)
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
            "png_compression": lambda: png(compression=10),
            "jpeg_quality": lambda: jpeg(quality=101),
            "jpeg_xmp": lambda: tf.strings.substr(jpeg(xmp_metadata="some"), 20, 45),
            "jpeg_method": lambda: im.decode_jpeg(jpeg(), dct_method="FAST"),
            "jpeg_part_few": lambda: raw.DecodeAndCropJpeg(
                contents=jpeg(), crop_window=u([1, 0, 2])
            ),
            "gif_one": lambda: im.decode_png(gif, 1),
            "gif_wide": lambda: im.decode_png(gif, dtype=tf.uint16),
            "bmp_two": lambda: bmp(2, 2, 24, channels=2),
            "bmp_width": lambda: bmp(0, 2, 24),
            "bmp_height": lambda: bmp(2, 0, 24),
            "bmp_start": lambda: bmp(2, 2, 24, -1),
            "bmp_large": lambda: bmp(20000, -20000, 8),
        },
        graph=False,
    )
