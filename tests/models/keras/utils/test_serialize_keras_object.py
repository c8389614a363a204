"""Objects and their configurations, tensor sources, flipped kernels, rows of HDF5 files."""

import numpy as np
import pytest

import tfmini as tf

pytestmark = pytest.mark.usefixtures("keras_session")

utils = tf.keras.utils


def test_source_inputs_and_flipped_kernels():
    first, second = tf.keras.Input((6, 2)), tf.keras.Input((4, 3))
    layer = tf.keras.layers.Conv1D(3, 3)
    out = tf.keras.layers.add([layer(first), second])
    assert utils.get_source_inputs(out) == [first, second]
    model = tf.keras.Model([first, second], out)
    before = tf.keras.backend.get_value(layer.kernel)
    utils.convert_all_kernels_in_model(model)
    np.testing.assert_array_equal(tf.keras.backend.get_value(layer.kernel), before[::-1])


def test_object_configurations():
    norm = tf.keras.constraints.MaxNorm(3)
    config = utils.serialize_keras_object(norm)
    assert config == {"class_name": "MaxNorm", "config": {"max_value": 3, "axis": 0}}
    restored = utils.deserialize_keras_object(config, {"MaxNorm": tf.keras.constraints.MaxNorm})
    assert restored.max_value == 3
    with pytest.raises(ValueError, match="Unknown thing"):
        utils.deserialize_keras_object("none", {}, printable_module_name="thing")


def test_hdf5_matrix(tmp_path):
    h5py = pytest.importorskip("h5py")
    path = str(tmp_path / "x.h5")
    with h5py.File(path, "w") as file:
        file["x"] = np.arange(20).reshape(10, 2)
    rows = utils.HDF5Matrix(path, "x", 2, 8, normalizer=lambda x: x * 2)
    assert rows.shape == (6, 2) and rows.ndim == 2 and rows.size == 12 and len(rows) == 6
    np.testing.assert_array_equal(rows[1:3], [[12, 14], [16, 18]])
    np.testing.assert_array_equal(rows[[0, 5]], [[8, 10], [28, 30]])
    np.testing.assert_array_equal(rows[np.int64(0)], [8, 10])
    with pytest.raises(IndexError, match="^row 6 of 6$"):
        rows[6]
    utils.HDF5Matrix.refs.pop(path).close()
