"""What restoring says of checkpoints that do not fit, savers of odd items, reads of the step, readers, traces."""

import importlib
import os

import numpy as np

from tests.conformance.scenes import eager_mode


def _internal(tf, module, *names):
    """Objects of a module of TensorFlow that programs import from there."""
    if tf.__name__ == "tensorflow":
        found = importlib.import_module("tensorflow.python." + module)
        return [getattr(found, name) for name in names]
    lookup = importlib.import_module("tfmini._src.programs.hook.object_lookup")
    return [lookup.find("python." + module, name) for name in names]


def _shortly(stage, function):
    """What a call gives or raises, without the objects' texts."""
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
    made = {
        "same": lambda a, b: tf.train.Checkpoint(a=a, inner=tf.train.Checkpoint(b=b)),
        "part": lambda a, b: tf.train.Checkpoint(a=a),
        "more": lambda a, b: tf.train.Checkpoint(a=a, c=b),
        "none": lambda a, b: tf.train.Checkpoint(c=a, d=b),
        "empty": lambda a, b: tf.train.Checkpoint(),
    }
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
        stage.attempts(
            lambda: tf.train.Checkpoint().restore(stage.folder + "/nothing"),
            lambda: tf.train.Checkpoint(a=3),
            lambda: tf.train.Checkpoint(save_counter=3),
            lambda: tf.train.Checkpoint().save_counter.name,
        )


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
        stage.attempt(lambda: tf.train.list_variables(stage.folder + "/written"))
        stage.attempt(lambda: tf.train.load_variable(objects, "a/.ATTRIBUTES/VARIABLE_VALUE"))


def items_of_savers(tf, stage):
    def parts(**options):
        return tf.get_variable("p", [4], partitioner=tf.fixed_size_partitioner(2), **options)

    def saver(make, **options):
        def run():
            made = tf.train.Saver(make(), **options)
            saver_def = made.as_saver_def()
            stage.say(saver_def.save_tensor_name, saver_def.max_to_keep, saver_def.version)
            nodes = tf.get_default_graph().as_graph_def().node
            for node in nodes:
                if node.op in ("SaveV2", "SaveSlices") or node.name.endswith("/tensor_names"):
                    value = node.attr.get("value")
                    if node.name.endswith("tensor_names") and value is not None:
                        stage.say(node.name, tf.make_ndarray(value.tensor).tolist())

        return run

    def v(name="v", **options):
        return tf.Variable([1.0, 2.0], name=name, **options)

    cases = {
        "list": saver(lambda: [v(), v("w")]),
        "dict": saver(lambda: {"x": v(), "y": v(use_resource=True)}),
        "parts": saver(lambda: list(parts())),
        "parts_whole": saver(lambda: [parts()]),
        "parts_dict": saver(lambda: {"x": list(parts()), "y": v()}),
        "parts_and_same_name": saver(lambda: [*parts(), tf.Variable(1.0, name="p")]),
        "part_one": saver(lambda: [list(parts())[0]]),
        "twice": saver(lambda: (lambda x: [x, x])(v())),
        "same_names": saver(lambda: {"x": [v(), v()]}),
        "tensor": saver(lambda: [tf.constant(1.0)]),
        "tensor_dict": saver(lambda: {"x": tf.constant(1.0)}),
        "number": saver(lambda: {"x": 3}),
        "key": saver(lambda: {3: v()}),
        "text": saver(lambda: "x"),
        "read": saver(lambda: {"x": v(use_resource=True).value()}),
        "nothing": saver(lambda: []),
        "nothing_allowed": saver(lambda: [], allow_empty=True),
        "none": saver(lambda: None),
        "sharded": saver(lambda: [v(), v("w")], sharded=True),
        "reshape": saver(lambda: [v()], reshape=True),
        "sequential": saver(lambda: [v(), v("w")], restore_sequentially=True),
        "old": saver(lambda: [v()], write_version=tf.train.SaverDef.V1),
        "old_parts": saver(lambda: list(parts()), write_version=tf.train.SaverDef.V1),
        "name": saver(lambda: [v()], name="mine", max_to_keep=2),
        "filename": saver(lambda: [v()], filename="there"),
        "pad": saver(lambda: [v()], pad_step_number=True),
        "hours": saver(lambda: [v()], keep_checkpoint_every_n_hours=0.5),
        "deferred": saver(lambda: None, defer_build=True),
    }
    stage.each(cases)


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
            lambda: reader.get_tensor("v"),  # noqa: B023  called here
            lambda: reader.get_tensor("p"),  # noqa: B023
            lambda: reader.get_tensor("q"),  # noqa: B023
            lambda: reader.has_tensor("p"),  # noqa: B023
            lambda: reader.has_tensor("q"),  # noqa: B023
            lambda: tf.train.list_variables(path),  # noqa: B023
            lambda: tf.train.checkpoint_exists(path),  # noqa: B023
            lambda: len(tf.train.get_checkpoint_mtimes([path, path + "x"])),  # noqa: B023
            lambda: tf.train.remove_checkpoint(path),  # noqa: B023
            lambda: tf.train.checkpoint_exists(path),  # noqa: B023
        )
    stage.attempts(
        lambda: tf.train.load_checkpoint(stage.folder + "/nothing"),
        lambda: tf.train.load_variable(stage.folder, "v"),
        lambda: tf.train.latest_checkpoint(stage.folder),
        lambda: tf.train.latest_checkpoint(stage.folder + "/x"),
        lambda: tf.train.latest_checkpoint(stage.folder, latest_filename="other"),
        lambda: tf.train.get_checkpoint_state(stage.folder, "other"),
        lambda: tf.train.update_checkpoint_state(stage.folder, "a", ["b"], "mine"),
        lambda: str(tf.train.get_checkpoint_state(stage.folder, "mine")).split("\n")[:3],
        lambda: tf.train.generate_checkpoint_state_proto("x", "y/z", ["a", "y/z"]),
        lambda: tf.train.generate_checkpoint_state_proto("/x", "/x/z").model_checkpoint_path,
    )


def initialized_from_checkpoints(tf, stage):
    with tf.Graph().as_default(), tf.Session() as session:
        with tf.variable_scope("s"):
            tf.get_variable("v", initializer=[1.0, 2.0])
            tf.get_variable("w", initializer=3)
            tf.get_variable(
                "p",
                [4],
                initializer=tf.ones_initializer(),
                partitioner=tf.fixed_size_partitioner(2),
            )
        session.run(tf.global_variables_initializer())
        path = tf.train.Saver().save(session, stage.folder + "/c")

    def there(assignments, **options):
        def run():
            with tf.variable_scope("t"):
                found = {
                    "v": tf.get_variable("v", [2]),
                    "w": tf.get_variable("w", [], tf.int32),
                    "p": tf.get_variable("p", [4], partitioner=tf.fixed_size_partitioner(2)),
                    "q": tf.get_variable("q", [4], partitioner=tf.fixed_size_partitioner(4)),
                }
            tf.train.init_from_checkpoint(options.get("path", path), assignments(found))
            return [found["v"].initializer.inputs[1].op.type, found["w"].initial_value.op.type]

        return run

    cases = {
        "scope": there(lambda f: {"s/": "t/"}),
        "names": there(lambda f: {"s/v": "t/v", "s/w": "t/w"}),
        "variables": there(lambda f: {"s/v": f["v"], "s/p": list(f["p"])}),
        "other_parts": there(lambda f: {"s/p": "t/q"}),
        "folder": there(lambda f: {"s/v": "t/v"}, path=stage.folder),
        "unknown_target": there(lambda f: {"s/v": "t/x"}),
        "unknown_scope": there(lambda f: {"s/": "x/"}),
        "no_slash": there(lambda f: {"s/v": "t/"}),
        "root": there(lambda f: {"/": "t/"}),
        "root_to_scope": there(lambda f: {"s": "t"}),
        "dtype": there(lambda f: {"s/w": "t/v"}),
        "no_file": there(lambda f: {"s/v": "t/v"}, path=stage.folder + "/x"),
        "nothing": there(lambda f: {}),
    }
    stage.each(cases)


def reads_of_the_step(tf, stage):
    names = ("_get_or_create_global_step_read", "_increment_global_step")
    read, increment = _internal(tf, "training.training_util", *names)
    stage.attempts(
        lambda: read(),
        lambda: increment(1),
        lambda: tf.train.get_global_step(),
        lambda: tf.train.global_step(tf.Session(), tf.constant(3)),
        lambda: tf.train.assert_global_step(tf.constant(3)),
        lambda: tf.train.assert_global_step(tf.Variable(3.0)),
        lambda: tf.train.assert_global_step(tf.Variable([3])),
        lambda: tf.train.assert_global_step(tf.Variable(3)),
    )
    step = tf.train.create_global_step()
    stage.attempts(
        lambda: tf.train.create_global_step(),
        lambda: tf.train.get_or_create_global_step() is step,
        lambda: read().name,
        lambda: read().name,
    )
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
        stage.attempt(lambda: tf.train.get_global_step())
    with tf.Graph().as_default():
        tf.Variable(4, name="global_step")
        stage.attempt(lambda: tf.train.get_global_step().name)
        stage.attempt(lambda: tf.train.get_or_create_global_step().dtype.name)


def optimizers_of_odd_variables(tf, stage):
    """Shapes that are known only in the step, no gradients, strangers, repeated rows, other dtypes."""

    def shapeless(make, **options):
        def run():
            value = tf.placeholder_with_default(np.array([1.0, 2.0], np.float32), None)
            v = tf.Variable(value, validate_shape=False, name="v", **options)
            return _stepped(make(), tf.reduce_sum(v * v), v)

        return run

    def _stepped(optimizer, loss, v):
        train = optimizer.minimize(loss)
        with tf.Session() as session:
            session.run(tf.global_variables_initializer())
            session.run(train)
            found = [session.run(v)]
            session.run(train)
            slots = [
                (name, session.run(optimizer.get_slot(v, name)))
                for name in optimizer.get_slot_names()
                if optimizer.get_slot(v, name) is not None
            ]
            return [*found, session.run(v), slots, [x.name for x in optimizer.variables()]]

    def rows(make, resource):
        def run():
            v = tf.Variable(np.ones([3, 1], np.float32), name="v", use_resource=resource)
            return _stepped(make(), tf.reduce_sum(tf.gather(v, [0, 2, 0]) ** 2), v)

        return run

    def doubles(make):
        def run():
            v = tf.Variable(np.array([1.0, 2.0]), name="v")
            return _stepped(make(), tf.reduce_sum(v * v), v)

        return run

    t = tf.train
    kinds = {
        "adagrad": lambda: t.AdagradOptimizer(0.1, 0.5),
        "momentum": lambda: t.MomentumOptimizer(0.1, 0.9, use_nesterov=True),
        "adam": lambda: t.AdamOptimizer(0.1, 0.8, 0.9, 0.1),
        "rms": lambda: t.RMSPropOptimizer(0.1, 0.8, 0.5, 0.1, centered=True),
        "adadelta": lambda: t.AdadeltaOptimizer(0.1, 0.8, 0.1),
        "ftrl": lambda: t.FtrlOptimizer(
            0.1, -0.4, 0.2, 0.01, 0.02, l2_shrinkage_regularization_strength=0.1
        ),
        "proximal": lambda: t.ProximalGradientDescentOptimizer(0.1, 0.01, 0.02),
        "proximal_adagrad": lambda: t.ProximalAdagradOptimizer(0.1, 0.2, 0.01, 0.02),
        "dual": lambda: t.AdagradDAOptimizer(0.1, t.create_global_step(), 0.2, 0.01, 0.02),
        "descent": lambda: t.GradientDescentOptimizer(tf.constant(0.1)),
        "rate": lambda: t.AdamOptimizer(lambda: 0.1),
    }
    for name, make in kinds.items():
        fails = name in ("ftrl", "proximal_adagrad", "dual")
        for case, run in (
            *[("shapeless", shapeless(make))] * (not fails),
            ("rows", rows(make, False)),
            ("rows_resource", rows(make, True)),
            ("doubles", doubles(make)),
        ):
            with tf.Graph().as_default():
                stage.say(name, case)
                stage.attempt(run)
                stage.brief_graph(names=False)
    x = tf.Variable([1.0], name="x")
    frozen = tf.Variable([1.0], name="frozen", trainable=False)
    made = t.GradientDescentOptimizer(0.1)
    stage.attempts(
        lambda: made.minimize(tf.constant(1.0)),
        lambda: made.minimize(x * 2.0, var_list=[frozen]),
        lambda: made.minimize(x * 2.0, var_list=[3]),
        lambda: made.minimize(x * 2.0, var_list=[]),
        lambda: made.minimize(tf.cast(x, tf.int32)),
        lambda: made.minimize(x * 2.0, gate_gradients=5),
        lambda: made.compute_gradients(x * 2.0, [tf.constant(1.0)]),
        lambda: made.apply_gradients([]),
        lambda: made.apply_gradients([(None, x)]),
        lambda: made.apply_gradients([(1.0, x)]).name,
        lambda: made.apply_gradients([("a", x)]),
        lambda: made.apply_gradients([(tf.constant([1.0]), tf.constant([1.0]))]),
        lambda: made.apply_gradients([(tf.constant([1.0]), x)], name="mine").name,
        lambda: made.get_name(),
        lambda: made.get_slot(x, "m"),
        lambda: made.get_slot_names(),
        lambda: made.variables(),
        lambda: t.GradientDescentOptimizer(None).minimize(x * 2.0),
        lambda: t.Optimizer(False, None),
        lambda: t.Optimizer(False, "mine").get_name(),
        lambda: t.AdamOptimizer(epsilon="a").minimize(x * x),
    )


def traces(tf, stage):
    summary = tf.compat.v2.summary
    stage.attempts(
        lambda: summary.trace_on(),
        lambda: summary.trace_export("x", 0),
        lambda: summary.trace_off(),
    )
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
                lambda: summary.trace_export("y", 1),
                lambda: summary.trace_on(graph=False),
                lambda: summary.trace_off(),
                lambda: summary.trace_off(),
            )
        writer.close()
        stage.events(stage.folder + "/w")
