"""Packages that are not installed, or want TensorFlow 2."""

import pytest

from tests.programs.check.test_uses import found
from tfmini._src.programs.check import installed
from tfmini._src.programs.check.programs import findings


def test_a_package_that_is_not_installed_is_said(tmp_path):
    source = "import numpy, os\nimport nobody_has_it.part as n\nfrom nor_this import x, y\n"
    want = [(2, "not installed", "nobody_has_it"), (3, "not installed", "nor_this")]
    assert found(tmp_path, source) == want


def test_advice_names_the_distribution(tmp_path, monkeypatch):
    monkeypatch.setattr(installed, "_is_found", lambda root: False)
    (tmp_path / "a.py").write_text("import cv2\nimport tensorflow_hub as hub\nimport other\n")
    advice = [finding.problem.advice for finding in findings(str(tmp_path / "a.py"))]
    assert advice[:2] == ["pip install opencv-python", "pip install tensorflow-hub==0.7.0"]
    assert "PYTHONPATH" in advice[2]


@pytest.mark.parametrize(
    "source",
    [
        "try:\n    import nobody_has_it\nexcept ImportError:\n    nobody_has_it = None",
        "import keras, horovod.tensorflow as hvd",
        "import xml.etree.ElementTree, sys",
        "from . import nobody_has_it",
    ],
)
def test_what_is_expected_or_supplied_is_not_said(tmp_path, source):
    assert found(tmp_path, source) == []


def test_modules_of_the_project_are_its_own(tmp_path):
    (tmp_path / "README.md").write_text("")
    (tmp_path / "libs" / "losses").mkdir(parents=True)
    (tmp_path / "train").mkdir()
    (tmp_path / "beside.py").write_text("")
    source = "import beside\nimport losses.dice\nimport nobody_has_it"
    assert found(tmp_path, source, "train/run.py") == [(3, "not installed", "nobody_has_it")]


@pytest.mark.parametrize(("version", "ends"), [("0.8.0", False), ("0.9.0", True), ("0.24.1", True)])
def test_a_package_for_tensorflow_2_is_said_with_its_version(tmp_path, monkeypatch, version, ends):
    monkeypatch.setattr(installed, "_is_found", lambda root: True)
    monkeypatch.setattr(installed, "_version", lambda root: version)
    want = [(1, "TensorFlow 2", f"tensorflow_probability {version}")] if ends else []
    assert found(tmp_path, "import tensorflow_probability as tfp") == want
