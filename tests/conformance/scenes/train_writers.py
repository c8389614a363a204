"""Event writers: `tf.summary.FileWriter`, also with a session, `tf.contrib.summary`, `tf.compat.v2.summary`."""

import glob

from tests.conformance.scenes import eager_mode


def _summary(tf, value=1.0, tag="t", **more):
    return tf.Summary(value=[tf.Summary.Value(tag=tag, simple_value=value, **more)])


def _events(tf, stage, folder, **about):
    """Records each event file of a folder, graphs by nodes and shapes."""
    for number, path in enumerate(sorted(glob.glob(folder + "/*tfevents*"))):
        host = path.rsplit("tfevents.", 1)[1].split(".", 1)[1]
        parts = [p for p in host.split(".")[1:] if not p.isdigit()]
        stage.say("file", number, *["." + part for part in parts[-1:] if len(part) < 9])
        for event in tf.train.summary_iterator(path):
            kind = event.WhichOneof("what")
            stage.say(kind, event.step, str(event.summary).replace("\n", " "))
            if kind in ("graph_def", "meta_graph_def"):
                if kind == "graph_def":
                    graph = tf.GraphDef.FromString(event.graph_def)
                else:
                    graph = tf.MetaGraphDef.FromString(event.meta_graph_def).graph_def
                shapes = sum("_output_shapes" in node.attr for node in graph.node)
                stage.say(len(graph.node), shapes, [node.name for node in graph.node][:6])
            elif kind == "tagged_run_metadata":
                stage.say(event.tagged_run_metadata.tag)
            elif kind == "session_log":
                stage.say(event.session_log.status, event.session_log.checkpoint_path)


def plain(tf, stage):
    folder = stage.folder + "/deep/er"
    x = tf.constant(1.0, name="x")
    with tf.summary.FileWriter(folder, filename_suffix=".mine") as writer:
        stage.say(writer.get_logdir())
        writer.add_summary(_summary(tf), 3)
        writer.add_summary(_summary(tf, 2.0).SerializeToString())
        writer.add_graph(x.graph, 4)
        writer.add_graph(None, graph_def=x.graph.as_graph_def())
        writer.add_meta_graph(tf.train.export_meta_graph(), 5)
        writer.add_session_log(tf.SessionLog(status=2, checkpoint_path="p"), 6)
        writer.add_run_metadata(tf.RunMetadata(), "run", 7)
        stage.attempt(writer.add_run_metadata, tf.RunMetadata(), "run", 8)
        writer.add_run_metadata(tf.RunMetadata(), "other")
        writer.add_event(tf.Event(step=9, file_version="own"))
        for wrong in (
            lambda: writer.add_graph(x.graph.as_graph_def()),
            lambda: writer.add_graph(None, graph_def=x.graph),
            lambda: writer.add_meta_graph(x.graph),
        ):
            stage.attempt(wrong)
    _events(tf, stage, folder)


def of_a_session(tf, stage):
    folder = stage.folder + "/new/logs"
    with tf.Session() as session:
        writer = tf.summary.FileWriter(folder, session=session, max_queue=3, flush_secs=7)
        stage.say(writer.get_logdir())
        writer.add_summary(_summary(tf), 1)
        writer.flush()
        _events(tf, stage, folder)
        writer.add_summary(_summary(tf), 2)
        writer.close()
        writer.close()
        writer.add_summary(_summary(tf), 3)
        _events(tf, stage, folder)
        other = tf.summary.FileWriter(
            stage.folder + "/b", session=session, filename_suffix=".mine", graph=session.graph
        )
        other.add_event(tf.Event(step=5))
        other.close()
    _events(tf, stage, stage.folder + "/b")
    stage.graph()


def of_a_session_and_the_writer_of_its_graph(tf, stage):
    step = tf.train.create_global_step()
    with tf.contrib.summary.create_file_writer(stage.folder).as_default():
        with tf.contrib.summary.always_record_summaries():
            written = tf.contrib.summary.scalar("s", 2.0)
        with tf.Session() as session:
            session.run(step.initializer)
            tf.contrib.summary.initialize(session=session)
            writer = tf.summary.FileWriter(stage.folder, session=session)
            session.run(written)
            writer.add_summary(_summary(tf), 3)
            writer.close()
    _events(tf, stage, stage.folder)


def nested_writers(tf, stage):
    S = tf.contrib.summary
    tf.train.create_global_step()
    outer, inner = [S.create_file_writer(f"{stage.folder}/{name}") for name in ("a", "b")]
    stage.say(S.scalar("none", 1.0).name, S.graph(tf.constant("")).name, S.flush().name)
    stage.attempt(S.import_event, tf.constant(""))
    stage.attempt(S.initialize)
    with tf.name_scope("scope"), S.always_record_summaries():
        with outer.as_default() as found:
            stage.say(found is outer)
            S.scalar("one", 1.0)
            with inner.as_default():
                S.scalar("two", 2.0)
            S.scalar("three", 3.0)
            with stage.failing(), inner.as_default():
                raise ValueError("mine")
            S.scalar("four", 4.0)
            with S.create_file_writer(None).as_default():
                S.scalar("five", 5.0)
            stage.attempt(S.initialize)
            stage.attempt(S.graph, tf.get_default_graph())
            with tf.Session() as session:
                session.run(tf.global_variables_initializer())
                S.initialize(tf.get_default_graph(), session)
                stage.say([session.run(each) for each in S.all_summary_ops()])
                session.run(S.graph(tf.constant(tf.GraphDef().SerializeToString()), 8))
                session.run(S.import_event(tf.Event(step=9).SerializeToString()))
                session.run(S.flush(inner))
                session.run([outer.close(), inner.close()])
                stage.attempt(session.run, outer.close())
                stage.attempt(session.run, S.all_summary_ops()[0])
        stage.say(S.scalar("none", 1.0).type)
    for name in ("a", "b"):
        _events(tf, stage, f"{stage.folder}/{name}")


def settings_of_writers(tf, stage):
    S = tf.contrib.summary
    made = [
        S.create_file_writer("a"),
        S.create_file_writer("a", 3, 7, ".mine", "named"),
        S.create_file_writer("b", max_queue=tf.constant(4), flush_millis=tf.constant(8)),
        S.create_summary_file_writer("c", name="old"),
    ]
    nothing = S.create_file_writer(None)
    stage.say(nothing.init(), nothing.flush(), nothing.close(), nothing.set_as_default())
    stage.say([op.name for op in S.summary_writer_initializer_op()])
    stage.say([each.init().name for each in made[:2]], [each.close().name for each in made[:2]])
    stage.say(S.eval_dir("m"), S.eval_dir("m", "n"))
    stage.attempt(tf.compat.v2.summary.create_file_writer, None)
    noop = tf.compat.v2.summary.create_noop_writer()
    with noop.as_default() as found:
        stage.say(found, noop.flush())
    with tf.Graph().as_default(), tf.name_scope("scope"):
        tf.compat.v2.summary.create_file_writer("d")
        tf.compat.v2.summary.create_file_writer("d", 3, 7, ".mine", "named")
        stage.nodes()


def options_of_summaries(tf, stage):
    S = tf.contrib.summary
    tf.train.create_global_step()
    pictures = tf.zeros([5, 2, 2, 1], tf.float32)
    metadata = tf.SummaryMetadata(display_name="shown")
    with S.create_file_writer("a").as_default(), S.always_record_summaries():
        with tf.name_scope("scope"):
            S.generic("g", [1, 2], metadata, "fam", 3)
            S.generic("h", 1.0, tf.constant(metadata.SerializeToString()))
            S.scalar("s", 1, "fam", tf.constant(4, tf.int64))
            S.histogram("t", [1.0], step=5)
            S.image("i", pictures)
            S.image("i", pictures, tf.constant([0, 255, 0, 255], tf.uint8), 4, "fam", 6)
            S.audio("a", tf.zeros([2, 6, 2]), 8000.0, 1)
            S.audio("a", tf.zeros([2, 6, 2]), 8000.0, 4, "fam", 7)
        S.graph(tf.placeholder(tf.string, []), 8, "mine")
        S.import_event(tf.constant(""), name="event")
        S.flush(name="out")
        with S.never_record_summaries():
            S.scalar("never", 1.0)
    stage.graph()


def of_tags_and_steps(tf, stage):
    V = tf.compat.v2.summary
    stage.say(V.experimental.get_step())
    stage.say(V.write("none", 1.0).op.type)
    data = tf.SummaryMetadata.PluginData(plugin_name="mine", content=b"1")
    metadata = tf.SummaryMetadata(plugin_data=data)
    writer = tf.contrib.summary.create_file_writer(stage.folder)
    with writer.as_default():
        stage.attempt(V.write, "no step", 1.0)
        V.experimental.set_step(tf.constant(3, tf.int64))
        made = [
            V.write("a tag", 1.0, name="its"),
            V.write("b", [1, 2], 4, metadata),
            V.write("c", "text", 5, tf.constant(metadata.SerializeToString())),
            V.write("d", 1.0, 6, metadata.SerializeToString()),
            V.experimental.write_raw_pb(_summary(tf).SerializeToString(), name="raw"),
            V.experimental.write_raw_pb(_summary(tf).SerializeToString(), 7),
        ]
        with V.record_if(False):
            made.append(V.write("never", 1.0))
        with tf.name_scope("x"), V.experimental.summary_scope("a b!", values=[1]) as (tag, scope):
            stage.say(tag, scope)
        with tf.name_scope("x"), V.experimental.summary_scope("", "some") as (tag, scope):
            stage.say(tag, scope)
        with V.experimental.summary_scope("!") as (tag, scope):
            stage.say(tag, scope)
        with tf.Session() as session:
            session.run(writer.init())
            stage.say([session.run(each) for each in made])
            session.run(writer.close())
    V.experimental.set_step(None)
    stage.say(
        V.experimental.get_step(), [each.op.type for each in tf.contrib.summary.all_summary_ops()]
    )
    _events(tf, stage, stage.folder)


def eagerly(tf, stage):
    S, V = tf.contrib.summary, tf.compat.v2.summary
    with eager_mode(tf):
        stage.attempt(tf.summary.FileWriter, stage.folder)
        tf.train.create_global_step().assign(2)
        one, two = (
            S.create_file_writer(stage.folder + "/a"),
            S.create_file_writer(stage.folder + "/b"),
        )
        with S.always_record_summaries(), one.as_default():
            S.scalar("one", 1.0)
            with two.as_default():
                S.scalar("two", 2.0, step=9)
            S.scalar("three", 3.0)
            with S.record_summaries_every_n_global_steps(2):
                S.scalar("even", 4.0)
                tf.train.get_global_step().assign_add(1)
                S.scalar("odd", 5.0)
            S.graph(tf.GraphDef(), 7)
            S.generic("g", [1, 2], step=8)
        stage.say(S.all_summary_ops(), S.initialize())
        stage.attempt(S.summary_writer_initializer_op)
        once = V.create_file_writer(stage.folder + "/c", filename_suffix=".mine")
        with once.as_default():
            stage.say(V.write("a", 1.0, 1))
            V.experimental.set_step(5)
            stage.say(V.write("b", 1.0))
            V.experimental.set_step(None)
        stage.say(once.flush() is None, once.close() is None)
        stage.attempt(once.set_as_default)
        stage.attempt(once.init)
        stage.say(once.flush(), once.close())
        with stage.failing(), once.as_default():
            stage.say("here")
    for name in "abc":
        _events(tf, stage, stage.folder + "/" + name)
