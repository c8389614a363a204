"""Callbacks that save a Keras model's elastic training state."""

import subprocess
import sys

import numpy as np
import pytest

import tfmini as tf
from tests.cluster.tasks import environment
from tfmini._src.models.keras.horovod import keras as hvd


class Commits(hvd.elastic.KerasState):
    """A state that records its commits."""

    def commit(self):
        self.seen.append((self.epoch, self.batch))


@pytest.mark.parametrize(
    "batches, expected",
    [
        (2, [(0, 2), (1, 0), (1, 2), (2, 0)]),
        (1, [(0, 1), (0, 2), (0, 3), (1, 0), (1, 1), (1, 2), (1, 3), (2, 0)]),
    ],
)
def test_commit_points(keras_session, monkeypatch, batches, expected):
    monkeypatch.delenv("TFMINI_RANKS", raising=False)
    hvd.init()
    model = tf.keras.Sequential([tf.keras.layers.Dense(1, input_shape=(2,))])
    model.compile(hvd.DistributedOptimizer(tf.keras.optimizers.SGD(0.1)), "mse")
    state = Commits(model, batch=0, epoch=0)
    state.seen = []
    retained = hvd.elastic
    callbacks = [
        retained.UpdateBatchStateCallback(state),
        retained.UpdateEpochStateCallback(state),
        retained.CommitStateCallback(state, batches_per_commit=batches),
    ]
    x, y = np.ones([6, 2], np.float32), np.ones([6, 1], np.float32)
    model.fit(x, y, batch_size=2, epochs=2, verbose=0, callbacks=callbacks)
    hvd.shutdown()
    assert state.seen == expected


def test_module_names_under_runner():
    code = (
        "import tfmini.as_tensorflow, horovod.tensorflow as hvd, horovod.tensorflow.keras as keras\n"
        "import horovod.tensorflow.elastic as first, horovod.tensorflow.keras.elastic as second\n"
        "from horovod.common.exceptions import HorovodInternalError, HostsUpdatedInterrupt\n"
        "assert hvd.elastic.run is first.run is second.run is keras.elastic.run\n"
        "print(first.HorovodInternalError is HorovodInternalError, second.KerasState.__name__)"
    )
    run = [sys.executable, "-W", "ignore", "-c", code]
    process = subprocess.run(run, capture_output=True, text=True, timeout=120, env=environment())
    assert process.stdout == "True TensorFlowKerasState\n", process.stderr
