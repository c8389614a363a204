"""Scenes give, say, raise, write and leave what TensorFlow's do."""

import pytest

import tfmini as tf
from tests.conformance import scenes

WITH_HDF5 = ("models_applications-", "models_data_files-", "models_hdf5-")  # files that import h5py


@pytest.mark.parametrize("scene", scenes.names("models"))
def test_a_scene(scene):
    if scene.startswith(WITH_HDF5):
        pytest.importorskip("h5py")
    scenes.check(tf, scene)
