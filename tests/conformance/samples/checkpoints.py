"""Checkpoints: saved, restored, and merged from shards."""

import os
import tempfile
from pathlib import Path

import numpy as np

from tests.conformance.samples import Sample
from tfmini import dtypes
from tfmini._src.graph.opdef import raw

MATRIX = np.arange(6, dtype=np.float32).reshape(2, 3)
NAMES = np.array([b"b", b"a"], object)
OLD = str(Path(__file__).parents[2] / "golden" / "checkpoints" / "old")


def in_a_folder(make):
    """`make(prefix)` builds the fetches, with a checkpoint prefix in a new folder."""
    return lambda tf: make(os.path.join(tempfile.mkdtemp(), "model"))


def saved(prefix):
    tensors = [np.array([b"x", b"yy"], object), MATRIX]
    return [
        raw.SaveV2(prefix, NAMES, ["", ""], tensors),
        raw.RestoreV2(prefix, NAMES, ["", "2 3 -:1,2"], [dtypes.string, dtypes.float32]),
    ]


def merged(prefix):
    shards = [f"{prefix}_parts/{i}" for i in range(2)]
    saves = [
        raw.SaveV2(shard, [f"v{i}", "sliced"], ["", f"4 3 {2 * i},2:-"], [np.int64(i), MATRIX + i])
        for i, shard in enumerate(shards)
    ]
    kinds = [dtypes.int64, dtypes.int64, dtypes.float32]
    restored = raw.RestoreV2(prefix, ["v0", "v1", "sliced"], ["", "", "4 3 1,2:-"], kinds)
    return [*saves, raw.MergeV2Checkpoints(shards, prefix), restored]


def vocabularies(prefix):
    """The offsets and sizes of the old file's entries."""
    folder = os.path.dirname(prefix)
    words = {"new": "venus\njupiter\r\nmercury\nmars\n", "old": "mercury\nvenus\nmars"}
    paths = [os.path.join(folder, name) for name in words]
    for path, text in zip(paths, words.values()):
        Path(path).write_bytes(text.encode())
    return [raw.GenerateVocabRemapping(*paths, 1, 3, old_vocab_size=2)]


def reordered(prefix):
    rows, columns = np.array([-1, 1, 0]), np.array([2, -1, 0])
    order = (rows, columns, np.arange(1, 6, dtype=np.float32))
    return [
        raw.SaveV2(prefix, ["m"], [""], [MATRIX]),
        raw.LoadAndRemapMatrix(prefix, "m", *order, num_rows=3, num_cols=3, max_rows_in_memory=1),
    ]


def saved_as_old(prefix):
    return [raw.Save(prefix, ["m"], [MATRIX]), raw.Restore(prefix, "m", dt=dtypes.float32)]


def slices_saved_as_old(prefix):
    texts = np.array([b"x", b"yy"], object)
    return [
        raw.SaveSlices(prefix, ["part", "text"], ["4 3 1,2:-", ""], [MATRIX, texts]),
        [
            raw.RestoreSlice(prefix, "part", "4 3 2,1:-", dt=dtypes.float32),
            raw.Restore(prefix, "text", dt=dtypes.string),
        ],
    ]


SAMPLES = [
    *(
        Sample(
            op, expect=(np.array([b"x", b"yy"], object), MATRIX[:, 1:]), build=in_a_folder(saved)
        )
        for op in ("SaveV2", "RestoreV2")
    ),
    Sample(
        "MergeV2Checkpoints",
        expect=(np.int64(0), np.int64(1), np.concatenate([MATRIX[1:], MATRIX[:1] + 1])),
        build=in_a_folder(merged),
    ),
    Sample(
        "GenerateVocabRemapping",
        expect=(np.array([-1, 0, -1]), np.int32(1)),
        build=in_a_folder(vocabularies),
    ),
    Sample(
        "LoadAndRemapMatrix",
        expect=np.array([[1, 2, 3], [5, 4, 3], [2, 5, 0]], np.float32),
        build=in_a_folder(reordered),
    ),
    Sample(
        "ShardedFilename",
        [np.array(b"a/b", object), np.int32(3), np.int32(12)],
        expect=np.array(b"a/b-00003-of-00012", object),
    ),
    Sample(
        "ShardedFilespec",
        [np.array(b"a/b", object), np.int32(12)],
        expect=np.array(b"a/b-?????-of-00012", object),
    ),
    Sample("Save", expect=MATRIX, build=in_a_folder(saved_as_old)),
    Sample(
        "SaveSlices",
        expect=(MATRIX[1:], np.array([b"x", b"yy"], object)),
        build=in_a_folder(slices_saved_as_old),
    ),
    Sample(
        "Restore",
        [np.array(OLD.encode(), object), np.array(b"matrix", object)],
        {"dt": np.float32},
        MATRIX,
        static=False,
    ),
    Sample(
        "RestoreSlice",
        [
            np.array(OLD.encode(), object),
            np.array(b"parts", object),
            np.array(b"7 4 2,3:1,2", object),
        ],
        {"dt": np.float64},
        np.arange(28.0).reshape(7, 4)[2:5, 1:3],
        static=False,
    ),
]
