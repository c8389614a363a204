"""String hashes compared with TensorFlow 1.15.5 and published test vectors."""

import numpy as np
import pytest

from tfmini._src.devices.numpy import farmhash
from tfmini._src.devices.numpy.string_hashes import murmur_hashes, sip_hashes

LENGTHS = [0, 1, 3, 4, 7, 8, 16, 17, 32, 33, 64, 65, 128, 129, 200, 1000]
STRINGS = [bytes((i * 7 + n) % 256 for i in range(n)) for n in LENGTHS]


def of_list(hashes):
    def made(strings):
        array = np.empty(len(strings), object)
        array[:] = strings
        return hashes(array)

    return made


# TensorFlow 1.15.5's, modulo 2^62; SipHash with the key [3, -5].
FAST = """1ae16a3b2f90404f 7a24c13b17e583e b4412e33eefd64 107ef4cfd78de68 2f296bc3f2781108
2f3c2feaecfb8228 935c33c50c919d8 2b5e445e8ed8468f 37679234ee53fb79 2ce067ceef8b7acd
19cef40b2c6f98ec 62c410b763bef3d 1bceebb7b5db6dc9 651ad82f97e3ac7 2cf7f5990a1b14f
3d452cfc7712240"""
STRONG = """24e566aeb33425c0 318d814ffb8b42bb 2e53d04e2063dc10 3b289272338976fa 3a46e7b705343b71
24c7864dadb93a10 33e1b5a45153995a 327bdbdb8f018436 22f710763d5c85ba 9d534451224420b
a7d122274bae2b2 26e9841b2590b9c 36207b4ba8f3edf7 14adb8594c8a7e4e 3084c0ce4e2cb995
81cf5ba5091f484"""
LEGACY = """1769421199f9e3b 22b02903c2030d3a 939d71657f711ab ede05c5575b6579 314bdd04093aee53
18e1384c95c170a7 dd1f6158ea4184e 316daefaaa2cefb8 269d5f11a0d4f444 2b0f8b19185e560d
271ad41bef3190f5 b18d17105f1409d 1e7f87d49a9f25d7 370d5bf697c2a95 2b94602bb3583113
1abf8877c7072719"""


def numbers(text):
    return np.array([int(word, 16) for word in text.split()], np.uint64)


HASHES = [
    (of_list(farmhash.fingerprints), FAST),
    (of_list(lambda strings: sip_hashes(strings, (3, -5))), STRONG),
    (of_list(murmur_hashes), LEGACY),
]


@pytest.mark.parametrize("function, expected", HASHES, ids=["farm", "sip", "murmur"])
def test_hashes_match_tensorflow(function, expected):
    np.testing.assert_array_equal(function(STRINGS) % np.uint64(2**62), numbers(expected))


@pytest.mark.parametrize("function, expected", HASHES, ids=["farm", "sip", "murmur"])
def test_hashes_are_independent_of_neighbours(function, expected):
    order = np.random.RandomState(0).permutation(len(STRINGS))
    together = function([STRINGS[i] for i in order])
    alone = [function([STRINGS[i]])[0] for i in order]
    np.testing.assert_array_equal(together, alone)


@pytest.mark.parametrize("function, expected", HASHES, ids=["farm", "sip", "murmur"])
def test_zero_bytes_are_hashed(function, expected):
    without = [b"a" * n for n in LENGTHS]
    within = [b"", b"\0", b"\0\0", b"a\0b", b"\0" * 70, b"a\0" * 40]
    for strings in (without, within, without + within, [b""] * 3):
        alone = [function([string])[0] for string in strings]
        np.testing.assert_array_equal(function(strings), alone)
    assert len(set(function(within).tolist())) == len(within)


@pytest.mark.parametrize("function, expected", HASHES, ids=["farm", "sip", "murmur"])
def test_empty_array(function, expected):
    assert function([]).shape == (0,)


def test_siphash_reference_vector():
    """The vector of appendix A of Aumasson and Bernstein: key 00..0f, message 00..0e."""
    key = tuple(int.from_bytes(bytes(range(i, i + 8)), "little") for i in (0, 8))
    assert sip_hashes(np.array([bytes(range(15))], object), key)[0] == 0xA129CA6149BE45E5
