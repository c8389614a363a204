"""Untrusted model files: rejected bytecode, oversized YAML; closures over `tf`."""

import copy
import pickle

import numpy as np
import pytest

import tfmini as tf
from tfmini._src.nn.layers.serialization.function_code import forbid_code
from tfmini._src.programs.runner import call_shims
from tfmini.compat.python.tools import saved_model_cli

yaml = pytest.importorskip("yaml")


def model():
    square = tf
    layer = tf.keras.layers.Lambda(lambda x: square.square(x), input_shape=(2,))
    return tf.keras.Sequential([layer, tf.keras.layers.Dense(1)])


def test_lambda_closes_over_tf():
    config = model().get_config()
    restored = tf.keras.Sequential.from_config(config)
    assert [type(layer).__name__ for layer in restored.layers] == ["Lambda", "Dense"]
    with pytest.raises(TypeError, match="Not JSON Serializable"):
        model().to_json()


def test_modules_are_copied_by_name():
    assert copy.deepcopy({"tf": tf, "nn": tf.nn}) == {"tf": tf, "nn": tf.nn}
    assert pickle.loads(pickle.dumps(tf)) is tf


def test_safe_mode_refuses_byte_code(monkeypatch, tmp_path):
    pytest.importorskip("h5py")
    created = tf.keras.Sequential([tf.keras.layers.Lambda(lambda x: x + 1.0, input_shape=(2,))])
    config = created.get_config()
    with forbid_code(True), pytest.raises(ValueError, match="bytecode"):
        tf.keras.Sequential.from_config(config)
    path = str(tmp_path / "model.h5")
    created.save(path)
    with pytest.raises(ValueError, match="bytecode"):
        tf.keras.models.load_model(path, safe_mode=True)
    assert tf.keras.models.load_model(path).layers
    monkeypatch.setenv("TFMINI_SAFE", "1")
    with pytest.raises(ValueError, match="bytecode"):
        tf.keras.models.load_model(path)


def test_directory_stores_functions_instead_of_byte_code(monkeypatch, tmp_path):
    created = tf.keras.Sequential([tf.keras.layers.Lambda(lambda x: x + 1.0, input_shape=(2,))])
    created.save(str(tmp_path), save_format="tf")
    monkeypatch.setenv("TFMINI_SAFE", "1")
    loaded = tf.keras.models.load_model(str(tmp_path))
    np.testing.assert_array_equal(loaded.predict(np.ones((1, 2))), [[2.0, 2.0]])


def test_safe_mode_refuses_pickled_arrays(monkeypatch, tmp_path):
    path = str(tmp_path / "objects.npy")
    np.save(path, np.array([{"a": 1}], object), allow_pickle=True)
    archive = str(tmp_path / "objects.npz")
    np.savez(archive, x=np.array([None], object))
    inputs = saved_model_cli.load_inputs_from_input_arg_string
    words = tf.contrib.learn.preprocessing.VocabularyProcessor(3)
    words.save(str(tmp_path / "words"))
    allowed = {"allow_pickle": True}
    calls = [((path,), {}), ((path,), allowed), ((path, None, True), {})]
    for arguments, options in calls:
        assert call_shims.call(np.load, *arguments, **options)[0] == {"a": 1}
    assert inputs(f"x={path}", "", "")["x"][0] == {"a": 1}
    monkeypatch.setenv("TFMINI_SAFE", "1")
    for arguments, options in calls:
        with pytest.raises(ValueError, match="allow_pickle=False"):
            call_shims.call(np.load, *arguments, **options)
    with pytest.raises(ValueError, match="allow_pickle=False"):
        call_shims.call(np.load, archive, **allowed)["x"]
    with pytest.raises(ValueError, match="allow_pickle=False"):
        inputs(f"x={path}", "", "")
    with pytest.raises(ValueError, match="words is a pickle, which TFMINI_SAFE rejects"):
        words.restore(str(tmp_path / "words"))
    np.save(path, np.arange(3))
    assert call_shims.call(np.load, path, "r", **allowed).tolist() == [0, 1, 2]


def test_yaml_round_trip_and_unsafe_tags():
    created = tf.keras.Sequential([tf.keras.layers.Dense(3, input_shape=(2,))])
    restored = tf.keras.models.model_from_yaml(created.to_yaml())
    assert restored.get_config() == created.get_config()
    with pytest.raises(
        yaml.constructor.ConstructorError,
        match="could not determine a constructor for the tag .*python/object/apply:os.getcwd",
    ):
        tf.keras.models.model_from_yaml("!!python/object/apply:os.getcwd []")


def test_yaml_alias_bomb_is_refused():
    rows = ["a0: &a0 [x, x, x, x, x, x, x, x, x]"]
    rows += [f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 9)}]" for n in range(1, 12)]
    with pytest.raises(ValueError, match="million|1000000"):
        tf.keras.models.model_from_yaml("\n".join(rows))


def test_optimizer_without_shared_updates():
    class Half(tf.keras.optimizers.Optimizer):
        def __init__(self):
            super().__init__("Half")

        def _resource_apply_dense(self, grad, var):
            return var.assign_sub(0.5 * grad).op

        def get_config(self):
            return {}

    v = tf.Variable([1.0, 2.0], use_resource=True)
    train = Half().apply_gradients([(tf.constant([1.0, 1.0]), v)])
    with tf.Session() as session:
        session.run(tf.global_variables_initializer())
        session.run(train)
        np.testing.assert_array_equal(session.run(v), [0.5, 1.5])
