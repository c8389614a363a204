"""Checkpoints: states of folders, sharded and old files, warm starts, readers, meta graphs; what is refused."""

import os

import numpy as np


def _state(tf, stage, folder=None):
    state = tf.train.get_checkpoint_state(folder or stage.folder)
    stage.say(state and (state.model_checkpoint_path, list(state.all_model_checkpoint_paths)))


def states_of_folders(tf, stage):
    t, folder = tf.train, stage.folder
    stage.attempts(
        lambda: t.get_checkpoint_state(folder),
        lambda: t.latest_checkpoint(folder),
        lambda: t.checkpoint_exists(folder + "/m"),
        lambda: t.get_checkpoint_mtimes([folder + "/m"]),
        lambda: t.update_checkpoint_state(folder + "/none", "m"),
        lambda: t.generate_checkpoint_state_proto(folder, folder + "/m", [folder + "/a", "b"]),
        lambda: t.generate_checkpoint_state_proto(
            folder, "m", ["k", "m"], all_model_checkpoint_timestamps=[1.0]
        ),
        lambda: t.generate_checkpoint_state_proto(
            folder, "m", ["k", "m"], [1.0, 2.0], last_preserved_timestamp=0.5
        ),
    )
    for paths in ([], ["a", "m"], ["m", "a"], ["a"], ["a", folder + "/m"]):
        t.update_checkpoint_state(folder, folder + "/m", paths)
        _state(tf, stage)
        stage.say(open(folder + "/checkpoint").read().replace("\n", " | "))
    t.update_checkpoint_state(folder, "m", ["a", "m"], "named", [3.0, 4.0], 1.5)
    stage.say(open(folder + "/named").read().replace("\n", " | "))
    stage.say(t.latest_checkpoint(folder, "named"), t.latest_checkpoint(folder))
    open(folder + "/m.index", "w").close()
    stage.say(t.latest_checkpoint(folder), t.checkpoint_exists(folder + "/m"))
    for text in ("", "nothing", "model_checkpoint_path: 3", "all_model_checkpoint_paths: 'a'"):
        with open(folder + "/checkpoint", "w") as file:
            file.write(text)
        stage.attempt(t.get_checkpoint_state, folder)
        stage.attempt(t.latest_checkpoint, folder)
    t.remove_checkpoint(folder + "/m")
    stage.files()
    open(folder + "/old-5", "w").close()
    open(folder + "/old-5.meta", "w").close()
    stage.say(
        t.checkpoint_exists(folder + "/old-5"), len(t.get_checkpoint_mtimes([folder + "/old-5"]))
    )
    t.remove_checkpoint(folder + "/old-5", tf.train.SaverDef.V1, "none")
    stage.files()
    t.remove_checkpoint(folder + "/old-5", tf.train.SaverDef.V1)
    stage.files()


def savers(tf, stage):
    v = tf.get_variable("v", initializer=[1.0, 2.0])
    w = tf.get_variable("w", initializer=3.0, use_resource=True)
    cases = {
        "sharded": {"sharded": True},
        "old": {"write_version": tf.train.SaverDef.V1},
        "old, sharded": {"write_version": tf.train.SaverDef.V1, "sharded": True},
        "one by one": {"restore_sequentially": True},
        "named": {"name": "mine", "filename": "given"},
        "padded": {"pad_step_number": True},
        "keeps all": {"max_to_keep": 0},
        "keeps all too": {"max_to_keep": None},
        "keeps less than none": {"max_to_keep": -1},
        "in hours": {"max_to_keep": 1, "keep_checkpoint_every_n_hours": 1e-9},
        "relative": {"save_relative_paths": True},
        "one to keep": {"max_to_keep": 1},
    }
    with tf.Session() as session:
        session.run(tf.global_variables_initializer())
        for name, options in cases.items():
            folder = stage.folder + "/" + name.replace(" ", "_").replace(",", "")
            os.mkdir(folder)
            stage.say(name)
            with stage.failing():
                saver = tf.train.Saver([v, w], **options)
                for step in (1, 2, 10):
                    stage.say(
                        saver.save(
                            session, folder + "/m", step, write_meta_graph="none" not in name
                        )
                    )
                    stage.say(saver.last_checkpoints, tf.train.latest_checkpoint(folder))
                stage.files(folder)
                session.run([v.initializer, w.initializer])
                saver.restore(session, tf.train.latest_checkpoint(folder))
                stage.say(session.run([v, w]), saver.as_saver_def())
                stage.say(open(folder + "/checkpoint").read().replace("\n", " | "))
                stage.say(tf.train.list_variables(folder))
    stage.brief_graph()


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


def warm_starts(tf, stage):
    path = _written(tf, stage.folder, **{"x/a": [1.0, 2.0], "x/b": 3.0, "e": [[1.0], [2.0], [3.0]]})
    for name, words in (("old", "p q r"), ("new", "r s p q"), ("short", "p")):
        with open(f"{stage.folder}/{name}", "w") as file:
            file.write("\n".join(words.split()) + "\n")
    old, new, short = (stage.folder + "/" + name for name in ("old", "new", "short"))
    info, warm = tf.train.VocabInfo, tf.train.warm_start
    stage.attempt(info, new, 4, 0, old)
    stage.say(info(new, 4, 1, old, 3, tf.zeros_initializer(), 1)._replace(backup_initializer=None))
    cases = {
        "renamed": lambda: warm(path, ["x/a"], var_name_to_prev_var_name={"x/a": "x/b"}),
    }
    for name, function in cases.items():
        stage.say(name)
        with tf.Graph().as_default(), tf.Session() as session, stage.failing():
            with tf.variable_scope("x"):
                a = tf.get_variable("a", initializer=[0.0, 0.0])
                b = tf.get_variable("b", initializer=0.0, trainable=False)
            e = tf.get_variable("e", initializer=[[0.0]] * 4)
            function()
            session.run(tf.global_variables_initializer())
            stage.say(session.run([a, b, e]))


def waiting(tf, stage):
    found = tf.train.checkpoints_iterator
    stage.say(list(found(stage.folder, timeout=0.0)))
    asked = []

    def timed_out():
        asked.append(len(asked))
        if len(asked) == 2:
            _written(tf, stage.folder, a=1.0)
        return len(asked) > 3

    stage.say(list(found(stage.folder, 0, timeout=0, timeout_fn=timed_out)), asked)
    stage.say(list(found(stage.folder + "/none", timeout=0)))


def meta_graphs(tf, stage):
    v = tf.get_variable("v", initializer=1.0)
    with tf.name_scope("in"):
        tf.add_to_collection("mine", tf.multiply(v, 2.0, name="y"))
    t = tf.train
    stage.attempts(
        lambda: t.write_graph(tf.get_default_graph(), stage.folder, "g", as_text=False),
        lambda: t.write_graph(tf.get_default_graph().as_graph_def(), stage.folder + "/a/b", "g"),
        lambda: t.write_graph(3, stage.folder, "g3"),
        lambda: t.write_graph(tf.Graph(), stage.folder + "/g", "g3"),
        lambda: t.import_meta_graph(stage.folder + "/a/b/g"),
        lambda: t.import_meta_graph(stage.folder),
        lambda: t.import_meta_graph(tf.MetaGraphDef()),
        lambda: t.export_meta_graph(graph=3),
        lambda: t.export_meta_graph(export_scope="none").graph_def.node,
        lambda: [n.name for n in t.export_meta_graph(export_scope="in").graph_def.node],
        lambda: t.export_meta_graph(stage.folder + "/none/x").meta_info_def.tags,
        lambda: (
            t.export_meta_graph(
                meta_info_def=tf.MetaGraphDef.MetaInfoDef(tags=["t"])
            ).meta_info_def.tags
        ),
        lambda: t.export_meta_graph(saver_def=tf.train.SaverDef(name="x")).saver_def,
    )
    stage.files()
    made = t.export_meta_graph()
    with tf.Graph().as_default():
        stage.attempts(
            lambda: t.import_meta_graph(made, return_elements=["v:0"]),
            lambda: t.import_meta_graph(made, import_scope="a b"),
            lambda: t.import_meta_graph(made, input_map={"v:0": 1.0}),
        )


def savers_in_scopes(tf, stage):
    """What a Saver in a scope is as a message outside and inside of it, and that it stays as it was."""
    with tf.variable_scope("s"):
        v = tf.get_variable("v", initializer=[1.0, 2.0])
        saver = tf.train.Saver({"of": v}, name="in", sharded=True, max_to_keep=2)
    kept = tf.train.SaverDef()
    kept.CopyFrom(saver.saver_def)
    for scope in (None, "s", "s/", "s/in", "", "t", "none", 3):
        with stage.failing():
            found = saver.to_proto(scope)
            stage.say(str(scope), str(found).replace("\n", " "))
            stage.say(found is saver.saver_def, saver.saver_def == kept)
            saver.saver_def.CopyFrom(kept)
    stage.say(str(saver.to_proto(export_scope="s")).replace("\n", " "))
    stage.say(str(saver.as_saver_def()).replace("\n", " "))
    meta = tf.train.export_meta_graph(export_scope="s", saver_def=saver.to_proto("s"))
    stage.say(str(meta.saver_def).replace("\n", " "))
    meta = saver.export_meta_graph(export_scope="s")
    stage.say(str(meta.saver_def).replace("\n", " "), saver.saver_def == kept)
    with tf.Session() as session:
        session.run(v.initializer)
        saver.to_proto("s")
        path = saver.save(session, stage.folder + "/m")
        session.run(v.assign([0.0, 0.0]))
        saver.restore(session, path)
        stage.say(path, session.run(v))
        again = tf.train.Saver.from_proto(saver.to_proto("s"), import_scope="s")
        stage.say(str(again.as_saver_def()).replace("\n", " "), again.last_checkpoints)
        again.restore(session, path)
