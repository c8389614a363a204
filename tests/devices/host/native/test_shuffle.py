"""Shuffle order, compared with NumPy and individual swaps."""

import numpy as np

from tfmini._src.devices.host.native import shuffle
from tfmini._src.devices.numpy import random_choices
from tfmini._src.devices.numpy.philox import seeded_stream


def test_permutations_match_numpy(build, use_build):
    found = []
    for name in (build, "0"):
        use_build(name)
        sizes = (0, 1, 2, 3, 5, 64, 1000, 4097)
        found.append([random_choices.permutation(np, seeded_stream(3, 7), size) for size in sizes])
    for actual, expected in zip(*found):
        assert actual.dtype == np.int64
        np.testing.assert_array_equal(actual, expected)


def test_swap_order_matches_fisher_yates(build, use_build):
    words = np.random.default_rng(0).integers(0, 1 << 32, 99).astype(np.uint32)
    for value in (words, words[::3], words[:0]):
        order = list(range(len(value) + 1))
        for place, word in enumerate(value.tolist()):
            other = place + word % (len(order) - place)
            order[place], order[other] = order[other], order[place]
        assert shuffle.shuffle_permutation(value).tolist() == order
    use_build("0")
    assert shuffle.shuffle_permutation(words) is None
