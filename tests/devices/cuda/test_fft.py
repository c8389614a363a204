"""Fourier transforms of several logical GPUs on one device, whose plans and work areas CuPy shares."""

import numpy as np

import tfmini as tf
from tests.support.gpu.gpus import fake_gpus


def test_virtual_gpus_do_not_share_fft_work_area(monkeypatch):
    monkeypatch.delenv("CUDA_VISIBLE_DEVICES", raising=False)
    config = tf.ConfigProto()
    config.gpu_options.experimental.virtual_devices.add(memory_limit_mb=[8, 8])
    value = np.arange(8, dtype="F")
    with fake_gpus(devices=1), tf.Graph().as_default(), tf.Session(config=config) as session:
        x = tf.placeholder(tf.complex64, [8])
        created = []
        for index in (0, 1, 0):
            with tf.device(f"/gpu:{index}"):
                created += [tf.signal.fft(x + index), tf.signal.ifft(x - index)]
        result = session.run(created, {x: value})
    for index, got, back in zip((0, 1, 0), result[::2], result[1::2]):
        np.testing.assert_allclose(got, np.fft.fft(value + index), rtol=1e-5)
        np.testing.assert_allclose(back, np.fft.ifft(value - index), rtol=1e-5)
