"""Savers of parts, names, shapes of other kinds; steps in every form; what files and states say after each save."""

import os

import numpy as np

from tests.conformance.scenes import eager_mode


def _variables(tf):
    split = tf.fixed_size_partitioner(2)
    with tf.variable_scope("in"):
        parts = tf.get_variable(
            "parts", initializer=tf.constant([[1.0], [2.0], [3.0]]), partitioner=split
        )
    plain = tf.get_variable("plain", initializer=np.float64([4.0, 5.0]))
    resource = tf.get_variable("resource", initializer=6, use_resource=True)
    unknown = tf.Variable(
        tf.placeholder_with_default(["a", "b"], [None]), validate_shape=False, name="unknown"
    )
    return parts, plain, resource, unknown


def _kinds(tf, parts, plain, resource, unknown):
    return {
        "all": None,
        "parts": [parts],
        "parts apart": list(parts),
        "parts in a tuple": tuple(parts),
        "named": {"x": parts, "y": plain},
        "parts of another name": {"other": list(parts)},
        "a part of a name": {"first": list(parts)[0]},
        "unknown": [unknown],
        "resource and others": [resource, plain, unknown],
        "set": {plain},
        "tensor": {"read": plain.read_value()},
        "numbers as names": {1: plain},
        "generator": (v for v in [plain, resource]),
        "twice": [plain, plain],
        "mixed": [parts, "plain"],
        "none": [None],
        "text": "plain",
    }


def what_is_saved(tf, stage):
    variables = _variables(tf)
    kinds = _kinds(tf, *variables)
    stage.nodes()
    with tf.Session() as session:
        session.run(tf.global_variables_initializer())
        for number, (name, given) in enumerate(kinds.items()):
            stage.say(name)
            with stage.failing():
                saver = tf.train.Saver(given, name=f"save{number}")
                stage.say(saver.as_saver_def())
                path = saver.save(session, f"{stage.folder}/{number}", write_meta_graph=False)
                stage.say(tf.train.list_variables(path))
                saver.restore(session, path)
    stage.brief_graph(names=False)


def _restored(tf, stage, path, make, **options):
    with tf.Graph().as_default(), tf.Session() as session, stage.failing():
        made = make()
        saver = tf.train.Saver(**options)
        saver.restore(session, path)
        stage.say(session.run(made))


def shapes_that_differ(tf, stage):
    with tf.Graph().as_default(), tf.Session() as session:
        _variables(tf)
        session.run(tf.global_variables_initializer())
        path = tf.train.Saver().save(session, stage.folder + "/m")
    one = tf.fixed_size_partitioner(1)
    three = tf.fixed_size_partitioner(3)

    def variable(name, shape, dtype=tf.float32, **options):
        def make():
            made = tf.get_variable(name, shape, dtype, **options)
            return list(made) if not hasattr(made, "op") else made

        return make

    for make in (
        variable("in/parts", [3, 1]),
        variable("in/parts", [3, 1], partitioner=one),
        variable("in/parts", [3, 1], partitioner=three),
        variable("in/parts", [1, 3]),
        variable("in/parts", [3]),
        variable("in/parts", [4, 1], partitioner=three),
        variable("in/parts", [3, 1], tf.float64),
        variable("plain", [2]),
        variable("plain", [2], tf.float64, use_resource=True),
        variable("plain", [2, 1], tf.float64),
        variable("plain", [2, 1], tf.float64, use_resource=True),
        variable("plain", [1], tf.float64),
        variable("resource", [], tf.int32),
        variable("resource", [1], tf.int32),
        variable("missing", [1]),
        lambda: tf.Variable(np.array([b"", b""]), name="unknown"),
        lambda: tf.Variable(np.array([b"", b"", b""]), name="unknown"),
    ):
        _restored(tf, stage, path, make)
        _restored(tf, stage, path, make, reshape=True)
    with tf.Graph().as_default():
        _variables(tf)
        tf.train.Saver(reshape=True, restore_sequentially=True, sharded=True, name="own")
        stage.brief_graph()


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
                lambda: saver.save(session, folder + "/m", meta_graph_suffix="graph"),  # noqa: B023
                lambda: saver.save(session, folder + "/n", 1, "named", "graph"),  # noqa: B023
                lambda: saver.save(session, folder + "/o", write_state=False),  # noqa: B023
                lambda: saver.save(session, folder + "/deep/m"),  # noqa: B023
                lambda: saver.save(session, folder + "/deep/deeper/m"),  # noqa: B023
                lambda: saver.save(session, folder + "/p", strip_default_attrs=True),  # noqa: B023
                lambda: saver.save(session, ""),  # noqa: B023
                lambda: saver.save(session, folder + "/ü"),  # noqa: B023
            )
            stage.files(folder)
            stage.say(saver.last_checkpoints)
            for name in ("checkpoint", "named"):
                state = tf.train.get_checkpoint_state(folder, name)
                stage.say(state and state.model_checkpoint_path)
                stage.say(state and list(state.all_model_checkpoint_paths))


def kept_for_hours(tf, stage):
    v = tf.get_variable("v", initializer=1.0)
    with tf.Session() as session:
        session.run(v.initializer)
        for hours, keep in ((10000.0, 2), (1e-12, 2), (1e-12, 1)):
            folder = f"{stage.folder}/{len(os.listdir(stage.folder))}"
            os.mkdir(folder)
            saver = tf.train.Saver(max_to_keep=keep, keep_checkpoint_every_n_hours=hours)
            for step in range(4):
                saver.save(session, folder + "/m", step, write_meta_graph=step % 2 == 0)
            stage.files(folder)
            again = tf.train.Saver(max_to_keep=keep)
            again.recover_last_checkpoints([folder + "/m-3", folder + "/m-2", folder + "/none"])
            stage.say(again.last_checkpoints)
            again.save(session, folder + "/m", 9, write_meta_graph=False)
            stage.say(again.last_checkpoints)
            stage.files(folder)
            again.set_last_checkpoints_with_time([(folder + "/m-9", 0.0), (folder + "/x", 1e12)])
            again.save(session, folder + "/m", 10, meta_graph_suffix="graph")
            again.save(session, folder + "/m", 11, meta_graph_suffix="graph")
            stage.say(again.last_checkpoints)
            stage.files(folder)


def built_later(tf, stage):
    empty = tf.train.Saver(allow_empty=True)
    later = tf.train.Saver(defer_build=True, allow_empty=True, name="later", max_to_keep=3)
    with tf.Session() as session:
        stage.attempts(
            lambda: empty.saver_def,
            lambda: empty.save(session, stage.folder + "/m"),
            lambda: empty.restore(session, "none"),
            lambda: later.saver_def,
            lambda: later.last_checkpoints,
            lambda: later.save(session, stage.folder + "/m"),
        )
    v = tf.get_variable("v", initializer=1.0)
    later.build()
    stage.say(later.saver_def, later.as_saver_def() is later.saver_def)
    stage.attempts(
        lambda: tf.train.Saver([v], defer_build=True),
        lambda: tf.train.Saver([]),
        lambda: tf.train.Saver({}),
        lambda: tf.train.Saver([], allow_empty=True).saver_def,
        lambda: tf.train.Saver(saver_def="text"),
        lambda: tf.train.Saver(keep_checkpoint_every_n_hours=5).saver_def,
        lambda: tf.train.Saver(sharded=1).saver_def.sharded,
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
        stage.attempts(
            lambda: saver.restore(None, stage.folder + "/none"),
            lambda: tf.train.Saver([w]).restore(None, saver.last_checkpoints[0]),
            lambda: tf.train.Saver({"x": tf.Variable(1.0)}).restore(
                None, saver.last_checkpoints[0]
            ),
        )
        stage.attempt(tf.contrib.eager.Saver([w]).save, stage.folder + "/new/e")  # makes a folder
        stage.attempt(saver.save, None, stage.folder + "/two/new/e")
        flat = tf.Variable([0.0, 0.0], name="w")
        wide = tf.Variable([[0.0], [0.0]], name="w")
        for var, options in ((flat, {}), (wide, {}), (wide, {"reshape": True})):
            stage.attempt(tf.train.Saver([var], **options).restore, None, stage.folder + "/new/e")
            stage.say(var.numpy())
        stage.files()
