"""Mismatched element structures: the texts are TensorFlow 1.15.5's."""

import re

import pytest

from tfmini._src.data import dataset_nest

DIFFERENT = [
    (
        {"b": 1, "a": (2, 3)},
        {},
        ValueError,
        "The two dictionaries don't have the same set of keys. First structure has keys type=list str=['b', 'a'], "
        "while second structure has keys type=list str=[]",
    ),
    (
        (1, 2),
        (3, 4, 5),
        ValueError,
        "The two structures don't have the same number of elements. First structure: type=tuple str=(1, 2). Second "
        "structure: type=tuple str=(3, 4, 5)",
    ),
    (
        (1, 2),
        (1, (2, 3)),
        ValueError,
        'Substructure "type=tuple str=(2, 3)" is a sequence, while substructure "type=int str=2" is not',
    ),
]


@pytest.mark.parametrize("first, second, kind, how", DIFFERENT, ids=["keys", "length", "sequence"])
def test_error_shows_both_structures(first, second, kind, how):
    text = (
        f"The two structures don't have the same nested structure.\n\nFirst structure: type={type(first).__name__} "
        f"str={first}\n\nSecond structure: type={type(second).__name__} str={second}\n\nMore specifically: {how}"
    )
    with pytest.raises(kind, match=f"^{re.escape(text)}$"):
        dataset_nest.assert_same_structure(first, second)
