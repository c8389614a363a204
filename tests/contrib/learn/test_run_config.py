"""tf.contrib.learn.RunConfig."""

import tfmini as tf

learn, layers = tf.contrib.learn, tf.contrib.layers


def test_uid():
    config = learn.RunConfig(model_dir="a", tf_random_seed=1)
    assert config.uid() == learn.RunConfig(model_dir="a", tf_random_seed=2).uid()
    assert config.uid() != learn.RunConfig(model_dir="b").uid()
    assert (config.environment, config.task_type, learn.RunConfig.get_task_id()) == (
        "local",
        None,
        0,
    )
    assert learn.RunConfig(num_cores=3).tf_config.intra_op_parallelism_threads == 3
