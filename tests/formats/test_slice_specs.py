"""Slice specs in checkpoint ops; the texts are TensorFlow 1.15.5's."""

import pytest

from tfmini import errors
from tfmini._src.formats.ordered_code import FULL_EXTENT
from tfmini._src.formats.slice_specs import parse_spec


def test_shape_and_extents():
    assert parse_spec("4 3 1,2:-") == ([4, 3], [(1, 2), FULL_EXTENT])
    assert parse_spec("3 0,1") == ([3], [(0, 1)])


@pytest.mark.parametrize(
    "spec, kind, text",
    [
        (
            "3",
            errors.InvalidArgumentError,
            "Need least two elements in shape_and_slice specification: 3",
        ),
        (
            "3 4",
            errors.InvalidArgumentError,
            "Expected a pair of numbers or '-' but got '4': string = 4",
        ),
        *(
            (
                f"3 {start},{length}",
                errors.InvalidArgumentError,
                "Expected non-negative start and positive length but got "
                f"start = {start}, length = {length}: string = {start},{length}",
            )
            for start, length in [(-1, 2), (0, 0), (1, -3)]
        ),
        ("x 0,1", errors.InvalidArgumentError, "Non numerical dimension in shape_and_slice: x 0,1"),
        (
            "-3 0,1",
            errors.InvalidArgumentError,
            "Non numerical dimension in shape_and_slice: -3 0,1",
        ),
        ("3 4 0,1", errors.InternalError, "Mismatching ranks: shape = [3,4], slice = 0,1"),
        ("3 0,1:0,1", errors.InternalError, "Mismatching ranks: shape = [3], slice = 0,1:0,1"),
        (
            *("3 0,4", errors.InternalError),
            "Extent in dimension 0 out of bounds: shape = [3], slice = 0,4",
        ),
    ],
)
def test_invalid_slice_specs(spec, kind, text):
    with pytest.raises(kind) as caught:
        parse_spec(spec)
    assert caught.value.message == text
