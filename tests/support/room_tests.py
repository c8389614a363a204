"""The tests that each room has of its recordings."""

import tempfile

import pytest

import tfmini as tf
from tests.conformance import scenes, short_programs
from tests.support import cases


def of_scenes(room):
    """The scenes of a room give, say, raise, write and leave what TensorFlow's do."""

    @pytest.mark.parametrize("scene", scenes.names(room))
    def test_a_scene(scene):
        scenes.check(tf, scene)

    return test_a_scene


def of_short_programs(room):
    """A room's programs of a line give or raise what TensorFlow 1.15.5 gave or raised."""

    @pytest.mark.filterwarnings("ignore")
    @cases.parametrize(
        cases.groups(short_programs.cases(room)), f"tests/{room}/test_short_programs.py"
    )
    def test_same_answer(group, check_each, tmp_path, monkeypatch):
        def check(program):
            monkeypatch.chdir(tmp_path)
            short_programs.in_folder(tempfile.mkdtemp(dir=tmp_path))
            short_programs.check(tf, program)

        check_each(group, check)

    return test_same_answer
