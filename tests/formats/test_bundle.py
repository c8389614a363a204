"""TensorFlow 1.15.5's checkpoints are read, and rewritten byte for byte; damage is detected."""

import shutil
from pathlib import Path

import ml_dtypes
import numpy as np
import pytest

from tests.formats.damage import COUNT, damaged_files
from tfmini import errors
from tfmini._src.formats.bundle import Bundle
from tfmini._src.formats.bundle_files import data_path, index_path
from tfmini._src.formats.bundle_writer import BundleWriter
from tfmini._src.formats.ordered_code import FULL_EXTENT

GOLDEN = str(Path(__file__).parents[1] / "golden" / "checkpoints" / "bundle")
VALUES = {
    "matrix": np.arange(6, dtype=np.float32).reshape(2, 3),
    "strings": np.array([b"x", b"", b"\x00\xff longer" * 30], object),
    "deep/er/half": np.arange(4).astype(ml_dtypes.bfloat16),
    "number": np.int64(7),
    "nothing": np.zeros([0, 3]),
    "parts": np.arange(28.0).reshape(7, 4),
    **{f"many/v{i:03d}": np.float32(i) for i in range(40)},
}
PARTS = [(0, 3), (3, 2), (5, 2)]


def write(prefix, values=VALUES):
    with BundleWriter(prefix) as writer:
        for name in sorted(values):
            if name != "parts":
                writer.add(name, values[name])
                continue
            for start, length in PARTS:
                part = values[name][start : start + length]
                writer.add_slice(name, [7, 4], [(start, length), (0, 4)], part)
        writer.finish()


def test_tensorflow_bundle_is_read():
    bundle = Bundle(GOLDEN)
    assert [name for name, _ in bundle.entries()] == sorted(VALUES)
    for name, value in VALUES.items():
        actual = bundle.read(name)
        assert actual.shape == np.shape(value) and actual.dtype == value.dtype
        assert (actual == value).all()
    assert "number" in bundle and "numbe" not in bundle


def test_bundle_matches_tensorflow_bytes(tmp_path):
    prefix = str(tmp_path / "bundle")
    write(prefix)
    assert sorted(p.name for p in tmp_path.iterdir()) == [
        "bundle.data-00000-of-00001",
        "bundle.index",
    ]
    for path in (index_path, lambda p: data_path(p, 0, 1)):
        assert Path(path(prefix)).read_bytes() == Path(path(GOLDEN)).read_bytes()


@pytest.mark.parametrize(
    "extents",
    [
        [FULL_EXTENT, FULL_EXTENT],
        [(0, 3), FULL_EXTENT],
        [(2, 4), (1, 2)],
        [(6, 1), (0, 4)],
        [(4, 0), FULL_EXTENT],
    ],
)
def test_slices_of_sliced_tensor(extents):
    rows, columns = (slice(s, None if n < 0 else s + n) for s, n in extents)
    actual = Bundle(GOLDEN).read_slice("parts", extents)
    assert (actual == VALUES["parts"][rows, columns]).all()
    assert actual.shape == VALUES["parts"][rows, columns].shape


def test_slices_of_whole_tensor():
    assert Bundle(GOLDEN).read_slice("matrix", [(1, 1), (1, 2)]).tolist() == [[4, 5]]


def test_all_dtypes(tmp_path):
    prefix = str(tmp_path / "all")
    values = {f"v{i}": np.ones(3, kind) for i, kind in enumerate("?bBhHiIlLefdFD")}
    write(prefix, values)
    bundle = Bundle(prefix)
    for name, value in values.items():
        assert bundle.read(name).dtype == value.dtype
        assert (bundle.read(name) == value).all()


def test_background_checksums(tmp_path):
    """A thread computes the checksum of a large tensor; damage is reported at the end of the block."""
    prefix = str(tmp_path / "large")
    value = np.arange(1 << 20, dtype=np.float32)
    write(prefix, {"a": value, "b": value + 1})
    bundle = Bundle(prefix)
    with bundle.background_checksums():
        actual = [bundle.read("a"), bundle.read("b")]
    assert (actual[0] == value).all() and (actual[1] == value + 1).all()
    bundle.check("b")
    with open(data_path(prefix, 0, 1), "r+b") as file:
        file.seek(value.nbytes - 3)
        file.write(b"x")
    read = []
    with pytest.raises(errors.DataLossError, match="Checksum does not match.*: a at byte 0"):
        with bundle.background_checksums():
            read.append(bundle.read("a"))
            read.append(bundle.read("b"))
    assert len(read) == 2
    for damaged in (bundle.read, bundle.check):
        with pytest.raises(errors.DataLossError, match="Checksum does not match"):
            damaged("a")


def test_missing_files_and_keys(tmp_path):
    with pytest.raises(errors.NotFoundError, match="No such file"):
        Bundle(str(tmp_path / "none"))
    with pytest.raises(errors.NotFoundError, match="Key none not found in checkpoint"):
        Bundle(GOLDEN).read("none")
    with pytest.raises(errors.NotFoundError, match="^Key  not found in checkpoint$"):
        Bundle(GOLDEN).entry("")
    for extents in ([(0, 8), FULL_EXTENT], [(-1, 2), FULL_EXTENT], [FULL_EXTENT]):
        with pytest.raises(
            errors.InvalidArgumentError, match=r"^parts of shape \[7, 4\] has no slice at \[\("
        ):
            Bundle(GOLDEN).read_slice("parts", extents)


def test_duplicate_key_is_refused(tmp_path):
    with BundleWriter(str(tmp_path / "twice")) as writer:
        writer.add("a", 1.0)
        with pytest.raises(errors.InvalidArgumentError, match="Adding duplicate key: a"):
            writer.add("a", 2.0)
    assert not list(tmp_path.iterdir())


def test_unfinished_bundle_leaves_no_files(tmp_path):
    prefix = str(tmp_path / "model")
    write(prefix, {"a": np.ones(3)})
    before = {p.name: p.read_bytes() for p in tmp_path.iterdir()}
    with pytest.raises(ZeroDivisionError, match="^meanwhile$"), BundleWriter(prefix) as writer:
        writer.add("a", np.zeros(3))
        raise ZeroDivisionError("meanwhile")
    assert {p.name: p.read_bytes() for p in tmp_path.iterdir()} == before


def test_damaged_string_lengths(tmp_path):
    """They have a separate checksum, after one byte per length."""
    prefix = str(tmp_path / "strings")
    write(prefix, {"strings": VALUES["strings"]})
    with open(data_path(prefix, 0, 1), "r+b") as file:
        file.seek(3 + 1)  # the third length occupies two bytes
        file.write(b"\0\0\0\0")
    with pytest.raises(errors.DataLossError, match="lengths of the strings of strings are damaged"):
        Bundle(prefix).read("strings")


@pytest.mark.damage
@pytest.mark.parametrize("which", ["index", "data-00000-of-00001"])
def test_random_damage_is_detected(tmp_path, which):
    """A changed byte or a truncation raises an error of tf.errors, or does not change the values."""
    prefix = str(tmp_path / "bundle")
    for ending in ("index", "data-00000-of-00001"):
        shutil.copy(f"{GOLDEN}.{ending}", f"{prefix}.{ending}")
    whole = Path(f"{GOLDEN}.{which}").read_bytes()
    result = 0
    for _ in damaged_files(f"{prefix}.{which}", whole):
        try:
            bundle = Bundle(prefix)
            for name, value in VALUES.items():
                assert (bundle.read(name) == value).all()
        except (errors.DataLossError, errors.NotFoundError, errors.InvalidArgumentError):
            result += 1
    assert result > COUNT // 2
