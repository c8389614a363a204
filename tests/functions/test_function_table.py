"""Rows of the table of functions give what TensorFlow 1.15.5 gave."""

import json

import numpy as np
import pytest

import tfmini as tf
from tests.functions import function_table

RECORD = json.loads(function_table.RECORD.read_text())


def test_the_record_is_of_the_rows():
    assert list(RECORD) == function_table.rows()


@pytest.mark.filterwarnings("ignore:Converting sparse IndexedSlices")
@pytest.mark.parametrize("name", RECORD)
def test_gives_what_tensorflow_gave(name):
    found, wanted = function_table.result(tf, name), RECORD[name]
    if isinstance(wanted, str):
        assert found == wanted
        return
    assert len(found) == len(wanted)
    for mine, theirs in zip(found, wanted):
        assert (mine is None) == (theirs is None)
        if theirs is not None:
            np.testing.assert_allclose(mine, theirs, rtol=1e-4, atol=1e-3)
