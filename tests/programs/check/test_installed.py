"""Packages that are missing, or require TensorFlow 2."""

import pytest

from tests.programs.check.test_uses import scan
from tfmini._src.programs.check import installed
from tfmini._src.programs.check.programs import findings


def test_missing_packages_are_reported(tmp_path):
    source = "import numpy, os\nimport nobody_has_it.part as n\nfrom nor_this import x, y\n"
    expected = [(2, "not installed", "nobody_has_it"), (3, "not installed", "nor_this")]
    assert scan(tmp_path, source) == expected


def test_advice_names_the_distribution(tmp_path, monkeypatch):
    monkeypatch.setattr(installed, "_is_importable", lambda root: False)
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
def test_optional_imports_are_not_reported(tmp_path, source):
    assert scan(tmp_path, source) == []


def test_project_modules_count_as_installed(tmp_path):
    (tmp_path / "README.md").write_text("")
    (tmp_path / "libs" / "losses").mkdir(parents=True)
    (tmp_path / "train").mkdir()
    (tmp_path / "beside.py").write_text("")
    source = "import beside\nimport losses.dice\nimport nobody_has_it"
    assert scan(tmp_path, source, "train/run.py") == [(3, "not installed", "nobody_has_it")]


@pytest.mark.parametrize(("version", "ends"), [("0.8.0", False), ("0.9.0", True), ("0.24.1", True)])
def test_tensorflow2_packages_are_reported_with_version(tmp_path, monkeypatch, version, ends):
    monkeypatch.setattr(installed, "_is_importable", lambda root: True)
    monkeypatch.setattr(installed, "_version", lambda root: version)
    expected = [(1, "TensorFlow 2", f"tensorflow_probability {version}")] if ends else []
    assert scan(tmp_path, "import tensorflow_probability as tfp") == expected


@pytest.mark.parametrize("depth, is_own", [(5, True), (6, False)])
def test_project_root_search_stops_after_five_levels(tmp_path, depth, is_own):
    """Modules next to a parent folder are found up to this depth too."""
    directory = tmp_path.joinpath(*"abcdef"[:depth])
    directory.mkdir(parents=True)
    for name in ("beside.py", "notes.ipynb", "whole/x.txt"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text("")
    for root in ("beside", "notes", "whole"):
        assert installed._is_program_module(root, str(directory)) == is_own
        problem = installed.import_problem(f"{root}.part", str(directory))
        assert problem == (None if is_own else installed.Problem("not installed", root, ADVICE))


ADVICE = "install its package, or add its directory to PYTHONPATH"


def test_project_modules_exclude_hidden_entries(tmp_path):
    """Modules of each kind and folders, but no hidden ones or other files."""
    for name in ("x/a.py", "x/b.pyx", "x/c.cpython.so", "x/y/d.txt", ".git/e.py", "f.pyc", "g"):
        (tmp_path / "one" / name).parent.mkdir(exist_ok=True, parents=True)
        (tmp_path / "one" / name).write_text("")
    assert installed._modules_below(str(tmp_path / "one")) == {"a", "b", "c", "x", "y"}
    for name in installed._PROJECT:
        root = tmp_path / f"of {name}"
        (root / "inside" / "deeper").mkdir(parents=True)
        (root / name).write_text("")
        (root / "lib").mkdir()
        (root / "lib" / "losses.py").write_text("")
        assert installed._is_program_module("losses", str(root / "inside" / "deeper"))
        assert not installed._is_program_module("other", str(root / "inside" / "deeper"))


def test_module_scan_stops_at_file_limit(tmp_path, monkeypatch):
    for directory in ("a", "a/b", "a/b/c"):
        (tmp_path / directory).mkdir()
        (tmp_path / directory / f"in_{directory[-1]}.py").write_text("")
    monkeypatch.setattr(installed, "_MAX_FILES", 2)
    assert installed._modules_below(str(tmp_path)) == {"a", "in_a", "b"}


@pytest.mark.parametrize(
    "module, version, expected",
    [
        (
            "tensorflow_addons.layers",
            "0.1.0",
            "its contents came from tf.contrib, which tfmini has",
        ),
        ("tensorflow_hub", "0.7.0", None),
        ("tensorflow_hub", "0.8", "tensorflow-hub 0.7.0 is of TensorFlow 1.15's time"),
        ("tensorflow_hub", "1.0rc1", "tensorflow-hub 0.7.0 is of TensorFlow 1.15's time"),
        ("tensorflow_hub", "", None),
        ("tensorflow_probability", "0.8.0rc0", None),
        (
            "tensorflow_probability.x.y",
            "0.10",
            "tensorflow-probability 0.8.0 is the last for TensorFlow 1.15",
        ),
        ("numpy", "9.9", None),
    ],
)
def test_versions_requiring_newer_tensorflow(tmp_path, monkeypatch, module, version, expected):
    monkeypatch.setattr(installed, "_is_importable", lambda root: True)
    monkeypatch.setattr(installed, "_version", lambda root: version)
    root = module.partition(".")[0]
    result = installed.import_problem(module, str(tmp_path))
    what = installed.Problem("TensorFlow 2", f"{root} {version}", expected)
    assert result == (what if expected else None)


@pytest.mark.parametrize(
    "root, distribution",
    [
        ("Crypto", "pycryptodome"),
        ("PIL", "Pillow"),
        ("attr", "attrs"),
        ("bs4", "beautifulsoup4"),
        ("cv2", "opencv-python"),
        ("dateutil", "python-dateutil"),
        ("skimage", "scikit-image"),
        ("sklearn", "scikit-learn"),
        ("tensorflow_addons", "tensorflow-addons"),
        ("tensorflow_hub", "tensorflow-hub==0.7.0"),
        ("tensorflow_probability", "tensorflow-probability==0.8.0"),
        ("yaml", "PyYAML"),
    ],
)
def test_advice_maps_module_to_distribution(tmp_path, monkeypatch, root, distribution):
    monkeypatch.setattr(installed, "_is_importable", lambda root: False)
    expected = installed.Problem("not installed", root, f"pip install {distribution}")
    assert installed.import_problem(f"{root}.part", str(tmp_path)) == expected


def test_versions_come_from_distributions(monkeypatch):
    installed._version.cache_clear()

    def version(name):
        if name != "tensorflow-hub":
            raise installed.metadata.PackageNotFoundError(name)
        return "0.9"

    monkeypatch.setattr(installed.metadata, "version", version)
    assert [installed._version(n) for n in ("tensorflow_hub", "nobody_has_it")] == ["0.9", ""]
    installed._version.cache_clear()
