"""`import keras` under the runner: the installed Keras, or else tf.keras."""

import os

from tests.programs.hook.test_import_finder import python

PROGRAM = """
import tfmini.as_tensorflow
import keras
from keras import backend as K
from keras.layers import *
from keras.layers.core import Dense as inner
from keras.models import Sequential
from keras.utils import np_utils, to_categorical
import tensorflow as tf
print(keras.__version__, Dense is inner is tf.keras.layers.Dense, Sequential is tf.keras.Sequential)
print(np_utils.to_categorical([1], 3).tolist(), K.floatx(), "Model" in dir(keras))
for name in ("nothing", "layers.nothing"):
    try:
        __import__("keras." + name)
    except ModuleNotFoundError as error:
        print(error)
try:
    keras.layers.Nothing
except AttributeError as error:
    print("no Nothing")
"""


def test_names_match_tf_keras():
    out, err = python(PROGRAM)
    assert out.splitlines() == [
        "2.2.4-tf True True",
        "[[0.0, 1.0, 0.0]] float32 True",
        "No module named 'keras.nothing'",
        "No module named 'keras.layers.nothing'",
        "no Nothing",
    ]
    (line,) = err.splitlines()
    assert line.endswith(": keras is not installed; using tf.keras instead.")


def test_installed_keras_takes_precedence(tmp_path):
    (tmp_path / "keras.py").write_text("name = 'installed'\n")
    out, err = python("import tfmini.as_tensorflow, keras; print(keras.name)", cwd=tmp_path)
    assert (out, err) == ("installed\n", "")


def test_strict_mode_supplies_no_keras():
    out, err = python(
        "import tfmini._src.programs.hook.import_finder as i; i.install(strict=True); import keras",
        environment={"PYTHONPATH": os.environ.get("PYTHONPATH", "")},
    )
    assert out == "" and err.endswith("ModuleNotFoundError: No module named 'keras'\n")
