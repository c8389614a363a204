"""Save and restore ops: TensorFlow 1.15.5's errors."""

import os
from pathlib import Path

import numpy as np
import pytest

import tfmini as tf
from tests.support.sessions import run
from tfmini import errors
from tfmini._src.graph.opdef import raw

GOLDEN = Path(__file__).parents[2] / "golden" / "checkpoints"
A = np.arange(6, dtype="f").reshape(2, 3)


@pytest.fixture(autouse=True)
def directory(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    with tf.Graph().as_default():
        os.mkdir("d")
        save("d/a", ["x", "y"], ["", ""], [A, np.array([b"a", b"bb"], object)])
        save("d/sl", ["x", "x"], ["4 3 0,2:-", "4 3 2,2:-"], [A, A + 6])
        save("d/gap", ["x", "x"], ["5 3 0,2:-", "5 3 3,2:-"], [A, A])
        yield tmp_path


def save(*arguments):
    run(raw.SaveV2(*arguments))


def restore(prefix, names=("x",), specs=("",), kinds=(tf.float32,)):
    return run(raw.RestoreV2(prefix, list(names), list(specs), list(kinds)))


def message_of(error):
    return error.value.message.split("\n")[0]


@pytest.mark.parametrize(
    "spec, kind, text",
    [
        ("2 3 0,2", "Internal", "Mismatching ranks: shape = [2,3], slice = 0,2"),
        ("a 3 0,2:-", "InvalidArgument", "Non numerical dimension in shape_and_slice: a 3 0,2:-"),
        ("2 3 0,2:x", "InvalidArgument", "Expected a pair of numbers or '-' but got 'x': string = 0,2:x"),
    ],
)  # fmt: skip
def test_invalid_slice_specs(spec, kind, text):
    with pytest.raises(getattr(errors, kind + "Error")) as error:
        save("d/s", ["x"], [spec], [A])
    assert message_of(error) == text
    assert not [name for name in os.listdir("d") if name.startswith("s.")]


def test_invalid_saves():
    with pytest.raises(errors.InvalidArgumentError, match="Adding duplicate key: x"):
        save("d/dup", ["x", "x"], ["", ""], [A, A])
    with pytest.raises(errors.NotFoundError) as error:
        save("d/no/deep/a", ["x"], [""], [A])
    assert message_of(error) == "d/no/deep; No such file or directory"
    with pytest.raises(
        ValueError, match="Dimension must be 2 but is 1 for 'SaveV2.*, \\[2\\], \\[1\\], \\[2,3\\]"
    ):
        save("d/b", ["x", "y"], [""], [A, A])
    with pytest.raises(ValueError, match="Shape must be rank 0 but is rank 1 for 'SaveV2"):
        save(["d/b"], ["x"], [""], [A])
    assert not [name for name in os.listdir("d") if name[0] in "bd"]


RESTORES = [
    (("d/nothing",), "NotFound",
     "Unsuccessful TensorSliceReader constructor: Failed to find any matching files for d/nothing"),
    (("d/nothing/a/b",), "InvalidArgument", "Unsuccessful TensorSliceReader constructor: Failed to get matching "
     "files on d/nothing/a/b: Not found: d/nothing/a; No such file or directory"),
    (("d/a.index",), "NotFound", 'Tensor name "x" not found in checkpoint files d/a.index'),
    (("d/",), "NotFound",
     "Unsuccessful TensorSliceReader constructor: Failed to find any matching files for d/"),
    (("d/sl", ["x"], ["4 3 1,2:-"], [tf.int32]), "InvalidArgument",
     "tensor_name = x; expected dtype int32 does not equal original dtype float"),
    (("d/gap",), "InvalidArgument",
     "Does not have sufficient slices for partitioned tensor x to restore in slice_spec: -:-"),
    ((str(GOLDEN / "old"), ["z"]), "NotFound", 'Tensor name "z" not found in checkpoint files '),
    ((str(GOLDEN / "old"), ["matrix"], [""], [tf.int32]), "InvalidArgument",
     "Expected to restore a tensor of type int32, got a tensor of type float instead: tensor_name = matrix"),
]  # fmt: skip


@pytest.mark.parametrize("arguments, kind, text", RESTORES, ids=str)
def test_invalid_restores(arguments, kind, text):
    with pytest.raises(getattr(errors, kind + "Error")) as error:
        restore(*arguments)
    assert message_of(error).startswith(text)


@pytest.mark.parametrize(
    "path, text",
    [
        (
            "d/a.data-00000-of-00001",
            "Unable to open table file d/a.data-00000-of-00001: Data loss: file is too short",
        ),
    ],
)
def test_invalid_checkpoint_files(path, text):
    with pytest.raises(errors.DataLossError) as error:
        restore(path)
    assert message_of(error).startswith(text)


@pytest.mark.parametrize(
    "spec, rows", [("4 3 1,2:-", slice(1, 3)), ("4 3 -:-", slice(0, 4)), ("", slice(0, 4))]
)
def test_slices_are_restored(spec, rows):
    (actual,) = restore("d/sl", ["x"], [spec])
    assert (actual == np.concatenate([A, A + 6])[rows]).all()


def test_static_shapes():
    outputs = raw.RestoreV2("d/a", ["x", "y"], ["2 3 0,1:-", ""], [tf.float32] * 2)
    assert [t.shape.as_list() if t.shape.ndims else None for t in outputs] == [[1, 3], None]
    with pytest.raises(
        ValueError, match="The number of shape_and_slice doesn't match tensor outputs."
    ):
        raw.RestoreV2("d/a", ["x", "y"], ["", ""], [tf.float32])
    with pytest.raises(
        ValueError, match="Expected a pair of numbers or '-' but got '3': string = 3 for 'Rest"
    ):
        raw.RestoreV2("d/a", ["x"], ["2 3"], [tf.float32])


def test_version_1_shard_pattern():
    prefix = str(GOLDEN / "shards-?????-of-00002")
    (actual,) = restore(prefix, ["large"], [""], [tf.int64])
    assert (actual == np.arange(300)).all()


def test_invalid_merges():
    with pytest.raises(errors.NotFoundError, match="d/none.index; No such file"):
        run(raw.MergeV2Checkpoints(["d/none"], "d/m"))
    with pytest.raises(ValueError, match="Shape must be rank 1 but is rank 0 for 'MergeV2"):
        raw.MergeV2Checkpoints("d/a", "d/m")


def test_sync_variable_enables_fsync(monkeypatch):
    waited = []
    monkeypatch.setattr(os, "fsync", waited.append)
    save("d/a", ["x"], [""], [A])
    assert not waited
    monkeypatch.setenv("TFMINI_SYNC", "1")
    save("d/b", ["x"], [""], [A])
    assert len(waited) == 3  # both files, and the folder before the table is renamed
    save("d/b", ["x"], [""], [A])
    assert len(waited) == 3 + 7  # a second table, and the folder before each rename


def test_shape_error_shows_constant_strings():
    with pytest.raises(ValueError, match=r"with computed input tensors: input\[2\] = <junk>\.$"):
        tf.raw_ops.RestoreV2(
            prefix="model", tensor_names=["x"], shape_and_slices=["junk"], dtypes=[tf.float32]
        )
