"""Strided slices against numpy indexing: shapes from fully and partially known specs."""

import itertools

import numpy as np
import pytest

from tfmini._src.ops.array.strided_slice_spec import Masks, numpy_index, sliced_dims

BOUNDS = [None, -7, -3, -1, 0, 1, 2, 5]
STEPS = [-3, -1, 1, 2]


def specs_of(index):
    """begin, end, strides and masks, as created by `x[index]`."""
    begin, end, strides, masks = [], [], [], dict.fromkeys(Masks._fields, 0)
    for bit, part in enumerate(index):
        first, last, step, kind = 0, 0, 1, None
        if isinstance(part, slice):
            masks["begin"] |= (part.start is None) << bit
            masks["end"] |= (part.stop is None) << bit
            first, last, step = part.start or 0, part.stop or 0, part.step or 1
        elif part is Ellipsis:
            kind = "ellipsis"
        elif part is None:
            kind = "new_axis"
        else:
            first, last, kind = part, part + 1, "shrink_axis"
        if kind:
            masks[kind] |= 1 << bit
        begin.append(first)
        end.append(last)
        strides.append(step)
    return np.array(begin), np.array(end), np.array(strides), Masks(**masks)


@pytest.mark.parametrize("step", STEPS)
def test_every_pair_of_bounds(step):
    array = np.arange(4)
    for first, last in itertools.product(BOUNDS, BOUNDS):
        begin, end, strides, masks = specs_of([slice(first, last, step)])
        expected = array[first:last:step]
        assert sliced_dims((4,), begin, end, strides, masks) == expected.shape
        index = numpy_index(begin.tolist(), end.tolist(), strides.tolist(), masks)
        assert array[index].tolist() == expected.tolist()


INDICES = [
    np.s_[...,],
    np.s_[1, ...],
    np.s_[..., -1],
    np.s_[0, ..., 1:3],
    np.s_[:, None],
    np.s_[None, ..., None],
    np.s_[::-2, None, 1:, ..., None, ::2],
    np.s_[None, 2, None, ..., 3, None],
    np.s_[1:, ..., 0, :2, 3],
    np.s_[2, 1, 3, 4],
    np.s_[..., None, 1, 2, 3, 4],
]


@pytest.mark.parametrize("index", INDICES, ids=str)
def test_mixed_specs(index):
    array = np.zeros((3, 4, 5, 6))
    assert sliced_dims(array.shape, *specs_of(index)) == array[index].shape


@pytest.mark.parametrize(
    "index, dims, expected",
    [
        (np.s_[1:, 2], (None, 4), (None,)),
        (np.s_[:, 1:3], (None, 4), (None, 2)),
        (np.s_[1], (None, None), (None,)),
        (np.s_[..., None], (None, 4), (None, 4, 1)),
        (np.s_[::2], (5,), (3,)),
    ],
    ids=str,
)
def test_unknown_sizes(index, dims, expected):
    index = index if isinstance(index, tuple) else (index,)
    assert sliced_dims(dims, *specs_of(index)) == expected


def test_unknown_bounds():
    _, _, strides, masks = specs_of(np.s_[1:2, :, 0, ::-1])
    assert sliced_dims((3, 4, 5, 6), None, None, strides, masks) == (None, 4, 6)
