"""tf.contrib.training.HParams."""

import pytest

import tfmini as tf
from tfmini._src.contrib.learn import learn_runner

learn = tf.contrib.learn


def test_invalid_arguments():
    config = learn.RunConfig(model_dir="folder")
    with pytest.raises(ValueError, match="^`hparams` must be `HParams` instance$"):
        learn_runner._build_experiment(lambda *args: None, config, {"rate": 1.0})
    seen = []
    with pytest.raises(TypeError, match="Experiment"):
        learn_runner._build_experiment(
            lambda config, hparams: seen.append(hparams.rate),
            config,
            tf.contrib.training.HParams(rate=0.5),
        )
    assert seen == [0.5]
