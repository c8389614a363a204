"""Records of one layout as a table give what each gives alone."""

import numpy as np
import pytest

from tests.devices.test_example_wire import example
from tfmini._src.devices.example_tables import numbers_of, table_of
from tfmini._src.devices.example_wire import Malformed, floats_of, ints_of, packed_of, read_example

RANDOM = np.random.RandomState(0)


def records(count=20):
    """With values of every length that takes the same number of bytes."""
    made = []
    for number in range(count):
        ints = [1, 2, 300] if number % 3 else [70000, -(2**63)][: number % 2 + 1]
        made.append(
            example(
                f=("float_list", RANDOM.rand(30)),
                i=("int64_list", ints),
                n=("float_list", []),
                s=("bytes_list", [b"ab", b""]),
            )
        )
    return [r for r in made if len(r) == len(made[1])]


def test_numbers():
    data = records()
    table = table_of(data)
    for key, read in ((b"f", floats_of), (b"i", ints_of), (b"n", floats_of)):
        wanted = read([packed_of(r, read_example(r)[key]) for r in data])
        values, counts = numbers_of(table, table.features[key])
        assert values.tolist() == wanted[0].tolist() and values.dtype == wanted[0].dtype
        assert counts.tolist() == wanted[1].tolist()
        assert values.flags.writeable


def test_varints_of_other_lengths_in_the_same_bytes():
    data = [example(i=("int64_list", 8 * v)) for v in ([300, 1], [1, 300], [1, 2, 3])] * 3
    table = table_of(data)
    values, counts = numbers_of(table, table.features[b"i"])
    assert values.tolist() == (8 * [300, 1] + 8 * [1, 300] + 8 * [1, 2, 3]) * 3
    assert counts.tolist() == [16, 16, 24] * 3


@pytest.mark.parametrize(
    "data",
    [
        [],
        records()[:3],
        [example(f=("float_list", [1.0] * (3 + n % 2))) for n in range(10)],
        [example(**{"fg"[n % 2]: ("float_list", [1.0] * 9)}) for n in range(10)],
        [example(s=("bytes_list", [b"some"])) for _ in range(10)],
        [b"\x0a\x0d\x0a\x0b\x0a\x01a\x12\x06\x1a\x04\x08\x05\x08\x06"] * 10,  # not packed
    ],
    ids=["none", "few", "lengths", "keys", "strings", "single varints"],
)
def test_no_table(data):
    assert table_of(data) is None


def test_malformed():
    with pytest.raises(Malformed):
        table_of([b"\x0a\x7f" + bytes(9)] * 10)
    record = b"\x0a\x35\x0a\x33\x0a\x01a\x12\x2e\x12\x2c\x0a\x2a" + bytes(
        42
    )  # ten floats and a half
    table = table_of([record] * 10)
    with pytest.raises(Malformed):
        numbers_of(table, table.features[b"a"])
    record = example(i=("int64_list", [1, 300, 400] * 9))
    table = table_of([record[:-1] + b"\x80"] * 10)
    with pytest.raises(Malformed):
        numbers_of(table, table.features[b"i"])
