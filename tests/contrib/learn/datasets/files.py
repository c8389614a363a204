"""Files in MNIST's format with random pixels, in place of the real ones."""

import gzip
import os
import struct

import numpy as np


def idx(magic, sizes, content):
    """The compressed bytes of a file with this header and content."""
    return gzip.compress(struct.pack(f">{1 + len(sizes)}I", magic, *sizes) + content, mtime=0)


def write(folder, training=300, test=60):
    """Writes the four files."""
    random = np.random.RandomState(0)
    for name, count in (("train", training), ("t10k", test)):
        images = random.randint(0, 256, (count, 28, 28)).astype(np.uint8)
        labels = random.randint(0, 10, count).astype(np.uint8)
        path = os.path.join(folder, name)
        with open(f"{path}-images-idx3-ubyte.gz", "wb") as file:
            file.write(idx(2051, (count, 28, 28), images.tobytes()))
        with open(f"{path}-labels-idx1-ubyte.gz", "wb") as file:
            file.write(idx(2049, (count,), labels.tobytes()))
