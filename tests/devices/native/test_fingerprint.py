"""Fingerprints of bytes objects are those of numpy's formulas."""

import numpy as np

from tfmini._src.devices.native import fingerprint
from tfmini._src.devices.numpy import farmhash


def objects(strings):
    array = np.empty(len(strings), object)
    array[:] = strings
    return array


def test_fingerprints_of_all_lengths(build, use_build):
    rng = np.random.RandomState(0)
    strings = objects([rng.bytes(n) for n in [*range(200), 255, 256, 257, 1000, 5000]])
    got = fingerprint.fingerprints(strings)
    assert got.dtype == np.uint64
    use_build("0")
    assert fingerprint.fingerprints(strings) is None
    np.testing.assert_array_equal(got, farmhash.fingerprints(strings))


def test_what_is_no_vector_of_bytes_is_left_to_numpy(build):
    class Bytes(bytes):
        pass

    assert fingerprint.fingerprints(objects([b"a", Bytes(b"b")])) is None
    assert fingerprint.fingerprints(objects([b"a", None])) is None
    assert fingerprint.fingerprints(np.empty(3, object)) is None
    assert fingerprint.fingerprints(objects([b"a", b"b", b"c"])[::2]) is None
    assert fingerprint.fingerprints(objects([])).shape == (0,)
