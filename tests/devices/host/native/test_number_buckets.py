"""Integers are in the buckets that probing by steps of 1, 2, 3 ... reaches first."""

import numpy as np

from tfmini._src.devices.host.native import number_buckets

EMPTY, DELETED = -1, -2


def probed(buckets, key, stops):
    """The first probed bucket with the key or a sentinel, or -1."""
    position = key & len(buckets) - 1
    for step in range(1, len(buckets) + 1):
        if buckets[position] == key or buckets[position] in stops:
            return position
        position = (position + step) & len(buckets) - 1
    return -1


def test_buckets_match_dict(build, use_build):
    rng = np.random.RandomState(0)
    for size, count in ((4, 3), (64, 20), (1024, 700)):
        keys = np.concatenate([rng.randint(0, 9 * size, size), rng.randint(-(2**62), -9, 9)])
        buckets = np.full(size, EMPTY)
        held = buckets.tolist()
        for _ in range(3):
            inputs = rng.choice(keys, min(count, size - sum(k >= 0 or k < -2 for k in held)))
            positions, added = number_buckets.claim_buckets(inputs, buckets, EMPTY, DELETED)
            new = 0
            for key, place in zip(inputs.tolist(), positions.tolist()):
                assert place == probed(held, key, (EMPTY, DELETED))
                new += held[place] != key
                held[place] = key
            assert added == new and buckets.tolist() == held
            positions = number_buckets.find_buckets(keys, buckets, EMPTY)
            expected = [probed(held, key, (EMPTY,)) for key in keys.tolist()]
            wrong = [place for key, place in zip(keys.tolist(), expected) if held[place] != key]
            assert [-1 if place in wrong else place for place in expected] == positions.tolist()
            for place in positions[positions >= 0][::3].tolist():
                held[place] = buckets[place] = DELETED
    use_build("0")
    assert not number_buckets.is_available()
