"""Version 1 checkpoints are byte-identical to TensorFlow 1.15.5's."""

from pathlib import Path

import numpy as np
import pytest

from tfmini import errors
from tfmini._src.base import proto
from tfmini._src.formats import checkpoint_v1_writer
from tfmini._src.formats.checkpoint_v1 import OldCheckpoint
from tfmini._src.formats.checkpoint_v1_writer import OldCheckpointWriter
from tfmini._src.formats.ordered_code import FULL_EXTENT
from tfmini._src.formats.table import Table
from tfmini.dtypes import as_dtype

FOLDER = Path(__file__).parents[1] / "golden" / "checkpoints"
FLOAT = as_dtype("float32")
ONES = np.ones([3, 4], np.float32)


def slices_of(path):
    """The name, shape, dtype and position of each slice in a file, in order."""
    data = Table(path.read_bytes(), "file").get(b"")
    for each in proto.SavedTensorSlices.FromString(data).meta.tensor:
        for part in each.slice:
            extents = [
                (e.start, e.length) if e.HasField("length") else FULL_EXTENT for e in part.extent
            ]
            yield each.name, [d.size for d in each.shape.dim], as_dtype(each.type), extents


@pytest.mark.parametrize("name", ["old", "old_kinds", "shards-00000-of-00002"])
def test_checkpoint_matches_tensorflow_bytes(tmp_path, name):
    there = OldCheckpoint([str(FOLDER / name)], name)
    writer = OldCheckpointWriter()
    for key, shape, dtype, extents in slices_of(FOLDER / name):
        writer.add(key, shape, extents, there.read_slice(key, extents), dtype)
    writer.write(str(tmp_path / name))
    assert (tmp_path / name).read_bytes() == (FOLDER / name).read_bytes()
    assert [path.name for path in tmp_path.iterdir()] == [name]


def test_mismatched_slices_are_refused():
    writer = OldCheckpointWriter()
    writer.add("x", [3, 4], [FULL_EXTENT] * 2, ONES, FLOAT)
    text = r"Mismatching shapes: existing tensor = \[3,4\], trying to add name x, shape = \[1,4\]"
    with pytest.raises(errors.InternalError, match=text):
        writer.add("x", [1, 4], [FULL_EXTENT] * 2, ONES[:1], FLOAT)
    text = "Mismatching types: existing type = float, trying to add name x, type = int32"
    with pytest.raises(errors.InternalError, match=text):
        writer.add("x", [3, 4], [FULL_EXTENT] * 2, ONES.astype(np.int32), as_dtype("int32"))
    with pytest.raises(errors.UnimplementedError, match="Saving data type uint64 not yet supp"):
        writer.add("y", [], [], np.array(1, np.uint64), as_dtype("uint64"))


def test_first_of_duplicate_slices_is_kept(tmp_path):
    writer = OldCheckpointWriter()
    for value in (ONES, ONES * 2):
        writer.add("x", [3, 4], [FULL_EXTENT] * 2, value, FLOAT)
    writer.write(str(tmp_path / "file"))
    data = Table((tmp_path / "file").read_bytes(), "file")
    assert [key == b"" for key, _ in data.items()] == [True, False]


def test_oversized_slice_is_refused(monkeypatch):
    monkeypatch.setattr(checkpoint_v1_writer, "_LARGEST_MESSAGE", 1100)
    writer = OldCheckpointWriter()
    writer.add("x", [3, 4], [FULL_EXTENT] * 2, ONES, FLOAT)
    text = r"Tensor slice is too large to serialize \(conservative estimate: 1[12]\d\d bytes\)"
    for value, dtype in ((np.ones(30), "float64"), (np.array([b"x" * 90], object), "string")):
        with pytest.raises(errors.InvalidArgumentError, match=text):
            writer.add("y" + dtype, [len(value)], [FULL_EXTENT], value, as_dtype(dtype))
