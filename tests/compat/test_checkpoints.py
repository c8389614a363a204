"""Private modules that programs take Savers and readers from."""

import tfmini as tf
from tfmini.compat.python import pywrap_tensorflow
from tfmini.compat.python.training import saver as saver_lib


def test_a_builder_of_ones_own(tmp_path):
    class Builder(saver_lib.BaseSaverBuilder):
        """Reads each variable with a node of its own."""

    with tf.Graph().as_default() as graph, tf.Session() as session:
        v = [tf.get_variable(name, initializer=[1.0]) for name in "ab"]
        saver = saver_lib.Saver(v, builder=Builder())
        assert sum(op.type == "RestoreV2" for op in graph.get_operations()) == 2
        session.run(tf.global_variables_initializer())
        path = saver.save(session, str(tmp_path / "model"))
        saver.restore(session, saver_lib.latest_checkpoint(str(tmp_path)))
    reader = pywrap_tensorflow.NewCheckpointReader(path)
    assert reader.get_variable_to_shape_map() == {"a": [1], "b": [1]}
