"""Images: invalid ranks, sizes, boxes and thresholds."""

import struct
import zlib

import numpy as np

BOXES = np.array([[0, 0, 1, 1], [0, 0.1, 1, 1.1]], "f")
SCORES = np.array([0.9, 0.8], "f")


def images(tf, shape=(2, 5, 6, 3)):
    return tf.ones(shape)


def given(tf, value):
    """A tensor whose shape is known only at run time."""
    return tf.placeholder_with_default(np.asarray(value), None)


# Resizing


def unknown_kernel(tf):
    ones, scale = images(tf), tf.raw_ops.ScaleAndTranslate
    attrs = {"size": [2, 2], "translation": [0.0, 0.0], "kernel_type": "sinc"}
    return scale(images=ones, scale=[1.0, 1.0], **attrs)


def scale_of_nothing(tf):
    ones, scale = images(tf), tf.raw_ops.ScaleAndTranslate
    return scale(images=ones, size=[2, 2], scale=[0.0, 1.0], translation=[0.0, 0.0])


# Cutting


def unknown_noise(tf):
    ones, glimpse = images(tf), tf.raw_ops.ExtractGlimpse
    attrs = {"size": [2, 2], "uniform_noise": False, "noise": "pink"}
    return glimpse(input=ones, offsets=tf.zeros([2, 2]), **attrs)


# Suppressing


# Colours and boxes


# Files


def png(size=b"\0\0\0\2\0\0\0\2", ends=b""):
    """A PNG file of a grayscale image with this declared size."""
    parts = [(b"IHDR", size + b"\x08\0\0\0\0"), (b"IDAT", zlib.compress(b"\0\1\2\0\3\4"))]
    data = b"\x89PNG\r\n\x1a\n"
    for kind, content in parts:
        checksum = struct.pack(">I", zlib.crc32(kind + content))
        data += struct.pack(">I", len(content)) + kind + content + checksum
    return data + ends


def bmp_larger_than_its_data(tf):
    head = struct.pack("<IHHIIiiHHI", 0, 0, 0, 54, 40, 9, 9, 1, 24, 0)
    return tf.image.decode_bmp(b"BM" + head)


def bmp_of_other_channels(tf):
    head = struct.pack("<IHHIIiiHHI", 0, 0, 0, 54, 40, 9, 9, 1, 24, 0)
    return tf.image.decode_bmp(b"BM" + head, channels=4)


def tensor_of_more_elements_than_memory(tf):
    message = tf.make_tensor_proto([1])
    message.tensor_shape.dim[0].size = 1 << 62
    return tf.io.parse_tensor(message.SerializeToString(), tf.int32)


# Files of pictures without pixels
