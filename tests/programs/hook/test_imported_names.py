"""Internal names that programs import: each is the public object, a separate object, or not yet supported."""

from pathlib import Path

import pytest

import tfmini as tf
from tests.programs.hook.test_module_names import member
from tests.support import cases
from tfmini._src.programs.hook.missing_names import MissingName, MissingType

pytestmark = pytest.mark.usefixtures("tensorflow")

LINES = Path(__file__).with_name("imported_names.txt").read_text().splitlines()
ROWS = [line.partition("  # ") for line in LINES if not line.startswith("#")]
# By internal name, the public name and the mark.
NAMES = {names.split(" ")[0]: (names.split(" ")[1], mark) for names, _, mark in ROWS}


ABSENT = object()


def public_object(name):
    """tfmini's object with a public name, or ABSENT."""
    result = tf
    for part in name.split(".")[1:]:
        result = getattr(result, part, ABSENT)
    return result


@cases.parametrize(cases.groups({"names": list(NAMES)}))
def test_imported_names_resolve(group, check_each):
    check_each(group, check_name)


def check_name(name):
    result, (public, mark) = member(name), NAMES[name]
    is_missing = isinstance(result, (MissingName, MissingType))
    if public == "-":
        assert is_missing == bool(mark), (
            "the mark in imported_names.txt goes when the name is there"
        )
    elif public_object(public) is ABSENT:
        assert is_missing
    else:
        assert result is public_object(public)
