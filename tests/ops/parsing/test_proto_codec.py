"""tf.io.decode_proto and encode_proto against TensorFlow 1.15.5, unless marked as ours."""

import numpy as np
import pytest
from google.protobuf import descriptor_pb2

import tfmini as tf
from tests.support import cases

NUMBERS = {
    "double": 1,
    "float": 2,
    "int64": 3,
    "uint64": 4,
    "int32": 5,
    "fixed64": 6,
    "fixed32": 7,
    "bool": 8,
    "string": 9,
    "bytes": 12,
    "uint32": 13,
    "sfixed32": 15,
    "sfixed64": 16,
    "sint32": 17,
    "sint64": 18,
}
# The dtypes for fields of a type, decoded and encoded.
TYPES = {
    "double": "float64",
    "float": "float32 float64",
    "int64": "int64",
    "uint64": "uint64",
    "int32": "int32 int64",
    "fixed64": "uint64",
    "fixed32": "uint32 uint64",
    "bool": "bool",
    "string": "string",
    "bytes": "string",
    "uint32": "uint32 uint64",
    "sfixed32": "int32 int64",
    "sfixed64": "int64",
    "sint32": "int32 int64",
    "sint64": "int64",
    "enum": "int32",
    "message": "string",
}


def description():
    """Message t.M: for each type a field TYPE_v numbered like the type, and repeated fields."""
    file = descriptor_pb2.FileDescriptorProto(name="m.proto", package="t", syntax="proto2")
    file.message_type.add(name="I").field.add(name="v", number=1, type=5, label=1)
    letters = file.enum_type.add(name="E").value
    letters.add(name="A", number=1)
    letters.add(name="B", number=5)
    message = file.message_type.add(name="M")
    defaults = {"int32": "7", "string": "dd"}
    for kind, number in NUMBERS.items():
        field = message.field.add(name=f"{kind}_v", number=number, type=number, label=1)
        if kind in defaults:
            field.default_value = defaults[kind]
    message.field.add(name="enum_v", number=14, type=14, label=1, type_name=".t.E")
    message.field.add(name="message_v", number=11, type=11, label=1, type_name=".t.I")
    message.field.add(name="ints", number=20, type=5, label=3)
    packed = message.field.add(name="packed", number=21, type=5, label=3)
    packed.options.packed = True
    message.field.add(name="messages", number=22, type=11, label=3, type_name=".t.I")
    message.extension_range.add(start=200, end=300)
    file.extension.add(name="more", number=201, type=5, label=1, extendee=".t.M")
    return descriptor_pb2.FileDescriptorSet(file=[file]).SerializeToString()


SOURCE = b"bytes://" + description()
LARGEST = b"\xff" * 9 + b"\x01"


def decoded(data, fields, types, **options):
    options = {"descriptor_source": SOURCE, "message_type": "t.M", **options}
    with tf.Session() as session:
        sizes, values = session.run(
            tf.io.decode_proto(tf.constant(data), field_names=fields, output_types=types, **options)
        )
    return sizes.tolist(), [value.tolist() for value in values]


def encoded(sizes, values, fields, **options):
    options = {"descriptor_source": SOURCE, "message_type": "t.M", **options}
    with tf.Session() as session:
        return session.run(
            tf.io.encode_proto(sizes=sizes, values=values, field_names=fields, **options)
        ).tolist()


def test_batch_fields():
    first = b"\x28\x05\x4a\x02hi\xa0\x01\x01\xa0\x01\x02"
    second = b"\xa2\x01\x03\x01\x02\x03"
    sizes, values = decoded(
        [[first, second], [b"", first]],
        ["ints", "string_v", "int32_v"],
        [tf.int32, tf.string, tf.int32],
    )
    assert sizes == [[[2, 1, 1], [3, 0, 0]], [[0, 0, 0], [2, 1, 1]]]
    assert values[0] == [[[1, 2, 0], [1, 2, 3]], [[0, 0, 0], [1, 2, 0]]]
    assert values[1] == [[[b"hi"], [b"dd"]], [[b"dd"], [b"hi"]]]
    assert values[2] == [[[5], [7]], [[7], [5]]]


def test_static_shapes():
    output = tf.io.decode_proto(
        tf.placeholder(tf.string, [None, 3]),
        "t.M",
        ["int32_v", "ints"],
        [tf.int32] * 2,
        descriptor_source=SOURCE,
    )
    assert output.sizes.shape.as_list() == [None, 3, 2]
    assert [value.shape.as_list() for value in output.values] == [[None, 3, None]] * 2
    values = [tf.placeholder(tf.int32, [4, None, None]) for _ in range(2)]
    sizes = tf.placeholder(tf.int32, [None, 3, 2])
    output = tf.io.encode_proto(sizes, values, ["int32_v", "ints"], "t.M")
    assert output.shape.as_list() == [4, None]


@cases.in_one_test
@pytest.mark.parametrize("kind", TYPES)
@pytest.mark.parametrize(
    "dtype", ["float32", "float64", "int32", "int64", "uint32", "uint64", "bool", "string"]
)
def test_dtypes_of_every_field_type(kind, dtype):
    value = np.array([[b""]], object) if dtype == "string" else np.ones([1, 1], dtype)
    if dtype in TYPES[kind].split():
        sizes, values = decoded([b""], [f"{kind}_v"], [dtype])
        default = {"int32": 7, "string": b"dd", "enum": 1}
        empty = b"" if dtype == "string" else 0
        assert (sizes, values) == ([[0]], [[[default.get(kind, empty)]]])
        (message,) = encoded([[1]], [value], [f"{kind}_v"])
        assert decoded([message], [f"{kind}_v"], [dtype]) == ([[1]], [value.tolist()])
    else:
        with pytest.raises(tf.errors.InvalidArgumentError, match=f"output type for t.M.{kind}_v: "):
            decoded([b""], [f"{kind}_v"], [dtype])
        with pytest.raises(tf.errors.InvalidArgumentError, match=f"field type is: {kind}"):
            encoded([[1]], [value], [f"{kind}_v"])


@pytest.mark.parametrize(
    "data, field, dtype, value",
    [
        (b"\x28" + LARGEST, "int32_v", tf.int32, -1),
        (b"\x20" + LARGEST, "uint64_v", tf.uint64, 2**64 - 1),
        (b"\x18" + LARGEST, "int64_v", tf.int64, -1),
        (b"\x68\xff\xff\xff\xff\x0f", "uint32_v", tf.uint32, 2**32 - 1),
        (b"\x88\x01\x03", "sint32_v", tf.int32, -2),
        (b"\x40\x02", "bool_v", tf.bool, True),
        (b"\x70\x09", "enum_v", tf.int32, 9),
        (b"\x28\x05\x28\x06", "int32_v", tf.int32, 6),
        (b"\x5a\x02\x08\x03\x5a\x02\x08\x04", "message_v", tf.string, b"\x08\x04"),
        (b"\x5a\x04\x08\x03\x08\x05", "message_v", tf.string, b"\x08\x03\x08\x05"),
        (b"\xc8\x0c\x05", "t.more", tf.int32, 5),
    ],
)
def test_scalar_fields(data, field, dtype, value):
    assert decoded([data], [field], [dtype]) == ([[1]], [[[value]]])


def test_field_of_wrong_wire_type_is_missing():
    assert decoded([b"\x2dabcd"], ["int32_v"], [tf.int32]) == ([[0]], [[[7]]])


def test_unknown_groups_are_skipped():
    """Ours: skips wire types 3 and 4."""
    assert decoded([b"\xfb\x01\x28\x01\xfc\x01\x28\x05"], ["int32_v"], [tf.int32])[1] == [[[5]]]


def test_packed_and_unpacked_fields():
    data = b"\xaa\x01\x02\x05\x06\xa8\x01\x07"
    assert decoded([data], ["packed"], [tf.int32]) == ([[3]], [[[5, 6, 7]]])


def test_nested_messages_are_sanitized():
    inputs = [b"\x5a\x04\x08\x03\x08\x05"], ["message_v"], [tf.string]
    assert decoded(*inputs, sanitize=True)[1] == [[[b"\x08\x05"]]]


def test_text_format():
    text = [b'int32_v: 5 ints: [1, 2] string_v: "x" message_v { v: 3 }']
    fields = ["int32_v", "ints", "string_v", "message_v"]
    types = [tf.int32, tf.int32, tf.string, tf.string]
    sizes, values = decoded(text, fields, types, message_format="text")
    assert sizes == [[1, 2, 1, 1]]
    assert values == [[[5]], [[1, 2]], [[b"x"]], [[b"\x08\x03"]]]


def test_no_fields():
    """Ours: TensorFlow crashes."""
    assert decoded([b"\x28\x05"], [], []) == ([[]], [])


def test_descriptor_file(tmp_path):
    path = tmp_path / "messages"
    path.write_bytes(description())
    assert decoded([b"\x28\x05"], ["int32_v"], [tf.int32], descriptor_source=str(path))[1] == [
        [[5]]
    ]


def test_linked_message_types():
    example = tf.train.Int64List(value=[1, 2])
    own = {"descriptor_source": "local://", "message_type": "tensorflow.Int64List"}
    assert decoded([example.SerializeToString()], ["value"], [tf.int64], **own)[1] == [[[1, 2]]]


def test_unknown_message_types():
    for name, options in (
        ("t.N", {"message_type": "t.N"}),
        ("t.M", {"descriptor_source": "local://"}),
    ):
        text = f"No descriptor found for message type {name}"
        with pytest.raises(tf.errors.InvalidArgumentError, match=text):
            decoded([b""], ["ints"], [tf.int32], **options)


def test_unknown_fields_and_type_counts():
    for call in (
        lambda: decoded([b""], ["no"], [tf.int32]),
        lambda: encoded([[1]], [[[1]]], ["no"]),
    ):
        with pytest.raises(tf.errors.InvalidArgumentError, match="Unknown field: no in message "):
            call()
    with pytest.raises(tf.errors.InvalidArgumentError, match="attributes must have the same"):
        decoded([b""], ["ints"], [tf.int32, tf.int32])


@pytest.mark.parametrize(
    "sizes, values, fields, messages",
    [
        ([[2, 1]], [[[1, 2]], [[5]]], ["ints", "int32_v"], [b"\x28\x05\xa0\x01\x01\xa0\x01\x02"]),
        ([[1], [0]], [[[5], [9]]], ["int32_v"], [b"\x28\x05", b""]),
        ([[2]], [[[1, 2]]], ["packed"], [b"\xaa\x01\x02\x01\x02"]),
        ([[2]], [[[1, 2]]], ["int32_v"], [b"\x28\x01\x28\x02"]),
        ([[-1]], [[[1, 2]]], ["ints"], [b""]),
        ([[[1]]], [[[[1, 2]]]], ["ints"], [[b"\xa0\x01\x01"]]),
        ([[1]], [[[-1]]], ["int32_v"], [b"\x28" + LARGEST]),
        ([[1]], [[[-2]]], ["sint32_v"], [b"\x88\x01\x03"]),
        ([[1]], [[[b"hi"]]], ["string_v"], [b"\x4a\x02hi"]),
        ([[1, 1]], [[[1]], [[2]]], ["ints", "ints"], [b"\xa0\x01\x01\xa0\x01\x02"]),
    ],
)
def test_encode_proto(sizes, values, fields, messages):
    assert encoded(sizes, values, fields) == messages


def test_invalid_value_ranks():
    with pytest.raises(ValueError, match="Shape must be at least rank 2 but is rank 1"):
        encoded([1], [[1, 2]], ["ints"])
    with pytest.raises(ValueError, match="Shapes must be equal rank, but are 1 and 2"):
        encoded([[1, 1]], [[[1, 2]], [[[1, 2]]]], ["ints", "int32_v"])
    values = [tf.placeholder_with_default([[1], [2]], None), tf.constant([[1]])]
    with pytest.raises(tf.errors.InvalidArgumentError, match="match up to the last dimension"):
        encoded([[1, 1]], values, ["ints", "int32_v"])
