"""Damaged files of each kind: they are read, or raise an expected error that names the file."""

import random

import pytest

import tfmini as tf
from tests.conformance import damaged_files
from tests.formats.damage import COUNT

pytestmark = pytest.mark.usefixtures("quiet_logs")

KINDS = damaged_files.kinds()


@pytest.mark.damage
# protobuf's text parser, for escapes that are not bytes
@pytest.mark.filterwarnings("ignore:.*invalid .*escape:DeprecationWarning")
@pytest.mark.filterwarnings("ignore:.*invalid .*escape:SyntaxWarning")
@pytest.mark.parametrize("name", KINDS)
def test_damaged_files_raise_expected_errors(name, tmp_path):
    kind = KINDS[name]
    directory = tmp_path / "of a name that is nowhere else"
    directory.mkdir()
    kind.lay_out(directory)
    chance = random.Random(name)
    outcomes = [kind.outcome(directory, chance) for _ in range(COUNT // 8)]
    errors = [error for error in outcomes if error is not None]
    assert [str(error) for error in errors if directory.name not in str(error)] == []
    assert errors or name in ALWAYS_READ


# The damage is in the reported values, or the log says that there are none.
ALWAYS_READ = [
    "state",
    *(f"{name}, inspected" for name in ("records", "records in gzip", "records in zlib", "events")),
    *(f"{name} by its fields, inspected" for name in ("meta graph", "SavedModel", "frozen graph")),
]


@pytest.mark.parametrize("name", KINDS)
def test_intact_files_are_read(name, tmp_path):
    kind = KINDS[name]
    kind.lay_out(tmp_path)
    with tf.Graph().as_default():
        kind.use(tmp_path)
