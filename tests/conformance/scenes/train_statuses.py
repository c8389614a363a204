"""Restore statuses of mismatched checkpoints, savers of unusual items, step reads, readers, traces."""

import importlib
import os

from tests.conformance.scenes import eager_mode


def _internal(tf, module, *names):
    """Objects that programs import from a TensorFlow module."""
    if tf.__name__ == "tensorflow":
        found = importlib.import_module("tensorflow.python." + module)
        return [getattr(found, name) for name in names]
    lookup = importlib.import_module("tfmini._src.programs.hook.object_lookup")
    return [lookup.find("python." + module, name) for name in names]


def _shortly(stage, function):
    """A call's result or exception, without objects' reprs."""
    try:
        found = function()
        stage.say("->", type(found).__name__ if found is not None else None)
    except Exception as error:
        stage.say("!!", type(error).__name__, str(error).split(":")[0].split("\n")[0][:60])


_CHECKS = ("assert_existing_objects_matched", "assert_nontrivial_match", "assert_consumed")


def _checked(stage, status):
    for check in _CHECKS:
        _shortly(stage, getattr(status, check))


def _written(tf, stage):
    """Checkpoints of two variables and of one."""
    with tf.Graph().as_default(), tf.Session() as session:
        a = tf.Variable(1.0, name="a", use_resource=True)
        b = tf.Variable(2.0, name="b", use_resource=True)
        session.run([a.initializer, b.initializer])
        both = tf.train.Checkpoint(a=a, inner=tf.train.Checkpoint(b=b))
        objects = both.save(stage.folder + "/objects")
        one = tf.train.Checkpoint(a=a).save(stage.folder + "/one")
        return objects, one


def statuses_in_graphs(tf, stage):
    objects, one = _written(tf, stage)
    made = {"same": lambda a, b: tf.train.Checkpoint(a=a, inner=tf.train.Checkpoint(b=b))}
    for path in (objects, one, None):
        for name, make in made.items():
            stage.say("=", path and os.path.basename(path), name)
            with tf.Graph().as_default(), tf.Session() as session:
                a = tf.Variable(7.0, name="a", use_resource=True)
                b = tf.Variable(8.0, name="b", use_resource=True)
                root = make(a, b)
                with stage.failing():
                    status = root.restore(path)
                    stage.say(type(status).__name__)
                    _checked(stage, status)
                    _shortly(stage, lambda: status.expect_partial())  # noqa: B023  called here
                    _shortly(stage, lambda: status.run_restore_ops())  # noqa: B023
                    _shortly(stage, lambda: status.initialize_or_restore(session))  # noqa: B023
                    for v in (a, b):
                        stage.attempt(lambda: session.run(v))  # noqa: B023
    with tf.Graph().as_default(), tf.Session() as session:
        stage.attempts(lambda: tf.train.Checkpoint().restore(stage.folder + "/nothing"))


def statuses_eagerly(tf, stage):
    objects, one = _written(tf, stage)
    with tf.Graph().as_default(), eager_mode(tf):
        for path in (objects, one, None):
            for keys in (("a", "inner"), ("a",), ("c", "a"), ("c",), ()):
                values = {"a": tf.Variable(7.0, name="a"), "c": tf.Variable(8.0, name="c")}
                values["inner"] = tf.train.Checkpoint(b=tf.Variable(9.0, name="b"))
                root = tf.train.Checkpoint(**{key: values[key] for key in keys})
                stage.say("=", path and os.path.basename(path), *keys)
                with stage.failing():
                    status = root.restore(path)
                    stage.say(type(status).__name__)
                    _checked(stage, status)
                    _shortly(stage, status.initialize_or_restore)
                    _shortly(stage, status.run_restore_ops)
                stage.say(values["a"].numpy(), values["c"].numpy(), values["inner"].b.numpy())
        late = tf.train.Checkpoint()
        status = late.restore(objects)
        _checked(stage, status)
        late.a = tf.Variable(5.0)
        stage.say(late.a.numpy())
        _checked(stage, status)
        late.inner = tf.train.Checkpoint()
        late.inner.b = tf.Variable(5.0)
        stage.say(late.inner.b.numpy(), int(late.save_counter))
        _checked(stage, status)
        late.write(stage.folder + "/written")


def old_and_sliced_files(tf, stage):
    with tf.Graph().as_default(), tf.Session() as session:
        p = tf.get_variable(
            "p", [5], initializer=tf.ones_initializer(), partitioner=tf.fixed_size_partitioner(2)
        )
        v = tf.Variable([[1, 2], [3, 4]], name="v")
        session.run(tf.global_variables_initializer())
        old = tf.train.Saver([*p, v], write_version=tf.train.SaverDef.V1)
        new = tf.train.Saver([*p, v])
        paths = [
            old.save(session, stage.folder + "/old"),
            new.save(session, stage.folder + "/new", write_meta_graph=False),
        ]
    for path in paths:
        reader = tf.train.NewCheckpointReader(path)
        with stage.failing():
            stage.say(*sorted(reader.debug_string().decode().split("\n")))
        stage.say(sorted(reader.get_variable_to_shape_map().items()))
        stage.say(sorted((k, d.name) for k, d in reader.get_variable_to_dtype_map().items()))
        stage.attempts(
            lambda: reader.get_tensor("p"),  # noqa: B023
            lambda: reader.get_tensor("q"),  # noqa: B023
        )
    stage.attempts(lambda: tf.train.load_variable(stage.folder, "v"))


def reads_of_the_step(tf, stage):
    names = ("_get_or_create_global_step_read", "_increment_global_step")
    read, increment = _internal(tf, "training.training_util", *names)
    stage.attempts(lambda: increment(1))
    step = tf.train.create_global_step()
    added = increment(3)
    more = increment(tf.constant(2, tf.int64))
    stage.say(added.name, more.name)
    with tf.Session() as session:
        session.run(step.initializer)
        stage.say(session.run([added, read()]))
        stage.say(session.run(more), tf.train.global_step(session, step))
    tf.add_to_collection("global_step_read_op_cache", tf.constant(1))
    stage.attempt(lambda: read())
    with tf.Graph().as_default() as other:
        stage.say(tf.train.get_global_step(other), tf.train.get_or_create_global_step(other).name)
        tf.add_to_collection("global_step", tf.constant(1))
    with tf.Graph().as_default():
        tf.Variable(4, name="global_step")


def traces(tf, stage):
    summary = tf.compat.v2.summary
    stage.attempts(lambda: summary.trace_on(), lambda: summary.trace_export("x", 0))
    with tf.Graph().as_default(), eager_mode(tf):
        writer = summary.create_file_writer(stage.folder + "/w")

        @tf.function
        def f(x):
            summary.trace_on()
            summary.trace_export("inner", 0)
            return x * 2.0

        with writer.as_default():
            stage.attempts(
                lambda: summary.trace_export("x", 0),
                lambda: summary.trace_on(),
                lambda: summary.trace_on(),
                lambda: f(tf.constant(1.0)),
                lambda: summary.trace_export("x"),
                lambda: summary.trace_export("y", 1),
                lambda: summary.trace_off(),
            )
        writer.close()
        stage.events(stage.folder + "/w")
