"""Equal small constants of a plan are one array on each GPU that reads them."""

import numpy as np

import tfmini as tf
from tests.gpus import fake_gpus


def test_small_constants_are_uploaded_once_for_each_gpu(monkeypatch):
    monkeypatch.delenv("CUDA_VISIBLE_DEVICES", raising=False)
    monkeypatch.setenv("TF_FORCE_GPU_ALLOW_GROWTH", "true")
    x = np.arange(1000, dtype="f")
    large = np.arange(20, dtype="f")
    with fake_gpus(devices=2) as machine, tf.Graph().as_default():
        made = []
        fed = tf.placeholder(tf.float32, [1000])
        for number in (0, 1):
            with tf.device(f"/gpu:{number}"):
                for _ in range(5):
                    made.append(tf.reduce_sum(tf.reshape(fed, [50, 20]) * large) * 1.5)
                made.append(tf.reduce_sum(fed) * -0.0)
                made.append(tf.reduce_sum(fed) * 0.0)
        with tf.Session() as session:
            session._compile(made, [fed])
            # On each GPU 1.5, 0.0 and -0.0 once, and the larger array for each that reads it.
            assert machine.counters.copies["h2d"] == 2 * (3 + 5)
            got = session.run(made, {fed: x})
    want = (x.reshape(50, 20) * large).sum() * np.float32(1.5)
    for result in (got[:7], got[7:]):
        np.testing.assert_allclose(result[:5], want, rtol=1e-6)
        assert [str(v) for v in result[5:]] == ["-0.0", "0.0"]
