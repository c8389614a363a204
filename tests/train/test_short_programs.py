"""Programs of a line give or raise what TensorFlow 1.15.5 gave or raised."""

import tempfile

import pytest

import tfmini as tf
from tests.conformance import short_programs
from tests.support import cases


@pytest.mark.filterwarnings("ignore")
@cases.parametrize(cases.groups(short_programs.cases("train")))
def test_same_answer(group, check_each, tmp_path, monkeypatch):
    def check(program):
        monkeypatch.chdir(tmp_path)
        short_programs.in_folder(tempfile.mkdtemp(dir=tmp_path))
        short_programs.check(tf, program)

    check_each(group, check)
