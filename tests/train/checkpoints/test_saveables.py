"""GPU variables are saved and restored there, in one file or one shard per device."""

import numpy as np
import pytest

import tfmini as tf
from tests.support.gpu.gpus import fake_gpus


@pytest.mark.parametrize("sharded", [False, True])
def test_gpu_variable_round_trip(tmp_path, sharded):
    with fake_gpus(devices=2), tf.Graph().as_default():
        with tf.device("/gpu:0"):
            a = tf.get_variable("a", initializer=np.arange(5, dtype="f"))
            r = tf.get_variable("r", initializer=np.arange(4, dtype="f"), use_resource=True)
        with tf.device("/gpu:1"):
            cut = tf.fixed_size_partitioner(2)
            p = tf.get_variable("p", [6, 2], initializer=tf.ones_initializer(), partitioner=cut)
        n = tf.get_variable("n", initializer=np.int32(3))
        saver = tf.train.Saver(sharded=sharded)
        config = tf.ConfigProto(allow_soft_placement=True)
        with tf.Session(config=config) as session:
            session.run(tf.global_variables_initializer())
            path = saver.save(session, str(tmp_path / "model"))
        with tf.Session(config=config) as session:
            saver.restore(session, path)
            assert [v.tolist() for v in session.run([a, r])] == [[0, 1, 2, 3, 4], [0, 1, 2, 3]]
            assert session.run(n) == 3 and (np.concatenate(session.run(list(p))) == 1).all()
    shards = {path.name for path in tmp_path.iterdir() if ".data" in path.name}
    assert len(shards) == (3 if sharded else 1)
