"""Public functions, called as TensorFlow's own tests call them, make and give what TensorFlow 1.15.5 made and gave."""

import pytest

import tfmini as tf
from tests import recorded_calls

GROUPS = recorded_calls.read()
DIFFERENT = recorded_calls.known_to_differ()


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("group", GROUPS)
def test_same_answers(group, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    found = []
    for name, record, wanted in GROUPS[group]:
        key = recorded_calls.key(record)
        differing = recorded_calls.differences(tf, record, wanted)
        if key in DIFFERENT and not differing:
            found.append(f"{key} {name}: is as TensorFlow's now, delete its line in different.tsv")
        elif key not in DIFFERENT and differing:
            found.append("\n    ".join([f"{key} {name} {record}", *differing]))
    assert not found, f"{len(found)} calls\n" + "\n".join(found[:20])


def test_calls_that_differ_are_recorded():
    keys = {recorded_calls.key(record) for calls in GROUPS.values() for _, record, _ in calls}
    assert not DIFFERENT - keys
