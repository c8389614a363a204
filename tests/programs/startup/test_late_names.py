"""Lazily loaded names of `tf`."""

import subprocess
import sys

import tfmini as tf


def test_module_being_loaded_is_found(monkeypatch):
    loaded = tf.losses
    monkeypatch.delitem(vars(tf), "losses")  # until the module has been executed completely
    assert tf.losses is loaded


def test_nested_import_finds_module_being_loaded(tmp_path):
    beside = tmp_path / "h5py.py"
    beside.write_text("import tensorflow as tf\nprint(tf.keras.__name__)\nFile = None\n")
    script = tmp_path / "train.py"
    script.write_text(
        "import tensorflow as tf\nimport h5py\nprint(tf.keras.layers.Dense.__name__)\n"
    )
    command = [sys.executable, "-m", "tfmini", "run", str(script)]
    process = subprocess.run(command, capture_output=True, text=True, timeout=120, check=False)
    assert process.returncode == 0, process.stderr
    assert process.stdout.splitlines() == ["tensorflow.python.keras.api._v1.keras", "Dense"]


def test_unused_modules_are_not_loaded():
    """Not by the import, a session, or a layer whose deprecation message names one of tf.keras."""
    code = """
import sys
import tfmini as tf
high = ("contrib", "data", "estimator", "feature_column", "keras", "layers")
print([name for name in high if f"tfmini.{name}" in sys.modules])
print(tf.Session().run(tf.constant(2) + 3), "google.protobuf" in sys.modules)
tf.layers.dense(tf.zeros([2, 3]), 4)
print("tfmini.layers" in sys.modules, "tfmini.keras" in sys.modules)
"""
    command = [sys.executable, "-c", code]
    process = subprocess.run(command, capture_output=True, text=True, timeout=120, check=True)
    assert process.stdout.splitlines() == ["[]", "5 False", "True False"]
