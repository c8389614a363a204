"""Protocol buffers, tensors and JSON as strings: fields of each type, defaults, order, errors."""

import numpy as np
from google.protobuf import descriptor_pb2

from tests.conformance.scenes import unknown

_TYPES = {
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
    "enum": 14,
    "sfixed32": 15,
    "sfixed64": 16,
    "sint32": 17,
    "sint64": 18,
}

_VALUES = {
    "float": [1.5, -0.25],
    "double": [1e300, -0.1],
    "bool": [True, False],
    "string": ["a", ""],
    "bytes": [b"\xff", b"b"],
    "uint64": [2**64 - 1, 1],
    "fixed64": [2**63, 1],
    "uint32": [2**32 - 1, 1],
    "fixed32": [2**31, 1],
    "int64": [-(2**63), 1],
    "sfixed64": [2**63 - 1, -1],
    "sint64": [-(2**63), 2**63 - 1],
    "int32": [-(2**31), -1],
    "sfixed32": [-2, 2**31 - 1],
    "sint32": [-(2**31), 2**31 - 1],
    "enum": [2, 7],
}


def _descriptors():
    """Descriptors of a message with single and repeated fields of each type, packed, nested, and an extension."""
    files = descriptor_pb2.FileDescriptorSet()
    file = files.file.add(name="a.proto", package="p", syntax="proto2")
    kind = file.enum_type.add(name="E")
    kind.value.add(name="ZERO", number=0)
    kind.value.add(name="TWO", number=2)
    message = file.message_type.add(name="M")
    message.extension_range.add(start=500, end=600)
    for name, number in _TYPES.items():
        for label, start in ((1, 100), (3, 200)):
            field = message.field.add(name=f"{name}_{label}", number=start - number, label=label)
            field.type = number
            if number == 14:
                field.type_name = ".p.E"
    message.field.add(name="packed", number=40, label=3, type=17).options.packed = True
    message.field.add(name="nested", number=41, label=3, type=11, type_name=".p.M")
    message.field.add(name="seven", number=42, label=1, type=5, default_value="7")
    message.field.add(name="word", number=43, label=1, type=9, default_value="text")
    message.field.add(name="half", number=44, label=1, type=2, default_value="0.5")
    message.field.add(name="true", number=45, label=1, type=8, default_value="true")
    message.field.add(
        name="two", number=46, label=1, type=14, type_name=".p.E", default_value="TWO"
    )
    message.field.add(name="one", number=47, label=1, type=11, type_name=".p.M")
    other = files.file.add(name="b.proto", package="p", syntax="proto2", dependency=["a.proto"])
    other.extension.add(name="ext", number=501, label=1, type=5, extendee=".p.M")
    return b"bytes://" + files.SerializeToString(deterministic=True)


def _dtypes(tf):
    return {
        "double": tf.float64,
        "float": tf.float32,
        "int64": tf.int64,
        "uint64": tf.uint64,
        "int32": tf.int32,
        "fixed64": tf.uint64,
        "fixed32": tf.uint32,
        "bool": tf.bool,
        "string": tf.string,
        "bytes": tf.string,
        "uint32": tf.uint32,
        "enum": tf.int32,
        "sfixed32": tf.int32,
        "sfixed64": tf.int64,
        "sint32": tf.int32,
        "sint64": tf.int64,
    }


def encoded_and_decoded(tf, stage):
    source, kinds = _descriptors(), _dtypes(tf)
    settings = {"message_type": "p.M", "descriptor_source": source}
    for label in (1, 3):
        names = [f"{name}_{label}" for name in kinds]
        values = []
        for name in kinds:
            given = _VALUES[name][: 1 if label == 1 else 2]
            values.append(tf.constant([given, given[::-1]], kinds[name]))
        # TensorFlow pads enums with anything.
        most = 1 if label == 1 else 2
        sizes = [[most if "enum" in name else 1 for name in names], [most] * len(names)]
        made = tf.io.encode_proto(sizes, values, names, name="own", **settings)
        back = tf.io.decode_proto(made, "p.M", names, list(kinds.values()), source, name="own")
        stage.say(made.shape, back.sizes.shape, [str(v.shape) for v in back.values])
        with tf.Session() as session:
            stage.say(session.run(made))
            found = session.run(back)
            stage.say(found.sizes)
            for name, value in zip(names, found.values):
                stage.say(name, value)
    wider = {
        "float": tf.float64,
        "int32": tf.int64,
        "uint32": tf.uint64,
        "fixed32": tf.uint64,
        "sfixed32": tf.int64,
        "sint32": tf.int64,
    }
    with tf.Session() as session:
        data = session.run(made)
        names = [name + "_3" for name in wider]
        found = tf.io.decode_proto(data, "p.M", names, list(wider.values()), source)
        stage.say(session.run(found))


def protocol_buffers(tf, stage):
    source = _descriptors()
    decode, encode = tf.io.decode_proto, tf.io.encode_proto
    version = tf.compat.v1.GraphDef().versions
    version.producer, version.min_consumer = 5, 3
    version.bad_consumers.extend([7, 8])
    data = version.SerializeToString()
    three, ints = ["producer", "min_consumer", "bad_consumers"], [tf.int32] * 3
    of_version = lambda x, names=three, kinds=ints, **k: decode(  # noqa: E731
        x, "tensorflow.VersionDef", names, kinds, **k
    )
    text = {"message_format": "text"}
    of_m = lambda x, names, kinds, **k: decode(  # noqa: E731
        x, "p.M", names, kinds, k.pop("descriptor_source", source), **k
    )
    put = lambda sizes, values, names, kind="tensorflow.VersionDef", **k: encode(  # noqa: E731
        sizes, values, names, kind, **k
    )
    # A nested message whose fields are in descending order, unlike in a sanitized one.
    nested = b"\xca\x02\x06\xe8\x02\x01\xd0\x02\x05"
    stage.each(
        {
            "none": lambda: of_version(np.zeros([0, 2], object)),
            "text": lambda: of_version(["producer: 4 bad_consumers: [1, 2]", ""], **text),
            "text_wrong": lambda: of_version(["producer: x"], **text),
            "format": lambda: of_version(data, message_format="xml"),
            "lengths": lambda: of_version(data, three, ints[:2]),
            "no_field": lambda: of_version(data, ["none"], [tf.int32]),
            "dtype": lambda: of_version(data, ["producer"], [tf.string]),
            "no_source": lambda: decode(data, "p.M", ["seven"], [tf.int32], "bytes://\xff\xff"),
            "no_file": lambda: decode(data, "p.M", ["seven"], [tf.int32], "/nowhere/file"),
            "defaults": lambda: of_m(
                [b""],
                ["seven", "word", "half", "true", "int32_1", "string_3", "one", "double_1"],
                [
                    tf.int32,
                    tf.string,
                    tf.float32,
                    tf.bool,
                    tf.int32,
                    tf.string,
                    tf.string,
                    tf.float64,
                ],
            ),
            "fewer": lambda: of_m(
                [b"", b"\xc2\x02\x02\x01\x02"], ["packed", "seven"], [tf.int32, tf.int32]
            ),
            "extension": lambda: of_m([b"\xa8\x1f\x09"], ["p.ext"], [tf.int32]),
            "sanitized": lambda: of_m([nested], ["nested"], [tf.string], sanitize=True),
            "in_number_order": lambda: put(
                [[1, 1, 2]], [[[3]], [[4]], [[5, 6]]], ["bad_consumers", "min_consumer", "producer"]
            ),
            "more_than_there": lambda: put([[2]], [[[3]]], ["producer"]),
            "fields": lambda: put([[1]], [[[3]]], ["producer", "min_consumer"]),
            "batches": lambda: put(
                [[1, 1]],
                [tf.constant([[3]]), unknown(tf)([[1], [2]])],
                ["producer", "min_consumer"],
            ),
            "batches_static": lambda: put(
                [[1, 1]], [[[3]], [[1], [2]]], ["producer", "min_consumer"]
            ),
            "put_dtype": lambda: put([[1]], [[["a"]]], ["producer"]),
            "put_message": lambda: put([[1]], [[[1]]], ["none"], "tensorflow.None"),
            "put_rank": lambda: put([1], [[1]], ["producer"]),
            "put_extension": lambda: put(
                [[1, 2]], [[[6]], [[-1, 2]]], ["p.ext", "packed"], "p.M", descriptor_source=source
            ),
        },
        graph="sum",
    )


# Each ends differently; of the fields of `p.M`, 40 is packed, 42 an int32, and 43 a string.
_DAMAGED = [
    b"This is not a binary protobuf",
    b"\xd0\x02\x05\x00",
    b"\xd0\x02\x05\x07",
    b"\xd0\x02\x05\x0c",
    b"\xd0\x02\xff",
    b"\xd5\x02abc",
    b"\xd3\x02\x08\x01\xd4\x02",
    b"\xd3\x02\x08\x01\xdc\x02",
    b"\xda\x02\x05a",
    b"\xc2\x02\x05\x01",
    b"\xc2\x02\x02\x01\xff",
    b"\xc2\x02\xff",
    b"\xd2\x02\x01\x06",
    b"\xd0\x02\x05\xd2\x02\x01\x06",
    b"\xd2\x02\x01\x06\xd0\x02\x05",
    b"\xd0\x82\x80\x80\x00\x05",
    b"\x0a\x05a",
    b"\x0b\x13\x14\x0c\xd0\x02\x06",
    b"\x0b\x13\x0c\x14",
]


def damaged(tf, stage):
    source, names = _descriptors(), ["packed", "seven", "word"]
    kinds = [tf.int32, tf.int32, tf.string]
    decode = lambda data, **k: tf.io.decode_proto([data], "p.M", names, kinds, source, **k)  # noqa: E731
    cases = {f"at_{i}": lambda data=data: decode(data) for i, data in enumerate(_DAMAGED)}
    stage.each({**cases, "sanitized": lambda: decode(_DAMAGED[0], sanitize=True)})


def tensors(tf, stage):
    serialize, parse = tf.io.serialize_tensor, tf.io.parse_tensor
    kinds = [
        tf.float16,
        tf.float64,
        tf.int8,
        tf.uint16,
        tf.int64,
        tf.bool,
        tf.complex64,
        tf.bfloat16,
    ]
    x = tf.constant([[1, 0]])
    there_and_back = lambda t, kind: parse(serialize(t), kind)  # noqa: E731
    stage.each(
        {
            "kinds": lambda: [serialize(tf.cast(x, kind)) for kind in kinds],
            "back": lambda: [there_and_back(tf.cast(x, kind), kind) for kind in kinds[:-1]],
            "quantized": lambda: serialize(tf.cast(x, tf.qint8)),
            "other": lambda: there_and_back(1.0, tf.int32),
            "json_field": lambda: tf.io.decode_json_example('{"none": 1}'),
        },
        graph="sum",
    )
