"""Savers of slices, names and other shapes; steps in every form; files and states after each save."""

import os

import numpy as np

from tests.conformance.scenes import eager_mode


def steps_in_names(tf, stage):
    v = tf.get_variable("v", initializer=1.0)
    step = tf.get_variable("step", initializer=np.int64(7), trainable=False)
    small = tf.constant(np.int32(3), name="small")
    with tf.Session() as session:
        session.run(tf.global_variables_initializer())
        for options in ({}, {"pad_step_number": True}, {"sharded": True}):
            saver = tf.train.Saver([v], **options)
            folder = f"{stage.folder}/{len(os.listdir(stage.folder))}"
            os.mkdir(folder)
            for given in (0, 5, np.int32(6), step, small, "step:0", 10**9, True, 2.0, "x"):
                stage.attempt(saver.save, session, folder + "/m", given, write_meta_graph=False)
            stage.attempts(
                lambda: saver.save(session, folder + "/deep/m"),  # noqa: B023
                lambda: saver.save(session, folder + "/deep/deeper/m"),  # noqa: B023
                lambda: saver.save(session, ""),  # noqa: B023
            )
            stage.files(folder)
            stage.say(saver.last_checkpoints)
            for name in ("checkpoint", "named"):
                state = tf.train.get_checkpoint_state(folder, name)
                stage.say(state and state.model_checkpoint_path)
                stage.say(state and list(state.all_model_checkpoint_paths))


def built_later(tf, stage):
    later = tf.train.Saver(defer_build=True, allow_empty=True, name="later", max_to_keep=3)
    later.build()
    stage.say(later.saver_def, later.as_saver_def() is later.saver_def)
    stage.attempts(
        lambda: tf.train.Saver(saver_def="text"),
        lambda: tf.train.Saver(filename=tf.constant("own")).saver_def.filename_tensor_name,
    )
    with eager_mode(tf):
        w = tf.Variable([1.0, 2.0], name="w")
        stage.attempts(lambda: tf.train.Saver(), lambda: tf.train.Saver([w]).build())
        saver = tf.train.Saver({"x": w}, max_to_keep=1)
        for step in (1, tf.Variable(2), np.int64(3), tf.constant(4)):
            stage.attempt(lambda: saver.save(None, stage.folder + "/e", step))  # noqa: B023
        w.assign([0.0, 0.0])
        stage.attempt(saver.restore, None, tf.train.latest_checkpoint(stage.folder))
        stage.say(w.numpy(), saver.last_checkpoints)
        stage.attempt(tf.contrib.eager.Saver([w]).save, stage.folder + "/new/e")  # creates a folder
        stage.attempt(saver.save, None, stage.folder + "/two/new/e")
        flat = tf.Variable([0.0, 0.0], name="w")
        wide = tf.Variable([[0.0], [0.0]], name="w")
        for var, options in ((flat, {}), (wide, {}), (wide, {"reshape": True})):
            stage.attempt(tf.train.Saver([var], **options).restore, None, stage.folder + "/new/e")
            stage.say(var.numpy())
        stage.files()
