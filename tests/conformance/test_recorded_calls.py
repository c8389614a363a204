"""Public functions, called as in TensorFlow's own tests, create and return the same as in TensorFlow 1.15.5."""

import pytest

import tfmini as tf
from tests.conformance import recorded_calls

GROUPS = recorded_calls.groups()
DIFFERENT = recorded_calls.known_to_differ()


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("group", GROUPS)
def test_same_answers(group, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    result = []
    for name, record, expected in recorded_calls.read_group(GROUPS[group], group):
        key = recorded_calls.key(record)
        differing = recorded_calls.differences(tf, record, expected)
        if key in DIFFERENT and not differing:
            result.append(f"{key} {name}: is as TensorFlow's now, delete its line in different.tsv")
        elif key not in DIFFERENT and differing:
            result.append("\n    ".join([f"{key} {name} {record}", *differing]))
    assert not result, f"{len(result)} calls\n" + "\n".join(result[:20])


def test_recorded_groups_and_exceptions_exist():
    groups, keys = {}, set()
    for path in recorded_calls.PATHS:  # sequentially: all calls together need 200 MB
        result = recorded_calls.read(path)
        groups.update(dict.fromkeys(result, path))
        keys.update(
            recorded_calls.key(record) for calls in result.values() for _, record, _ in calls
        )
    assert groups == GROUPS
    assert not DIFFERENT - keys
