"""Cells of the tables that `inspect` and `check` print."""

import pytest

from tfmini.cli.reports import cell


@pytest.mark.parametrize(
    "value, text",
    [
        (None, "-"),
        (True, "yes"),
        (False, "no"),
        (0.123456789, "0.123457"),
        (12, "12"),
        ("name", "name"),
        ("two\nlines", r"two\nlines"),
        (b"text", "'text'"),
        (b"\xff\x00", "ff00"),
    ],
)
def test_cell(value, text):
    assert cell(value) == text
