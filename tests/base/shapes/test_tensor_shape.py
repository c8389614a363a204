"""tf.TensorShape, compared with TensorFlow 1.15.5's recorded results."""

import copy
import operator
import pickle

import numpy as np
import pytest

from tests.base.shapes.test_dimension import answer
from tfmini import dtypes
from tfmini._src.base import proto, shapes
from tfmini._src.base.shapes import Dimension, TensorShape

THREE = Dimension(3)


@pytest.mark.parametrize(
    "dims, text",
    [
        (None, "TensorShape(None)"),
        ([], "TensorShape([])"),
        ([3], "TensorShape([Dimension(3)])"),
        ((Dimension(None), 4), "TensorShape([Dimension(None), Dimension(4)])"),
        (5, "TensorShape([Dimension(5)])"),
        (Dimension(5), "TensorShape([Dimension(5)])"),
        (["3"], "TensorShape([Dimension(3)])"),
        (np.array([2, 3]), "TensorShape([Dimension(2), Dimension(3)])"),
        (range(2), "TensorShape([Dimension(0), Dimension(1)])"),
        ({2: 3}, "TensorShape([Dimension(2)])"),
        (TensorShape([None]), "TensorShape([Dimension(None)])"),
        (proto.TensorShapeProto(unknown_rank=True), "TensorShape(None)"),
        (
            "abc",
            "TypeError: A string has ambiguous TensorShape, please wrap in a list or convert to "
            "an int: abc",
        ),
        ([1.5], "ValueError: Ambiguous dimension: 1.5"),
        ([-1], "ValueError: Dimension -1 must be >= 0"),
        ([dtypes.int32], "TypeError: Cannot convert <dtype: 'int32'> to Dimension"),
    ],
)
def test_construction(dims, text):
    assert answer(TensorShape, dims) == text


def test_proto_round_trip():
    for dims in (None, (), (None, 4), (0, 7)):
        shape = TensorShape.from_dims(dims)
        assert TensorShape(shape.as_proto())._dims == dims
    message = TensorShape([None, 4]).as_proto()
    assert [dim.size for dim in message.dim] == [-1, 4]
    assert TensorShape(None).as_proto().unknown_rank


@pytest.mark.parametrize(
    "dims, text, rank, elements",
    [
        (None, "<unknown>", None, None),
        ([], "()", 0, 1),
        ([3], "(3,)", 1, 3),
        ([None], "(?,)", 1, None),
        ([None, 784], "(?, 784)", 2, None),
        ([2, 3], "(2, 3)", 2, 6),
    ],
)
def test_repr_and_properties(dims, text, rank, elements):
    shape = TensorShape(dims)
    assert str(shape) == text
    assert shape.rank == shape.ndims == rank
    assert shape.num_elements() == elements
    assert shape.is_fully_defined() is (elements is not None)
    assert bool(shape) is (dims is not None)
    assert repr(pickle.loads(pickle.dumps(shape))) == repr(copy.deepcopy(shape)) == repr(shape)
    if dims is None:
        assert shape.dims is None
        invalid = "ValueError: as_list() is not defined on an unknown TensorShape."
        assert answer(shape.as_list) == invalid
        assert answer(len, shape) == (
            "ValueError: Cannot take the length of shape with unknown rank."
        )
        assert answer(list, shape) == "ValueError: Cannot iterate over a shape with unknown rank."
    else:
        assert shape.as_list() == dims
        assert len(shape) == rank
        assert repr(list(shape)) == repr(shape.dims) == repr([Dimension(d) for d in dims])
    if elements is None:
        invalid = f"ValueError: Shape {text} is not fully defined"
        assert answer(shape.assert_is_fully_defined) == invalid
    else:
        shape.assert_is_fully_defined()


def test_indexing():
    shape = TensorShape([None, 3])
    assert repr(shape[0]) == "Dimension(None)"
    assert repr(shape[-1]) == "Dimension(3)"
    assert str(shape[1:]) == "(3,)"
    assert str(shape[::-1]) == "(3, ?)"
    assert answer(lambda: shape[5]) == "IndexError: list index out of range"


@pytest.mark.parametrize(
    "key, text",
    [
        (5, "?"),
        (slice(1, None), "<unknown>"),
        (slice(None, 1), "(?,)"),
        (slice(0, 2), "(?, ?)"),
        (slice(-1, None), "<unknown>"),
        (slice(0, -1), "<unknown>"),
    ],
)
def test_indexing_unknown_rank(key, text):
    assert str(TensorShape(None)[key]) == text


def test_slice_step_requires_rank():
    assert answer(lambda: TensorShape(None)[0:2:1]) == "ValueError: Steps are not yet handled"


@pytest.mark.parametrize(
    "left, right, equal, different",
    [
        ([2, 3], (2, 3), "True", "False"),
        ([2, 3], [2, 4], "False", "True"),
        ([2, 3], [2], "False", "True"),
        ([3], 3, "True", "False"),
        ([], [], "True", "False"),
        ([None, 3], [None, 3], "False", "True"),
        ([None, 3], [2, 3], "False", "True"),
        (None, None, "True", "ValueError: The inequality of unknown TensorShapes is undefined."),
        ([3], None, "False", "ValueError: The inequality of unknown TensorShapes is undefined."),
        ([3], "abc", "False", "True"),
        ([3], 1.5, "ValueError: Ambiguous dimension: 1.5", "ValueError: Ambiguous dimension: 1.5"),
    ],
)
def test_equality(left, right, equal, different):
    assert answer(operator.eq, TensorShape(left), right) == equal
    assert answer(operator.ne, TensorShape(left), right) == different


def test_shape_equals_itself():
    shape = TensorShape([None, 3])
    assert shape == shape
    assert TensorShape(shape) == shape
    with pytest.raises(TypeError, match="unhashable type: 'TensorShape'"):
        hash(shape)


@pytest.mark.parametrize(
    "left, right, merged, compatible, agreed",
    [
        ([None, 3], [2, None], "(2, 3)", True, "(?, ?)"),
        ([2, 3], [2, 3], "(2, 3)", True, "(2, 3)"),
        (None, [2, 3], "(2, 3)", True, "<unknown>"),
        ([2, None], None, "(2, ?)", True, "<unknown>"),
        ([2, 3], [4, 3], None, False, "(?, 3)"),
        ([2, 3], [2], None, False, "<unknown>"),
    ],
)
def test_merging(left, right, merged, compatible, agreed):
    left, right = TensorShape(left), TensorShape(right)
    assert left.is_compatible_with(right) is compatible
    assert str(left.most_specific_compatible_shape(right)) == agreed
    if compatible:
        assert str(left.merge_with(right)) == merged
        left.assert_is_compatible_with(right)
    else:
        invalid = f"ValueError: Shapes {left} and {right} are not compatible"
        assert answer(left.merge_with, right) == invalid
        invalid = f"ValueError: Shapes {left} and {right} are incompatible"
        assert answer(left.assert_is_compatible_with, right) == invalid


def test_concatenation():
    shape = TensorShape([None, 3])
    assert str(shape.concatenate([4])) == "(?, 3, 4)"
    assert str(shape + [4]) == "(?, 3, 4)"
    assert str([4] + shape) == "(4, ?, 3)"
    assert str(shape + None) == "<unknown>"
    assert str(TensorShape(None) + shape) == "<unknown>"


def test_rank_constraints():
    shape, unknown = TensorShape([None, 3]), TensorShape(None)
    assert str(shape.with_rank(2)) == "(?, 3)"
    assert str(unknown.with_rank(2)) == "(?, ?)"
    assert answer(shape.with_rank, 3) == "ValueError: Shape (?, 3) must have rank 3"
    assert answer(shape.assert_has_rank, 1) == "ValueError: Shape (?, 3) must have rank 1"
    unknown.assert_has_rank(1)
    assert shape.with_rank_at_least(2) is shape
    assert shape.with_rank_at_most(2) is shape
    invalid = "ValueError: Shape (?, 3) must have rank at least 3"
    assert answer(shape.with_rank_at_least, 3) == invalid
    invalid = "ValueError: Shape (?, 3) must have rank at most 1"
    assert answer(shape.with_rank_at_most, 1) == invalid
    shape.assert_same_rank([5, 6])
    invalid = "ValueError: Shapes (?, 3) and (5,) must have the same rank"
    assert answer(shape.assert_same_rank, [5]) == invalid


def test_unknown_shape_and_as_shape():
    assert str(shapes.unknown_shape()) == "<unknown>"
    assert str(shapes.unknown_shape(2)) == str(shapes.unknown_shape(ndims=2)) == "(?, ?)"
    assert answer(lambda: shapes.unknown_shape(foo=1)) == "TypeError: Unknown argument: {'foo': 1}"
    assert str(shapes.scalar()) == "()"
    assert str(shapes.vector(3)) == "(3,)"
    assert str(shapes.matrix(None, 2)) == "(?, 2)"
    shape = TensorShape([1])
    assert shapes.as_shape(shape) is shape
    assert str(shapes.as_shape([1])) == "(1,)"
    assert shapes.as_dimension(THREE) is THREE
    assert TensorShape.from_dims((None, 2)).as_list() == [None, 2]


def test_v2_tensorshape():
    shape = TensorShape([None, 3])
    shapes.enable_v2_tensorshape()
    try:
        assert (repr(shape), str(shape)) == ("TensorShape([None, 3])", "(None, 3)")
        assert (list(shape), shape[0], shape[1]) == ([None, 3], None, 3)
        assert repr(TensorShape(None)) == "TensorShape(None)"
        assert (str(TensorShape([None])), TensorShape(None)[0]) == ("(None,)", None)
    finally:
        shapes.disable_v2_tensorshape()
    assert repr(shape[0]) == "Dimension(None)"


@pytest.mark.parametrize(
    "key, rank", [(slice(1, 3), 2), (slice(3), 3), (slice(2, 2), 0), (slice(0, 1), 1)]
)
def test_slice_of_unknown_shape(key, rank):
    assert TensorShape(None)[key].as_list() == [None] * rank


@pytest.mark.parametrize("key", [slice(1, None), slice(-2, 3), slice(1, -1)])
def test_open_slice_of_unknown_shape(key):
    assert TensorShape(None)[key].ndims is None
