"""All-reduce training callbacks in one process; `tests/distribute/horovod/test_recorded.py` uses two."""

import numpy as np
import pytest

import tfmini as tf
from tfmini._src.distribute.horovod import basics
from tfmini._src.distribute.horovod.ranks import RankInfo
from tfmini._src.models.keras.horovod import callbacks, keras as hvd


@pytest.fixture
def single_rank(monkeypatch):
    monkeypatch.delenv("TFMINI_RANKS", raising=False)
    tf.keras.backend.clear_session()
    hvd.init()
    yield monkeypatch
    hvd.shutdown()


def rates(schedule, epochs, steps=2, rate=0.5):
    """The learning rate of each epoch's last batch, and the result of `fit`."""
    model = tf.keras.Sequential([tf.keras.layers.Dense(1, input_shape=(2,))])
    model.compile(hvd.DistributedOptimizer(tf.keras.optimizers.SGD(rate)), "mse")
    x = np.ones([4 * steps, 2])
    inputs = [hvd.callbacks.MetricAverageCallback(), schedule]
    options = {"batch_size": 4, "epochs": epochs, "verbose": 0}
    return model.fit(x, x[:, :1], callbacks=inputs, **options).history["lr"]


def test_schedule_accepts_old_signature(single_rank):
    """The multiplier was the first argument, and the initial rate the optimizer's."""
    schedule = callbacks.LearningRateScheduleCallback(0.1, start_epoch=1, end_epoch=2)
    np.testing.assert_allclose(rates(schedule, 3), [0.5, 0.05, 0.05], rtol=1e-6)
    with pytest.raises(ValueError, match="`multiplier` is required"):
        callbacks.LearningRateScheduleCallback()


def test_warmup_without_initial_rate(single_rank, capsys):
    single_rank.setattr(basics, "_places", [RankInfo(0, ("a:1", "a:2"))])
    single_rank.setattr(callbacks, "reductions", lambda: None)
    warmup = callbacks.LearningRateWarmupCallback(warmup_epochs=2, verbose=1)
    np.testing.assert_allclose(rates(warmup, 3), [0.375, 0.5, 0.5], rtol=1e-6)
    assert capsys.readouterr().out == ("\nEpoch 2: finished gradual learning rate warmup to 0.5.\n")


def test_unknown_step_count_is_refused(single_rank):
    schedule = callbacks.LearningRateScheduleCallback(0.1, lambda epoch: epoch, staircase=False)
    schedule.params = {"steps": None, "samples": None}
    with pytest.raises(ValueError, match=r"parameter to the LearningRateScheduleCallback\(\)"):
        schedule.on_train_begin()
    schedule.params = {"samples": 20, "batch_size": 4}
    schedule.on_train_begin()
    assert schedule.steps_per_epoch == 5


def test_best_model_checkpoint(single_rank, tmp_path):
    pytest.importorskip("h5py")
    best = callbacks.BestModelCheckpoint(monitor="loss", save_freq="epoch")
    best.filepath = str(tmp_path / "best.h5")
    model = tf.keras.Sequential([tf.keras.layers.Dense(1, input_shape=(2,))])
    model.compile(hvd.DistributedOptimizer(tf.keras.optimizers.SGD(0.01)), "mse")
    x = np.ones([8, 2])
    model.fit(x, x[:, :1], epochs=2, verbose=0, callbacks=[best])
    loaded = hvd.load_model(best.filepath)
    np.testing.assert_allclose(loaded.predict(x), model.predict(x), rtol=1e-6)


class Halved(tf.keras.optimizers.SGD):
    def __init__(self, learning_rate=0.1, name="Halved", **kwargs):
        super().__init__(learning_rate, name=name, **kwargs)


def test_saved_models_restore_custom_optimizer(single_rank, tmp_path):
    pytest.importorskip("h5py")
    path = str(tmp_path / "model.h5")
    model = tf.keras.Sequential([tf.keras.layers.Dense(1, input_shape=(2,))])
    model.compile(hvd.DistributedOptimizer(Halved(0.25)), "mse")
    x = np.ones([4, 2])
    model.fit(x, x[:, :1], verbose=0)
    model.save(path)
    result = hvd.load_model(path, custom_optimizers=[Halved])
    assert isinstance(result.optimizer, Halved) and type(result.optimizer) is not Halved
    assert float(tf.keras.backend.get_value(result.optimizer.lr)) == 0.25
    objects = {"Halved": lambda **config: Halved(**config)}
    assert type(hvd.load_model(path, custom_objects=objects).optimizer) is Halved


def test_invalid_arguments(single_rank):
    with pytest.raises(ValueError, match="op currently only supports Average and Sum"):
        hvd.DistributedOptimizer(tf.keras.optimizers.SGD(0.1), op=2)
    with pytest.raises(ValueError, match="doesn't inherit from either legacy TensorFlow or Keras"):
        hvd.DistributedOptimizer("sgd")
