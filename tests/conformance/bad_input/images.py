"""Images: ranks, sizes, boxes and thresholds that are none."""

import struct
import zlib

import numpy as np

BOXES = np.array([[0, 0, 1, 1], [0, 0.1, 1, 1.1]], "f")
SCORES = np.array([0.9, 0.8], "f")


def images(tf, shape=(2, 5, 6, 3)):
    return tf.ones(shape)


def given(tf, value):
    """A tensor whose shape is known when it is run only."""
    return tf.placeholder_with_default(np.asarray(value), None)


# Resizing


def negative_size_at_run_time(tf):
    return tf.image.resize_nearest_neighbor(images(tf), given(tf, np.array([-1, 2], "i")))


def three_axes_at_run_time(tf):
    return tf.image.resize_bicubic(given(tf, np.ones([2, 3, 4], "f")), [2, 2])


def unknown_kernel(tf):
    ones, scale = images(tf), tf.raw_ops.ScaleAndTranslate
    attrs = {"size": [2, 2], "translation": [0.0, 0.0], "kernel_type": "sinc"}
    return scale(images=ones, scale=[1.0, 1.0], **attrs)


def scale_of_nothing(tf):
    ones, scale = images(tf), tf.raw_ops.ScaleAndTranslate
    return scale(images=ones, size=[2, 2], scale=[0.0, 1.0], translation=[0.0, 0.0])


# Cutting


def fewer_numbers_than_boxes_at_run_time(tf):
    return tf.image.crop_and_resize(images(tf), given(tf, BOXES), given(tf, [np.int32(0)]), [2, 2])


def unknown_noise(tf):
    ones, glimpse = images(tf), tf.raw_ops.ExtractGlimpse
    attrs = {"size": [2, 2], "uniform_noise": False, "noise": "pink"}
    return glimpse(input=ones, offsets=tf.zeros([2, 2]), **attrs)


# Suppressing


def fewer_scores_than_boxes_at_run_time(tf):
    return tf.image.non_max_suppression(given(tf, BOXES), given(tf, SCORES[:1]), 2)


def negative_sigma(tf):
    return tf.image.non_max_suppression_with_scores(BOXES, SCORES, 2, soft_nms_sigma=-1.0)[0]


def overlaps_that_are_not_square(tf):
    return tf.image.non_max_suppression_overlaps(given(tf, BOXES), SCORES, 2)


# Colours and boxes


def colours_of_two_channels_at_run_time(tf):
    return tf.image.hsv_to_rgb(given(tf, np.ones([2, 2], "f")))


def negative_gamma_at_run_time(tf):
    return tf.image.adjust_gamma(images(tf), given(tf, np.float32(-1)))


def flip_of_two_axes_at_run_time(tf):
    return tf.image.flip_up_down(given(tf, np.ones([2, 2], "f")))


def boxes_of_other_batches(tf):
    return tf.image.draw_bounding_boxes(images(tf), given(tf, BOXES[None]))


# Files


def png(size=b"\0\0\0\2\0\0\0\2", ends=b""):
    """A PNG file of a grey picture, whatever size it says it has."""
    parts = [(b"IHDR", size + b"\x08\0\0\0\0"), (b"IDAT", zlib.compress(b"\0\1\2\0\3\4"))]
    data = b"\x89PNG\r\n\x1a\n"
    for kind, content in parts:
        checksum = struct.pack(">I", zlib.crc32(kind + content))
        data += struct.pack(">I", len(content)) + kind + content + checksum
    return data + ends


def jpeg_by_an_unknown_method(tf):
    return tf.image.decode_jpeg(b"\xff\xd8\xff\xe0", dct_method="FLOAT")


def bmp_larger_than_its_data(tf):
    head = struct.pack("<IHHIIiiHHI", 0, 0, 0, 54, 40, 9, 9, 1, 24, 0)
    return tf.image.decode_bmp(b"BM" + head)


def bmp_of_other_channels(tf):
    head = struct.pack("<IHHIIiiHHI", 0, 0, 0, 54, 40, 9, 9, 1, 24, 0)
    return tf.image.decode_bmp(b"BM" + head, channels=4)


def metadata_longer_than_a_segment(tf):
    return tf.image.encode_jpeg(tf.zeros([8, 8, 3], tf.uint8), xmp_metadata="a" * 65505)


def tensor_of_more_elements_than_memory(tf):
    message = tf.make_tensor_proto([1])
    message.tensor_shape.dim[0].size = 1 << 62
    return tf.io.parse_tensor(message.SerializeToString(), tf.int32)


# Files of pictures without pixels


CASES = {
    "resized_vector": lambda tf: tf.image.resize_images(tf.ones([3]), [2, 2]),
    "resized_unknown": lambda tf: tf.image.resize_images(tf.placeholder(tf.float32), [2, 2]),
    "size_of_floats": lambda tf: tf.image.resize_images(images(tf), [2.5, 2.0]),
    "negative_size": lambda tf: tf.image.resize_bilinear(images(tf), [-1, 2]),
    "three_axes_to_resize": lambda tf: tf.image.resize_area(tf.ones([2, 3, 4]), [2, 2]),
    "resized_nothing": lambda tf: tf.image.resize_bilinear(tf.ones([1, 0, 4, 3]), [2, 2]),
    "resized_without_channels": lambda tf: tf.image.resize_bicubic(tf.ones([1, 2, 4, 0]), [2, 2]),
    "more_than_memory_holds": lambda tf: tf.image.resize_bilinear(images(tf), [2**30, 2**30]),
    "crop_of_five_axes": lambda tf: tf.image.crop_to_bounding_box(tf.ones([1] * 5), 0, 0, 1, 1),
    "pad_before_the_start": lambda tf: tf.image.pad_to_bounding_box(images(tf), 0, -1, 9, 9),
    "pad_of_an_empty_image": lambda tf: tf.image.pad_to_bounding_box(
        tf.ones([0, 5, 3]), 0, 0, 4, 9
    ),
    "crop_or_pad_to_nothing": lambda tf: tf.image.resize_image_with_crop_or_pad(images(tf), 4, 0),
    "central_crop_of_two_axes": lambda tf: tf.image.central_crop(tf.ones([3, 3]), 0.5),
    "central_crop_of_five_axes": lambda tf: tf.image.central_crop(tf.ones([3] * 5), 0.5),
    "fewer_numbers_than_boxes": lambda tf: tf.image.crop_and_resize(images(tf), BOXES, [0], [2, 2]),
    "boxes_of_three": lambda tf: tf.image.crop_and_resize(images(tf), BOXES[:, :3], [0, 1], [2, 2]),
    "both_names_of_an_argument": lambda tf: tf.image.crop_and_resize(
        images(tf), BOXES, [0, 1], [2, 2], box_indices=[0, 1]
    ),
    "more_glimpses_than_images": lambda tf: tf.image.extract_glimpse(
        images(tf), [2, 2], [[0.0, 0.0]]
    ),
    "fewer_scores_than_boxes": lambda tf: tf.image.non_max_suppression(BOXES, SCORES[:1], 2),
    "vector_of_sizes": lambda tf: tf.image.non_max_suppression_padded(BOXES, SCORES, [2]),
    "boxes_of_other_classes": lambda tf: tf.image.combined_non_max_suppression(
        tf.ones([1, 2, 3, 4]), tf.ones([1, 2, 2]), 2, 2
    ),
    "no_room_for_any": lambda tf: tf.image.combined_non_max_suppression(
        tf.ones([1, 2, 1, 4]), tf.ones([1, 2, 2]), 2, 0
    ),
    "colours_of_two_channels": lambda tf: tf.image.rgb_to_hsv(images(tf, (2, 2))),
    "hue_of_two_channels": lambda tf: tf.image.adjust_hue(images(tf, (2, 2, 2)), 0.1),
    "saturation_of_a_row": lambda tf: tf.image.adjust_saturation(images(tf, (2, 3)), 0.1),
    "contrast_by_a_vector": lambda tf: tf.image.adjust_contrast(images(tf), [0.5]),
    "image_of_strings": lambda tf: tf.image.convert_image_dtype(images(tf), tf.string),
    "grey_of_three_channels": lambda tf: tf.image.grayscale_to_rgb(images(tf)),
    "turned_by_a_vector": lambda tf: tf.image.rot90(images(tf), [1]),
    "flip_of_five_axes": lambda tf: tf.image.flip_left_right(images(tf, (1, 1, 1, 1, 1))),
    "standardized_nothing": lambda tf: tf.image.per_image_standardization(images(tf, (0, 2, 3))),
    "variation_of_a_row": lambda tf: tf.image.total_variation(images(tf, (2, 3))),
    "noise_between_sizes": lambda tf: tf.image.psnr(images(tf), images(tf, (2, 5, 7, 3)), 1.0),
    "likeness_of_other_batches": lambda tf: tf.image.ssim(
        images(tf, (3, 12, 12, 1)), images(tf, (2, 12, 12, 1)), 1.0
    ),
    "boxes_in_images_of_two_channels": lambda tf: tf.image.draw_bounding_boxes(
        images(tf, (1, 2, 2, 2)), BOXES[None]
    ),
    "sampled_around_what_lies_outside": lambda tf: (
        tf.image.sample_distorted_bounding_box([9, 9, 3], BOXES[None], 1).begin
    ),
    "sampled_of_no_area": lambda tf: (
        tf.image.sample_distorted_bounding_box([9, 9, 3], BOXES[None], 1, area_range=[0, 1]).size
    ),
    "nothing_as_png": lambda tf: tf.image.decode_png(b""),
    "text_as_png": lambda tf: tf.image.decode_png(b"hello world\n"),
    "png_of_its_header": lambda tf: tf.image.decode_png(png()[:20]),
    "png_cut_off": lambda tf: tf.image.decode_png(png()[:45]),
    "png_larger_than_any": lambda tf: tf.image.decode_png(png(b"\0\1\0\0\0\1\0\0")),
    "png_of_channels_below_none": lambda tf: tf.image.decode_png(png(), channels=-1),
    "two_files": lambda tf: tf.image.decode_png([png(), png()]),
    "two_files_at_run_time": lambda tf: tf.image.decode_jpeg(given(tf, [png(), png()])),
    "jpeg_of_nothing": lambda tf: tf.image.decode_jpeg(b"\xff\xd8\xff\xe0"),
    "jpeg_of_words": lambda tf: tf.image.decode_png(b"\xff\xd8\xff\xe0", dtype=tf.uint16),
    "jpeg_crop_of_three": lambda tf: tf.image.decode_and_crop_jpeg(b"\xff\xd8\xff\xe0", [1, 2, 3]),
    "shape_of_no_jpeg": lambda tf: tf.image.extract_jpeg_shape(b"hello world"),
    "gif_cut_off": lambda tf: tf.image.decode_gif(b"GIF89a\2\0"),
    "gif_without_frames": lambda tf: tf.image.decode_image(b"GIF89a\2\0\2\0\0\0\0,"),
    "encoded_row": lambda tf: tf.image.encode_png(tf.zeros([3, 3], tf.uint8)),
    "encoded_row_at_run_time": lambda tf: tf.image.encode_jpeg(given(tf, np.zeros([3, 3], "u1"))),
    "png_of_five_channels": lambda tf: tf.image.encode_png(tf.zeros([3, 3, 5], tf.uint8)),
    "boxes_of_three_numbers_to_draw": lambda tf: tf.image.draw_bounding_boxes(
        tf.zeros([1, 4, 4, 3]), tf.zeros([1, 2, 3])
    ),
    "jpeg_of_no_channels": lambda tf: tf.image.encode_jpeg(given(tf, np.zeros([0, 3, 0], "u1"))),
}
