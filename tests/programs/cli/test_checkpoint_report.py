"""Tensor sizes of a checkpoint."""

import tfmini as tf
from tfmini._src.formats.bundle_recovery import open_bundle
from tfmini._src.programs.cli.checkpoint_report import Checkpoint


def test_empty_tensors_have_zero_bytes(tmp_path):
    with tf.Graph().as_default(), tf.Session() as session:
        tf.get_variable("empty", initializer=tf.zeros([0, 3]))
        tf.get_variable("two", initializer=tf.zeros([2]))
        session.run(tf.global_variables_initializer())
        prefix = tf.train.Saver().save(session, str(tmp_path / "model"))
    result = Checkpoint(open_bundle(prefix))
    assert result.bytes == 8 and result.sizes == {"empty": 0, "two": 8}
