"""Checkpoints: folder states, sharded and legacy files, warm starts, readers, meta graphs; errors."""

import numpy as np


def saver_defs(tf, stage):
    v = tf.get_variable("v", initializer=[1.0, 2.0])
    saver = tf.train.Saver({"of": v}, name="first")
    stage.say(saver.to_proto(), saver.to_proto("none"))
    again = tf.train.Saver(saver_def=saver.to_proto())
    stage.say(again.as_saver_def() == saver.as_saver_def())
    stage.attempts(
        lambda: tf.train.Saver([v], saver_def=saver.to_proto(), name="other").saver_def,
        lambda: tf.train.Saver(saver_def=tf.train.SaverDef()).as_saver_def(),
        lambda: tf.train.Saver.from_proto(saver.to_proto(), import_scope="in").as_saver_def(),
        lambda: tf.train.Saver([v], defer_build=True, saver_def=saver.to_proto()),
        lambda: saver.export_meta_graph(stage.folder + "/x", ["none"]).collection_def,
        lambda: saver.export_meta_graph(clear_devices=True, strip_default_attrs=True).saver_def,
        lambda: saver.restore(tf.Session(), stage.folder + "/none"),
        lambda: saver.restore(tf.Session(), ""),
        lambda: saver.save(None, stage.folder + "/none"),
        lambda: saver.save(tf.Session(), None),
        lambda: saver.save(tf.Session(), stage.folder + "/m"),
        lambda: saver.save(tf.Session(), stage.folder + "/m", latest_filename="m"),
        lambda: saver.save(tf.Session(), stage.folder + "/m", 1.5),
        lambda: saver.save(tf.Session(), stage.folder + "/m", v),
        lambda: saver.set_last_checkpoints("a"),
        lambda: saver.set_last_checkpoints_with_time("a"),
        lambda: saver.recover_last_checkpoints([]),
        lambda: saver.recover_last_checkpoints([stage.folder + "/none"]),
    )


def _written(tf, folder, **values):
    with tf.Graph().as_default(), tf.Session() as session:
        made = [tf.Variable(value, name=name) for name, value in values.items()]
        session.run(tf.global_variables_initializer())
        return tf.train.Saver(made).save(session, folder + "/m", 5)


def readers(tf, stage):
    path = _written(
        tf,
        stage.folder,
        a=[[1.0, 2.0]],
        b=np.int64(7),
        s=[b"x", b""],
        e=np.zeros([0, 3], np.float32),
    )
    t = tf.train
    for where in (path, stage.folder):
        stage.say(t.list_variables(where))
        stage.say([t.load_variable(where, name) for name in "abse"])
    reader = t.load_checkpoint(path)
    stage.say(sorted(reader.get_variable_to_dtype_map().items()), reader.has_tensor("a:0"))
    stage.say(reader.debug_string().decode().split("\n"))
    stage.attempts(
        lambda: reader.get_tensor("a:0"),
        lambda: t.load_checkpoint(stage.folder + "/none"),
        lambda: t.NewCheckpointReader(stage.folder),
        lambda: t.NewCheckpointReader(""),
        lambda: t.list_variables(path + ".data-00000-of-00001"),
    )
    for make in (
        lambda: tf.raw_ops.RestoreV2(
            prefix=path, tensor_names=["a"], shape_and_slices=[""], dtypes=["float"]
        ),
        lambda: tf.raw_ops.RestoreV2(
            prefix=path, tensor_names=["a"], shape_and_slices=["1 2 -:1,1"], dtypes=["float"]
        ),
        lambda: tf.raw_ops.RestoreV2(
            prefix=path, tensor_names=["a"], shape_and_slices=[""], dtypes=["int32"]
        ),
        lambda: tf.raw_ops.RestoreV2(
            prefix=path, tensor_names=["a"], shape_and_slices=["1 2 3"], dtypes=["float"]
        ),
        lambda: tf.raw_ops.RestoreV2(
            prefix=path, tensor_names=["a"], shape_and_slices=["2 2 -:-"], dtypes=["float"]
        ),
        lambda: tf.raw_ops.RestoreV2(
            prefix=path, tensor_names=["a"], shape_and_slices=["1 2 -:1,5"], dtypes=["float"]
        ),
        lambda: tf.raw_ops.RestoreV2(
            prefix=path, tensor_names=["none"], shape_and_slices=[""], dtypes=["float"]
        ),
        lambda: tf.raw_ops.RestoreV2(
            prefix=[path, path], tensor_names=["a"], shape_and_slices=[""], dtypes=["float"]
        ),
        lambda: tf.raw_ops.Restore(file_pattern=path, tensor_name="a", dt="float"),
        lambda: tf.raw_ops.Restore(file_pattern=stage.folder + "/n*", tensor_name="a", dt="float"),
        lambda: tf.raw_ops.RestoreSlice(
            file_pattern=path, tensor_name="a", shape_and_slice="1 2 -:0,1", dt="float"
        ),
        lambda: tf.raw_ops.MergeV2Checkpoints(
            checkpoint_prefixes=[stage.folder + "/none"], destination_prefix=stage.folder + "/x"
        ),
        lambda: tf.raw_ops.MergeV2Checkpoints(
            checkpoint_prefixes=[path, path], destination_prefix=stage.folder + "/x"
        ),
        lambda: tf.raw_ops.ShardedFilename(basename="a", shard=3, num_shards=7),
        lambda: tf.raw_ops.ShardedFilespec(basename="a", num_shards=7),
        lambda: tf.raw_ops.SaveV2(
            prefix=stage.folder + "/y",
            tensor_names=["a", "a"],
            shape_and_slices=["", ""],
            tensors=[1.0, 2.0],
        ),
        lambda: tf.raw_ops.SaveV2(
            prefix=stage.folder + "/z",
            tensor_names=["a"],
            shape_and_slices=["4 0,2"],
            tensors=[[1.0, 2.0]],
        ),
        lambda: tf.raw_ops.SaveV2(
            prefix=stage.folder + "/z",
            tensor_names=["a"],
            shape_and_slices=["4 0,3"],
            tensors=[[1.0, 2.0]],
        ),
    ):
        with tf.Session() as session:
            stage.attempt(lambda: session.run(make()))  # noqa: B023


def started_from(tf, stage):
    path = _written(
        tf, stage.folder, a=[1.0, 2.0], b=3.0, **{"scope/c": [5.0], "scope/d": [[1.0], [2.0]]}
    )
    t = tf.train
    with tf.variable_scope("mine"):
        a = tf.get_variable("a", initializer=[0.0, 0.0])
        c = tf.get_variable("c", initializer=[0.0], use_resource=True)
        d = tf.get_variable("d", [2, 1], partitioner=tf.fixed_size_partitioner(2))
    e = tf.get_variable("e", initializer=[0.0, 0.0, 0.0])
    stage.attempts(
        lambda: t.init_from_checkpoint(path, {"a": "mine/a", "scope/": "mine/"}),
        lambda: t.init_from_checkpoint(path, {"/": "mine/"}),
        lambda: t.init_from_checkpoint(path, {"scope": "mine/"}),
        lambda: t.init_from_checkpoint(path, {"scope/": "none/"}),
        lambda: t.init_from_checkpoint(path, {"scope/": "mine"}),
        lambda: t.init_from_checkpoint(path, {"scope/c": c}),
        lambda: t.init_from_checkpoint(path, {"scope/d": list(d)}),
        lambda: t.init_from_checkpoint(path, {"scope/d": [d[0]]}),
        lambda: t.init_from_checkpoint(path, {"a": e}),
    )
    with tf.Session() as session:
        session.run(tf.global_variables_initializer())
        stage.say(session.run([a, c, list(d)]))
    stage.left()
