"""Beam search sequences compared with a Python loop."""

import numpy as np

from tfmini._src.devices.host.native.sequences.gather_tree import gather_tree


def test_sequences_match_numpy(build):
    rng = np.random.default_rng(0)
    for time, batch, width in ((1, 1, 1), (6, 2, 3), (9, 4, 5), (0, 2, 3)):
        ids = rng.integers(0, 9, (time, batch, width)).astype("i")
        parents = rng.integers(0, width, ids.shape).astype("i")
        lengths = rng.integers(-1, time + 3, batch).astype("i")
        expected = np.full(ids.shape, 7)
        for example, beam in np.ndindex(batch, width):
            results, position = [], beam
            for t in reversed(range(min(time, lengths[example]))):
                results.insert(0, ids[t, example, position])
                position = parents[t, example, position]
            end = results.index(7) if 7 in results else len(results)
            expected[:end, example, beam] = results[:end]
        np.testing.assert_array_equal(gather_tree(ids, parents, lengths, 7), expected)
    for wrong in (-1, 3):
        assert gather_tree(*np.full((2, 2, 1, 3), wrong, "i"), np.array([2], "i"), 7) is None
