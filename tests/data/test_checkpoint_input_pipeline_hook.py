"""An Estimator's input resumes at its saved position; elements and files are TensorFlow 1.15.5's."""

import os

import tfmini as tf


def test_training_resumes_with_next_element(tmp_path):
    seen = []

    def model(features, labels, mode):
        weight = tf.get_variable("w", [], initializer=tf.zeros_initializer())
        step = tf.train.get_or_create_global_step()
        noted = tf.py_func(lambda element: seen.append(int(element)), [features], [])
        with tf.control_dependencies([noted]):
            train = tf.assign_add(step, 1).op
        return tf.estimator.EstimatorSpec(mode, loss=weight, train_op=train)

    def numbers():
        return tf.data.Dataset.range(100)

    config = tf.estimator.RunConfig(save_checkpoints_steps=2)
    for _ in range(3):
        estimator = tf.estimator.Estimator(model, str(tmp_path), config)
        hook = tf.data.experimental.CheckpointInputPipelineHook(estimator)
        estimator.train(numbers, steps=3, hooks=[hook])
    assert seen == list(range(9))
    names = {name for name in os.listdir(tmp_path) if "input" in name and name.endswith("index")}
    assert names == {f"input.ckpt-{step}.index" for step in (0, 2, 3, 4, 6, 7, 9)}
    assert (tmp_path / "checkpoint_input").is_file()
    estimator.train(numbers, steps=2)
    assert seen[9:] == [0, 1]
