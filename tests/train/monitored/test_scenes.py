"""Watched sessions do, say, raise and write what TensorFlow's do."""

import pytest

import tfmini as tf
from tests.train.monitored import scenes

RECORD = scenes.read()
SCENES = list(scenes.scenes())


@pytest.mark.parametrize("name, function", SCENES, ids=[name for name, _ in SCENES])
def test_a_scene(name, function):
    assert scenes.lines_of(tf, function) == RECORD[name]


def test_the_record_is_of_these_scenes():
    assert {name for name, _ in SCENES} == set(RECORD)
