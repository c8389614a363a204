"""Space-to-batch and space-to-depth, image and volume patches, edit distances."""

import itertools

import numpy as np

from tests.conformance.samples import Sample
from tfmini._src.graph.opdef import raw

X = np.arange(32, dtype="f").reshape(2, 4, 2, 2) / 8
IMAGES = np.arange(1, 41, dtype="f").reshape(2, 5, 4, 1) / 8
VOLUMES = np.arange(1, 55, dtype="f").reshape(1, 3, 3, 3, 2) / 8
TEXT = np.array([b"a", b"b", b"c", b"d"], object).reshape(1, 2, 2, 1)
NONE = np.zeros((2, 2), "i4")
PADS = np.array([[1, 1], [0, 2]], "i4")
TWO = np.array([2, 2], "i4")


def to_batch(x, block, paddings):
    """Each block position becomes a part of the batch."""
    rest = [(0, 0)] * (x.ndim - len(block) - 1)
    x = np.pad(x, [(0, 0), *map(tuple, paddings), *rest])
    offsets = itertools.product(*map(range, block))
    steps = [tuple(slice(o, None, b) for o, b in zip(offset, block)) for offset in offsets]
    return np.concatenate([x[(slice(None), *step)] for step in steps])


def to_depth(x, size):
    offsets = itertools.product(range(size), range(size))
    return np.concatenate([x[:, i::size, j::size] for i, j in offsets], axis=-1)


def patches(x, sizes, strides, rates):
    """Patches inside the image, by a loop over their corners."""
    extents = [(size - 1) * rate + 1 for size, rate in zip(sizes, rates)]
    counts = [(n - e) // s + 1 for n, e, s in zip(x.shape[1:], extents, strides)]
    result = np.zeros((x.shape[0], *counts, np.prod(sizes) * x.shape[-1]), x.dtype)
    for place in itertools.product(*map(range, counts)):
        part = tuple(
            slice(i * s, i * s + e, r) for i, s, e, r in zip(place, strides, extents, rates)
        )
        result[(slice(None), *place)] = x[(slice(None), *part)].reshape(len(x), -1)
    return result


def known(op, inputs, expect, gradient=(), note=""):
    """A row with a static `block_shape`: TensorFlow accepts no other."""

    def build(_):
        return [getattr(raw, op)(*inputs)]

    return Sample(op, inputs, build=build, expect=[expect], gradient=gradient, note=note)


ONE_AXIS = [X, np.array([4]), np.array([[0, 0]])]
BATCHES = [
    known("SpaceToBatchND", [X, TWO, NONE], to_batch(X, TWO, NONE), [0]),
    known("SpaceToBatchND", [X, TWO, PADS], to_batch(X, TWO, PADS), [0], note="padded"),
    known("SpaceToBatchND", ONE_AXIS, to_batch(*ONE_AXIS), note="one axis"),
    known("BatchToSpaceND", [to_batch(X, TWO, PADS), TWO, PADS], X, [0]),
    Sample("SpaceToBatch", [X, PADS], {"block_size": 2}, to_batch(X, TWO, PADS), [0]),
    Sample("BatchToSpace", [to_batch(X, TWO, PADS), PADS], {"block_size": 2}, X, [0]),
    Sample("SpaceToDepth", [X], {"block_size": 2}, to_depth(X, 2), [0]),
    Sample("DepthToSpace", [to_depth(X, 2)], {"block_size": 2}, X, [0]),
    Sample("DepthToSpace", [np.arange(9, dtype="i4").reshape(1, 1, 1, 9)], {"block_size": 3},
           np.arange(9, dtype="i4").reshape(1, 3, 3, 1), note="int32"),
]  # fmt: skip


def cut(sizes, strides, rates, padding):
    settings = {"ksizes": sizes, "strides": strides, "rates": rates}
    made = {name: [1, *values, 1] for name, values in settings.items() if values}
    return {**made, "padding": padding}


PATCHES = [
    Sample("ExtractImagePatches", [IMAGES], cut([2, 3], [2, 1], [1, 1], "VALID"),
           patches(IMAGES, [2, 3], [2, 1], [1, 1]), [0]),
    Sample("ExtractImagePatches", [IMAGES], cut([2, 2], [1, 1], [3, 2], "VALID"),
           patches(IMAGES, [2, 2], [1, 1], [3, 2]), note="rates"),
    Sample("ExtractImagePatches", [IMAGES], cut([3, 2], [2, 3], [1, 1], "SAME"),
           patches(np.pad(IMAGES, [(0, 0), (1, 1), (0, 1), (0, 0)]), [3, 2], [2, 3], [1, 1]), [0],
           note="padded"),
    Sample("ExtractImagePatches", [IMAGES.astype("i4")], cut([6, 2], [1, 1], [1, 1], "VALID"),
           np.zeros((2, 0, 3, 12), "i4"), note="too large"),
    Sample("ExtractVolumePatches", [VOLUMES], cut([2, 1, 2], [1, 2, 1], None, "VALID"),
           patches(VOLUMES, [2, 1, 2], [1, 2, 1], [1, 1, 1]), note="inside"),
    Sample("ExtractVolumePatches", [VOLUMES], cut([2, 2, 1], [1, 2, 3], None, "SAME"),
           patches(np.pad(VOLUMES, [(0, 0), (0, 1), (0, 1), (0, 0), (0, 0)]), [2, 2, 1], [1, 2, 3],
                   [1, 1, 1])),
]  # fmt: skip

# kitten, (nothing), flaw against sitting, a, lawn; letters as numbers.
WORDS = {"kitten": (0, 0), "flaw": (1, 0)}, {"sitting": (0, 0), "a": (0, 1), "lawn": (1, 0)}


def written(words, form):
    places = [(*row, i) for word, row in words.items() for i in range(len(word))]
    letters = [letter for word in words for letter in word]
    if form == "strings":
        values = np.array([letter.encode() for letter in letters], object)
    else:
        values = np.array([ord(letter) for letter in letters], "i4")
    return [np.array(places), values, np.array([2, 2, 8])]


DISTANCES = [
    Sample("EditDistance", [*written(WORDS[0], "numbers"), *written(WORDS[1], "numbers")],
           expect=np.array([[3 / 7, 1], [2 / 4, 0]], "f")),
    Sample("EditDistance", [*written(WORDS[0], "strings"), *written(WORDS[1], "strings")],
           {"normalize": False}, np.array([[3, 1], [2, 0]], "f"), note="strings"),
    Sample("EditDistance", [*written(WORDS[1], "numbers"), *written(WORDS[0], "numbers")],
           expect=np.array([[3 / 6, np.inf], [2 / 4, 0]], "f"), note="empty truth"),
]  # fmt: skip

SAMPLES = BATCHES + PATCHES + DISTANCES
