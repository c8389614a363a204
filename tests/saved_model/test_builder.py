"""A SavedModel without graphs, whose folder has been deleted."""

import os
import shutil

import tfmini as tf


def test_deleted_directory_is_recreated(tmp_path):
    folder = str(tmp_path / "a" / "b")
    builder = tf.saved_model.Builder(folder)
    assert os.listdir(folder) == []
    shutil.rmtree(tmp_path / "a")
    assert builder.save() == os.path.join(folder, "saved_model.pb").encode()
    assert os.listdir(folder) == ["saved_model.pb"]
