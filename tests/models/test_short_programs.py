"""Programs of a line give or raise what TensorFlow 1.15.5 gave or raised."""

import pytest

import tfmini as tf
from tests import short_programs


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("table, name, wanted", short_programs.cases("models"))
def test_same_answer(table, name, wanted, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    short_programs.in_folder(tmp_path)
    short_programs.check(tf, table, name, wanted)
