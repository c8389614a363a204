"""Rows of the function table return TensorFlow 1.15.5's results."""

import json
import operator

import numpy as np
import pytest

import tfmini as tf
from tests.functions import function_table
from tests.support import recorded

RECORD = json.loads(function_table.RECORD.read_text())


def test_record_covers_all_rows():
    assert list(RECORD) == function_table.rows()


@pytest.mark.filterwarnings("ignore:Converting sparse IndexedSlices")
@pytest.mark.parametrize("name", RECORD)
def test_rows_match_tensorflow(name):
    result, expected = function_table.result(tf, name), RECORD[name]
    recorded.same(result, expected, equal=operator.eq if isinstance(expected, str) else near)


def near(result, expected):
    """Whether values are present exactly where TensorFlow's are, and close to them."""
    if len(result) != len(expected):
        return False
    for mine, theirs in zip(result, expected):
        if mine is None or theirs is None:
            if mine is not theirs:
                return False
        elif np.shape(mine) != np.shape(theirs) or not np.allclose(
            mine, theirs, rtol=1e-4, atol=1e-3, equal_nan=True
        ):
            return False
    return True
