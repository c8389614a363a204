"""Reference layouts of convolutions, and runs on a GPU."""

import numpy as np

import tfmini as tf
from tests.support.gpu.gpus import fake_gpus

CLOSE = {"rtol": 1e-4, "atol": 1e-4}


def first(x):
    """Moves the channels before the spatial axes."""
    return np.moveaxis(x, -1, 1)


def on_gpu(build):
    """Value of `build()` on a GPU."""
    with fake_gpus(devices=1), tf.Graph().as_default(), tf.device("/gpu:0"):
        fetches = build()
        with tf.Session() as session:
            return session.run(fetches)
