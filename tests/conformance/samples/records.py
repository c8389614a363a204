"""Records and files: Example messages, comma-separated lines, serialized tensors, entire files."""

import json
import os
import tempfile

import numpy as np

from tests.conformance.samples import Sample
from tfmini._src.base import proto
from tfmini._src.graph.opdef import raw


def strings(*values):
    return np.array(values, object)


def longs(*values):
    return np.array(values, np.int64)


def features(**lists):
    """A Features message: ints, floats or bytes by key."""
    message = proto.Features()
    for key, values in lists.items():
        kind = {int: "int64_list", float: "float_list", bytes: "bytes_list"}[type(values[0])]
        getattr(message.feature[key], kind).value.extend(values)
    return message


def example(**lists):
    return proto.Example(features=features(**lists)).SerializeToString()


def sequence(context, **steps):
    message = proto.SequenceExample(context=context)
    for key, rows in steps.items():
        for row in rows:
            added = message.feature_lists.feature_list[key].feature.add()
            added.CopyFrom(features(x=row).feature["x"])
    return message.SerializeToString()


ONE = example(a=[1, 300], f=[1.5, 2.5], s=[b"x"], v=[5, 6, 7])
TWO = example(a=[-3, 4], f=[0.5, -2.5], v=[8])
NO_NAMES, NONE = np.zeros(0, object), np.zeros(0, np.int64)
BATCH = [
    Sample(
        "ParseExample",
        [
            strings(ONE, TWO),
            NO_NAMES,
            [np.array(key, object) for key in (b"v", b"w")],
            [np.array(key, object) for key in (b"a", b"f", b"s", b"q")],
            [NONE, np.zeros(0, "f"), np.array(b"d", object), np.int64(9)],
        ],
        {"sparse_types": [np.int64, np.float32], "dense_shapes": [[2], [2, 1], [], [None, 2]]},
        (
            np.array([[0, 0], [0, 1], [0, 2], [1, 0]]),
            np.zeros((0, 2), np.int64),
            longs(5, 6, 7, 8),
            np.zeros(0, "f"),
            longs(2, 3),
            longs(2, 0),
            np.array([[1, 300], [-3, 4]]),
            np.array([[[1.5], [2.5]], [[0.5], [-2.5]]], "f"),
            strings(b"x", b"d"),
            np.zeros((2, 0, 2), np.int64),
        ),
        static=False,
    ),
    Sample(
        "ParseExample",
        [
            strings(ONE, TWO, b""),
            NO_NAMES,
            [],
            [np.array(key, object) for key in (b"v", b"a")],
            [np.int64(-1), longs(7, 8)],
        ],
        {"sparse_types": [], "dense_shapes": [[None], [2]]},
        (np.array([[5, 6, 7], [8, -1, -1], [-1, -1, -1]]), np.array([[1, 300], [-3, 4], [7, 8]])),
        static=False,
        note="padded",
    ),
    Sample(
        "ParseSingleExample",
        [np.array(ONE, object), [NONE, np.array(b"d", object)]],
        {
            "num_sparse": 1,
            "sparse_keys": ["v"],
            "dense_keys": ["a", "s"],
            "sparse_types": [np.int64],
            "dense_shapes": [[2], []],
        },
        (np.array([[0], [1], [2]]), longs(5, 6, 7), longs(3), longs(1, 300), b"x"),
        static=False,
    ),
    Sample(
        "ParseSingleSequenceExample",
        [
            np.array(
                sequence(features(a=[1, 2]), t=[[1], [2], [3]], u=[[1.0, 2.0], [3.0]]), object
            ),
            strings(b"z"),
            [np.array(b"v", object)],
            [np.array(b"a", object)],
            [np.array(b"u", object)],
            [np.array(b"t", object), np.array(b"z", object)],
            [NONE],
            np.array(b"", object),
        ],
        {
            "context_sparse_types": [np.int64],
            "feature_list_dense_types": [np.int64, np.float32],
            "context_dense_shapes": [[2]],
            "feature_list_sparse_types": [np.float32],
            "feature_list_dense_shapes": [[], [4]],
        },
        (
            np.zeros((0, 1), np.int64),
            NONE,
            longs(0),
            longs(1, 2),
            np.array([[0, 0], [0, 1], [1, 0]]),
            np.array([1, 2, 3], "f"),
            longs(2, 2),
            longs(1, 2, 3),
            np.zeros((0, 4), "f"),
        ),
        static=False,
    ),
]

BATCH.append(
    Sample(
        "ParseSequenceExample",
        [
            strings(
                sequence(features(a=[1, 2]), t=[[1], [2]], u=[[1.0], [2.0, 3.0]]),
                sequence(features(a=[3, 4], v=[9]), t=[[5]], u=[[4.0]]),
            ),
            NO_NAMES,
            [NONE],
        ],
        {
            "feature_list_dense_missing_assumed_empty": [],
            "context_sparse_keys": ["v"],
            "context_dense_keys": ["a"],
            "feature_list_sparse_keys": ["u"],
            "feature_list_dense_keys": ["t"],
            "Ncontext_sparse": 1,
            "Ncontext_dense": 1,
            "Nfeature_list_sparse": 1,
            "Nfeature_list_dense": 1,
            "context_sparse_types": [np.int64],
            "feature_list_dense_types": [np.int64],
            "context_dense_shapes": [[2]],
            "feature_list_sparse_types": [np.float32],
            "feature_list_dense_shapes": [[]],
        },
        (
            np.array([[1, 0]]),
            longs(9),
            longs(2, 1),
            np.array([[1, 2], [3, 4]]),
            np.array([[0, 0, 0], [0, 1, 0], [0, 1, 1], [1, 0, 0]]),
            np.array([1, 2, 3, 4], "f"),
            longs(2, 2, 2),
            np.array([[1, 2], [5, 0]]),
            longs(2, 1),
        ),
        static=False,
    )
)

LINES = [
    Sample(
        "DecodeCSV",
        [
            strings(b'1,2.5,x,"a ""b"", c"', b"-3,,y,"),
            [
                np.zeros(0, "i4"),
                np.array([1.5], "f"),
                np.array([b""], object),
                np.array(b"d", object),
            ],
        ],
        expect=(
            np.array([1, -3], "i4"),
            np.array([2.5, 1.5], "f"),
            strings(b"x", b"y"),
            strings(b'a "b", c', b"d"),
        ),
    ),
    Sample(
        "DecodeCSV",
        [np.array(b"1;NA;3", object), [longs(5), np.float64(7)]],
        {"field_delim": ";", "na_value": "NA", "select_cols": [1, 2]},
        (np.int64(5), np.float64(3)),
        note="chosen columns",
    ),
    Sample(
        "DecodeCSV",
        [strings(b"\na,\r\nb", b'\r\n"c",'), [strings(b""), strings(b"d")]],
        expect=(strings(b"a", b"c"), strings(b"b", b"d")),
        note="ends of lines in front of fields",
    ),
    Sample(
        "DecodeCSV",
        [np.array(b'1,2,"3', object), [longs(0)]],
        {"select_cols": [1]},
        (np.int64(2),),
        note="nothing after the last column chosen",
    ),
]

TENSOR = np.array([[1.5, 2.0]], "f")
MESSAGE = b"\x08\x01\x12\x08\x12\x02\x08\x01\x12\x02\x08\x02\x22\x08" + TENSOR.tobytes()
JSON = {"features": {"feature": {"a": {"int64List": {"value": ["5"]}}}}}
SERIALIZED = [
    Sample("SerializeTensor", [TENSOR], expect=np.array(MESSAGE, object)),
    Sample(
        "SerializeTensor",
        [strings(b"ab", b"c")],
        expect=np.array(b"\x08\x07\x12\x04\x12\x02\x08\x02B\x02abB\x01c", object),
        note="strings",
    ),
    Sample(
        "ParseTensor", [np.array(MESSAGE, object)], {"out_type": np.float32}, TENSOR, static=False
    ),
    Sample(
        "DecodeJSONExample",
        [strings(json.dumps(JSON).encode())],
        expect=strings(b"\n\x0b\n\t\n\x01a\x12\x04\x1a\x02\x08\x05"),
    ),
    Sample(
        "DecodeProtoV2",
        [strings(b"\x0a\x03\x01\x02\x03", b"\x08\x05")],
        {
            "message_type": "tensorflow.Int64List",
            "field_names": ["value"],
            "output_types": [np.int64],
        },
        (np.array([[3], [1]], "i4"), np.array([[1, 2, 3], [5, 0, 0]])),
        static=False,
    ),
    Sample(
        "EncodeProto",
        [np.array([[3], [1]], "i4"), [np.array([[1, 2, 3], [5, 0, 0]])]],
        {"message_type": "tensorflow.Int64List", "field_names": ["value"]},
        strings(b"\x0a\x03\x01\x02\x03", b"\x0a\x01\x05"),
    ),
]


def in_a_folder(make):
    """`make(folder)` builds the fetches, in a new folder with three files."""

    def build(tf):
        folder = tempfile.mkdtemp()
        for name in ("b.txt", "a.txt", "c.csv"):
            with open(os.path.join(folder, name), "w", encoding="utf-8") as file:
                file.write("text of " + name)
        return make(folder)

    return build


def names_in(folder):
    names = raw.MatchingFiles([folder + "/*.txt", folder + "/c.csv"])
    return [raw.Substr(names, len(folder) + 1, 9)]


def written(folder):
    path = folder + "/new/file"
    return [raw.WriteFile(path, "content"), raw.ReadFile(path)]


FILES = [
    Sample(
        "ReadFile",
        expect=b"text of a.txt",
        build=in_a_folder(lambda folder: [raw.ReadFile(folder + "/a.txt")]),
    ),
    Sample("WriteFile", expect=b"content", build=in_a_folder(written)),
    Sample(
        "MatchingFiles", expect=[strings(b"a.txt", b"b.txt", b"c.csv")], build=in_a_folder(names_in)
    ),
]

SAMPLES = BATCH + LINES + SERIALIZED + FILES
