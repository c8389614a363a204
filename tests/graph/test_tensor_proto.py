"""TensorProtos, parsed and serialized with the same bytes as in TensorFlow 1.15.5."""

import contextlib
import tracemalloc

import numpy as np
import pytest

import tfmini as tf
from tfmini import dtypes
from tfmini._src.base import proto
from tfmini._src.graph.attributes import Literal
from tfmini._src.graph.tensor_proto import (
    MakeNdarray,
    has_shape,
    literal_to_proto,
    make_tensor_proto,
    proto_sizes,
    proto_to_literal,
)

# dtype: the bytes of 1, of [1, 0], and of [1, 0] extended to the shape [2, 3].
BYTES = {
    "float16": ("081312006a028078", "08131204120208026a03807800", "6a03807800"),
    "float32": ("080112002a040000803f", "080112041202080222080000803f00000000",
                "2a080000803f00000000"),
    "float64": ("080212003208000000000000f03f",
                "08021204120208022210000000000000f03f0000000000000000",
                "3210000000000000f03f0000000000000000"),
    "bfloat16": ("080e12006a02807f", "080e1204120208026a03807f00", "6a03807f00"),
    "int8": ("080612003a0101", "080612041202080222020100", "3a020100"),
    "int16": ("080512003a0101", "0805120412020802220401000000", "3a020100"),
    "int32": ("080312003a0101", "080312041202080222080100000000000000", "3a020100"),
    "int64": ("08091200520101", "0809120412020802221001000000000000000000000000000000",
              "52020100"),
    "uint8": ("080412003a0101", "080412041202080222020100", "3a020100"),
    "uint16": ("081112003a0101", "08111204120208023a020100", "3a020100"),
    "uint32": ("0816120082010101", "081612041202080222080100000000000000", "8201020100"),
    "uint64": ("081712008a010101", "0817120412020802221001000000000000000000000000000000",
               "8a01020100"),
    "complex64": ("080812004a080000803f00000000",
                  "08081204120208024a100000803f000000000000000000000000",
                  "4a100000803f000000000000000000000000"),
    "complex128": ("081212006210000000000000f03f0000000000000000",
                   "08121204120208026220000000000000f03f000000000000000000000000000000000000"
                   "000000000000",
                   "6220000000000000f03f000000000000000000000000000000000000000000000000"),
}  # fmt: skip


def written(*args, **kwargs):
    """A message's bytes as hex, after checking that they survive a round trip."""
    message = make_tensor_proto(*args, **kwargs)
    data = message.SerializeToString()
    assert literal_to_proto(proto_to_literal(message)).SerializeToString() == data
    return data.hex()


@pytest.mark.parametrize("name, expected", BYTES.items())
def test_proto_of_each_dtype(name, expected):
    dtype = getattr(dtypes, name)
    scalar, vector, tail = expected
    assert written(1, dtype) == scalar
    assert written([1, 0], dtype) == vector
    assert written(np.array([1, 0]).astype(dtype.numpy)) == vector
    assert written([1, 0], dtype, [2, 3]) == vector[:4] + "120812020802120208" + "03" + tail
    assert written([1, 0], dtype, [2]) == vector
    back = proto_to_literal(make_tensor_proto([1, 0], dtype, [2, 3])).array
    assert back.dtype == dtype.numpy
    assert back.tolist() == [[1, 0, 0], [0, 0, 0]]


@pytest.mark.parametrize(
    "value, expected",
    [
        (1, "080312003a0101"),
        (1.5, "080112002a040000c03f"),
        (True, "080a12005a0101"),
        ([True, False], "080a1204120208025a020100"),
        ("a", "08071200420161"),
        (b"a", "08071200420161"),
        (["a", "bc"], "080712041202080242016142026263"),
        ([1, 2], "080312041202080222080100000002000000"),
        ([1, 2.5], "080112041202080222080000803f00002040"),
        (np.float64(1.5), "080212003208000000000000f83f"),
        (np.array([65535, 1], np.uint16), "08111204120208023a04ffff0301"),
        ((1 + 2j, 3.5), "0812120412020802622000000000"),
    ],
)
def test_inferred_dtypes(value, expected):
    assert written(value).startswith(expected)


def test_strings():
    assert written("a", shape=[2]) == "0807120412020802420161"
    assert written(["a", "b"], shape=[3]) == "0807120412020803420161420162"
    assert written([], dtypes.string) == "080712021200"
    assert written([], dtypes.string, [2]) == "0807120412020802"
    read = MakeNdarray(make_tensor_proto(["a", b"\0b"], shape=[3]))
    assert read.tolist() == [b"a", b"\0b", b"\0b"]
    assert read.dtype == np.dtype("O")


def test_quantized():
    assert written((1,), dtypes.qint8) == "080b12003a0101"
    assert written([(1,), (2,)], dtypes.qint8) == "080b12041202080222020102"
    assert written([(1,), (2,)], dtypes.qint32, [3]) == "080d1204120208033a020102"
    assert MakeNdarray(make_tensor_proto([(1,), (2,)], dtypes.qint8)).tolist() == [(1,), (2,)]


def test_layouts():
    array = np.arange(6, dtype=np.float32).reshape(2, 3)
    assert written(np.asfortranarray(array)) == written(array)
    assert written(array.astype(">f4")) == written(array)
    assert MakeNdarray(make_tensor_proto(array.T)).tolist() == array.T.tolist()


def test_decoded_array_is_writable_copy():
    message = make_tensor_proto([1.0, 2.0])
    array = MakeNdarray(message)
    array[0] = 5
    assert MakeNdarray(message)[0] == 1


def test_tensor_proto_is_returned_unchanged():
    message = proto.TensorProto(dtype=1)
    assert make_tensor_proto(message) is message


def test_tensor_proto_shapes():
    message = make_tensor_proto([[1, 2, 3]])
    assert proto_sizes(message.tensor_shape) == [1, 3]
    result = [has_shape(message, each) for each in ([1, 3], (1, 4), [1], message.tensor_shape)]
    assert result == [True, False, True, True]
    with pytest.raises(TypeError, match="shape is not a list or tuple"):
        has_shape(message, tf.TensorShape([1, 3]))


@pytest.mark.parametrize(
    "args, text",
    [
        ((None,), "ValueError: None values not supported."),
        (([1, 2, 3], None, [2]), "Too many elements provided. Needed at most 2, but received 3"),
        ((1, None, [2], True, True), "allow_broadcast and verify_shape are not both allowed."),
        ((1, dtypes.float32, [2, 3], True), "TypeError: Expected Tensor's shape: (2, 3), got ()."),
        (
            *(([1, 0], None, [2, 3], False, True),),
            "TypeError: Expected Tensor's shape: (2, 3), got (2,).",
        ),
        ((1.5, dtypes.int32), "TypeError: Expected int32, got 1.5 of type 'float' instead."),
        ((["a", 1], dtypes.string), "TypeError: Expected string, got 1 of type 'int' instead."),
        (
            ([1, [2]],),
            "TypeError: Failed to convert object of type <class 'list'> to Tensor. "
            "Contents: [1, [2]]. Consider casting elements to a supported type.",
        ),
        (
            ([[1], [2, 3]],),
            "ValueError: Argument must be a dense tensor: [[1], [2, 3]] - got shape [2], "
            "but wanted [2, 1].",
        ),
        (([[1], [2, 3]], "int32"), "ValueError: setting an array element with a sequence."),
        ((2**63, "int32"), "OverflowError: Python int too large to convert to C long"),
        (
            (np.array([1]), dtypes.string),
            "TypeError: Expected binary or unicode string, got 1",
        ),
    ],
)
def test_invalid_values(args, text):
    with pytest.raises((TypeError, ValueError, OverflowError)) as caught:
        make_tensor_proto(*args)
    assert text in f"{caught.type.__name__}: {caught.value}"


def test_broadcast():
    assert written([1], None, [3], False, True) == "0803120412020803" + "3a0101"
    assert written([1, 2, 3], None, [3], False, True) == written([1, 2, 3])


def message_of(dtype, shape, **fields):
    message = proto.TensorProto(dtype=dtype, **fields)
    message.tensor_shape.SetInParent()
    for size in shape:
        message.tensor_shape.dim.add(size=size)
    return message


@pytest.mark.parametrize(
    "message, values",
    [
        (message_of(1, [4], float_val=[1, 2]), [1, 2, 2, 2]),
        (message_of(1, [2], float_val=[1, 2]), [1, 2]),
        (message_of(1, [3]), [0, 0, 0]),
        (message_of(7, [2]), [b"", b""]),
        (message_of(10, [2], bool_val=[True]), [True, True]),
        (message_of(10, [2], tensor_content=b"\1\0"), [True, False]),
        (message_of(1, [], tensor_content=b"\0\0\x80?"), 1),
        (message_of(19, [2], tensor_content=b"\0<\0@"), [1, 2]),
        (message_of(8, [2], scomplex_val=[1, 2]), [1 + 2j, 1 + 2j]),
        (message_of(4, [2], int_val=[200]), [200, 200]),
        (message_of(14, [1], half_val=[0x3F80]), [1]),
        (message_of(3, [2, 0]), [[], []]),
    ],
)
def test_foreign_messages_round_trip(message, values):
    literal = proto_to_literal(message)
    assert literal.array.tolist() == values
    assert MakeNdarray(message).tolist() == values
    assert literal_to_proto(literal) == message


def test_excess_values_survive_round_trip():
    for message, values in (
        (message_of(3, [2], int_val=[1, 2, 3]), [1, 2]),
        (message_of(7, [0], string_val=[b"a"]), []),
    ):
        literal = proto_to_literal(message)
        assert literal.array.tolist() == values
        assert literal_to_proto(literal) == message


def test_unreadable_messages():
    with pytest.raises(ValueError, match=r"cannot reshape array of size 3 into shape \(2,\)"):
        MakeNdarray(message_of(3, [2], int_val=[1, 2, 3]))
    with pytest.raises(ValueError, match="4 bytes for 2 elements of float32"):
        MakeNdarray(message_of(1, [2], tensor_content=b"1234"))
    for dtype in (20, 21, 22, 23, 101):
        with pytest.raises(TypeError, match=f"Unsupported tensor type: {dtype}"):
            MakeNdarray(message_of(dtype, []))
    with pytest.raises(ValueError, match="Cannot parse tensor from proto: values of quint16_ref"):
        proto_to_literal(message_of(116, [1], int_val=[2]))


def test_resource_handles_round_trip():
    message = message_of(20, [])
    message.resource_handle_val.add(name="v")
    assert literal_to_proto(proto_to_literal(message)) == message


@pytest.fixture
def memory():
    """A function that returns the peak memory use since the start."""
    tracemalloc.start()
    yield lambda: tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()


HUGE = [1 << 30, 1 << 20]


def claimed(shape, dtype=dtypes.float32, **values):
    """A message that claims this shape."""
    message = proto.TensorProto(dtype=dtype.as_datatype_enum, **values)
    for size in shape:
        message.tensor_shape.dim.add(size=size)
    return message


@pytest.mark.parametrize("values", [[], [3.0], [1.0, 2.0], [1.0, 2.0, 2.0]])
def test_huge_shape_allocates_nothing(values, memory):
    message = claimed(HUGE, float_val=values)
    literal = proto_to_literal(message)
    expected = (values + values[-1:] * 5 if values else [0.0] * 5)[:5]
    assert literal.first(5).tolist() == expected
    assert literal.shape == tuple(HUGE) and literal.size == 1 << 50
    assert literal == proto_to_literal(message)
    if values:
        assert literal_to_proto(literal) == message
        message.float_val[-1] = 7.0
        assert literal != proto_to_literal(message)
    assert memory() < 10 << 20


def test_constants_allocate_only_when_run(memory):
    """448 bytes that declare 2.6 GB; reading a constant's static value allocates none of it either."""
    graph_def = tf.GraphDef()
    for i in range(4):
        node = graph_def.node.add(name=f"c{i}", op="Const")
        node.attr["dtype"].type = tf.int32.as_datatype_enum
        tensor = claimed([1 << 29], tf.int32, int_val=[1, 2][: i % 2 + 1])
        node.attr["value"].tensor.CopyFrom(tensor)
        reshape = graph_def.node.add(name=f"r{i}", op="Reshape", input=["x", f"c{i}"])
        reshape.attr["T"].type = tf.float32.as_datatype_enum
        reshape.attr["Tshape"].type = tf.int32.as_datatype_enum
    x = tf.placeholder(tf.float32, [4])
    results = tf.import_graph_def(graph_def, {"x": x}, [f"r{i}:0" for i in range(4)], name="")
    assert memory() < 10 << 20
    assert all(result.shape.ndims != 1 for result in results)


MANY = [1 << 29]
# Ops with an input that has one element per axis of another input, or of the result.
AXES = {
    "Reshape": ([None, MANY], {"T": tf.float32, "Tshape": tf.int32}),
    "Fill": ([MANY, []], {"T": tf.float32, "index_type": tf.int32}),
    "Transpose": ([None, MANY], {"T": tf.float32, "Tperm": tf.int32}),
    "Pad": ([None, [*MANY, 2]], {"T": tf.float32, "Tpaddings": tf.int32}),
    "Tile": ([[3], MANY], {"T": tf.float32, "Tmultiples": tf.int32}),
    "SpaceToBatchND": ([None, MANY, [*MANY, 2]], {"T": tf.float32}),
    "ScatterNd": ([[1, 1], [1], MANY], {"T": tf.float32, "Tindices": tf.int32}),
    "Slice": ([None, MANY, MANY], {"T": tf.float32, "Index": tf.int32}),
    "StridedSlice": ([None, MANY, MANY, MANY], {"T": tf.float32, "Index": tf.int32}),
    "BroadcastTo": ([None, MANY], {"T": tf.float32, "Tidx": tf.int32}),
    "Sum": ([None, MANY], {"T": tf.float32, "Tidx": tf.int32}),
    "ReverseV2": ([None, MANY], {"T": tf.float32, "Tidx": tf.int32}),
    "TruncatedNormal": ([MANY], {"dtype": tf.float32, "T": tf.int32}),
}


@pytest.mark.parametrize("stored", ["a constant", "fed"])
@pytest.mark.parametrize("name", AXES)
def test_excessive_ranks(name, stored, memory):
    """Rejected or not, it returns at once."""
    shapes, attrs = AXES[name]
    message = tf.GraphDef()
    node = message.node.add(name="n", op=name)
    for key, dtype in attrs.items():
        node.attr[key].type = dtype.as_datatype_enum
    ints = name == "ScatterNd"
    for i, shape in enumerate(shapes):
        dtype = tf.int32 if shape and MANY[0] in shape or ints and i != 1 else tf.float32
        source = message.node.add(name=f"x{i}", op="Placeholder")
        source.attr["dtype"].type = dtype.as_datatype_enum
        node.input.append(f"x{i}")
        if shape and MANY[0] in shape and stored == "a constant":
            source.op = "Const"
            source.attr["value"].tensor.CopyFrom(claimed(shape, dtype, int_val=[1]))
        elif shape is None:
            source.attr["shape"].shape.unknown_rank = True
        else:
            source.attr["shape"].shape.CopyFrom(tf.TensorShape(shape).as_proto())
    with contextlib.suppress(ValueError):
        tf.import_graph_def(message, name="")
    assert memory() < 20 << 20


def test_constant_is_materialized_when_run():
    message = make_tensor_proto([1, 2], tf.int32, [2, 3])
    graph_def = tf.GraphDef()
    node = graph_def.node.add(name="c", op="Const")
    node.attr["dtype"].type = tf.int32.as_datatype_enum
    node.attr["value"].tensor.CopyFrom(message)
    (c,) = tf.import_graph_def(graph_def, return_elements=["c:0"])
    with tf.Session() as session:
        assert session.run(c + 0).tolist() == [[1, 2, 2], [2, 2, 2]]
        assert session.run(c).tolist() == [[1, 2, 2], [2, 2, 2]]
    assert c.op.get_attr("value") == message


@pytest.mark.parametrize("shape", [[1 << 62, 1 << 62], [1 << 40] * 2 + [0], [-2, -3], [1] * 65])
@pytest.mark.parametrize("values", [[], [1.0], [1.0, 2.0]])
def test_impossible_shapes_are_rejected(shape, values):
    message = claimed(shape, float_val=values)
    with pytest.raises(ValueError, match="Cannot parse tensor from proto: "):
        proto_to_literal(message)


def test_out_of_range_numbers_are_rejected():
    message = claimed([1], dtypes.qint8, int_val=[300])
    with pytest.raises(ValueError, match="Cannot parse tensor from proto: 1 elements of qint8"):
        proto_to_literal(message)


def test_contents_above_2_gb_are_rejected():
    zeros = np.broadcast_to(np.float32(0), [1 << 29])
    text = "Cannot create a tensor proto whose content is larger than 2GB."
    with pytest.raises(ValueError, match=text):
        literal_to_proto(Literal(zeros, dtypes.float32))
