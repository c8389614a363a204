"""Tests of recordings, shared by all test folders."""

import tempfile

import pytest

import tfmini as tf
from tests.conformance import scenes, short_programs
from tests.support import cases


def of_scenes(package):
    """A folder's scenes return, print, raise and write the same as in TensorFlow."""

    @pytest.mark.parametrize("scene", scenes.names(package))
    def test_scene(scene):
        scenes.check(tf, scene)

    return test_scene


def of_short_programs(package):
    """A folder's one-line programs return or raise the same as in TensorFlow 1.15.5."""

    @pytest.mark.filterwarnings("ignore")
    @cases.parametrize(
        cases.groups(short_programs.cases(package)),
        f"tests/{package}/test_short_programs.py",
        most=12,
    )
    def test_same_answer(group, check_each, tmp_path, monkeypatch):
        def check(program):
            monkeypatch.chdir(tmp_path)
            short_programs.in_folder(tempfile.mkdtemp(dir=tmp_path))
            short_programs.check(tf, program)

        check_each(group, check)

    return test_same_answer
