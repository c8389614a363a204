"""TensorFlow 1.15.5's version 1 checkpoints are read; damage is detected."""

import random
from pathlib import Path

import numpy as np
import pytest

from tests.formats.damage import COUNT
from tests.formats.test_bundle import VALUES
from tfmini import errors
from tfmini._src.base import proto
from tfmini._src.formats.bundle import Bundle
from tfmini._src.formats.checkpoint_v1 import OldCheckpoint
from tfmini._src.formats.ordered_code import FULL_EXTENT
from tfmini._src.formats.table import TableWriter
from tfmini.dtypes import as_dtype

FOLDER = Path(__file__).parents[1] / "golden" / "checkpoints"
KINDS = "bool int8 uint8 int16 uint16 int32 int64 float16 float32 float64 complex64 complex128"


def old(*names):
    return OldCheckpoint([str(FOLDER / name) for name in names], "files")


@pytest.mark.parametrize("shards", [["old"], ["shards-00000-of-00002", "shards-00001-of-00002"]])
def test_tensorflow_checkpoint_is_read(shards):
    checkpoint = old(*shards)
    values = {name: value for name, value in VALUES.items() if name != "deep/er/half"}
    if len(shards) > 1:
        values["large"] = np.arange(300)
    assert checkpoint.names == sorted(values)
    for name, value in values.items():
        actual = checkpoint.read(name)
        assert actual.shape == np.shape(value) == checkpoint.shape(name)
        assert actual.dtype == value.dtype == checkpoint.dtype(name).as_numpy_dtype
        assert (actual == value).all()
    assert checkpoint.count_slices("parts") == 3 and checkpoint.count_slices("number") == 1


@pytest.mark.parametrize("kind", KINDS.split())
def test_dtypes(kind):
    expected = np.array([0, 1, 100]).astype(as_dtype(kind).as_numpy_dtype)
    for checkpoint in (old("old_kinds"), Bundle(str(FOLDER / "kinds"))):
        actual = checkpoint.read(f"of_{kind}")
        assert actual.dtype == expected.dtype and (actual == expected).all()


@pytest.mark.parametrize("extents", [[(0, 3), FULL_EXTENT], [(2, 4), (1, 2)], [(6, 1), (0, 4)]])
def test_slices_of_sliced_tensor(extents):
    rows, columns = (slice(s, None if n < 0 else s + n) for s, n in extents)
    actual = old("old").read_slice("parts", extents)
    assert (actual == VALUES["parts"][rows, columns]).all()


def test_missing_files_and_keys(tmp_path):
    with pytest.raises(errors.NotFoundError, match="Failed to find any matching files for files"):
        OldCheckpoint([], "files")
    with pytest.raises(errors.NotFoundError, match='name "z" not found in checkpoint files files'):
        old("old").read("z")
    (tmp_path / "other").write_bytes(b"hello" * 100)
    for path, said in ((tmp_path / "other", "not an sstable"), (tmp_path, "Is a directory")):
        with pytest.raises(errors.DataLossError, match=f"Unable to open table file .*{said}"):
            OldCheckpoint([str(path)], str(path))


@pytest.mark.parametrize(
    "dtype, size, text",
    [(99, 3, "x has unknown dtype 99"), (1, -2, r"x has the shape \[-2\]")],
)
def test_invalid_tensor_metadata(tmp_path, dtype, size, text):
    message = proto.SavedTensorSlices()
    tensor = message.meta.tensor.add(name="x", type=dtype)
    tensor.shape.dim.add(size=size)
    tensor.slice.add().extent.add()
    path = str(tmp_path / "old")
    with open(path, "wb") as file:
        table = TableWriter(file)
        table.add(b"", message.SerializeToString())
        table.finish()
    with pytest.raises(errors.DataLossError, match=text):
        OldCheckpoint([path], path)


def test_missing_shard():
    with pytest.raises(errors.NotFoundError, match="checkpoints/none; No such file or directory"):
        OldCheckpoint([str(FOLDER / "none")], "files")


@pytest.mark.damage
def test_random_damage_is_detected(tmp_path):
    """A changed byte or a truncation raises an error of tf.errors, or does not change the values."""
    whole = (FOLDER / "old").read_bytes()
    path = tmp_path / "old"
    chosen = random.Random(0)
    result = 0
    for _ in range(COUNT):
        damaged = bytearray(whole)
        if chosen.random() < 0.2:
            del damaged[chosen.randrange(len(damaged)) :]
        else:
            for _ in range(chosen.choice([1, 1, 4])):
                damaged[chosen.randrange(len(damaged))] ^= 1 << chosen.randrange(8)
        path.write_bytes(damaged)
        try:
            checkpoint = OldCheckpoint([str(path)], str(path))
            for name in ("matrix", "strings", "number", "parts"):
                assert (checkpoint.read(name) == VALUES[name]).all()
        except errors.OpError:
            result += 1
    assert result > COUNT // 2
