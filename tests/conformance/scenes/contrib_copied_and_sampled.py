"""tf.contrib.copy_graph, bayesflow and checkpoint: copies, estimates, arrays in checkpoints; options and errors."""

import re

import numpy as np

from tests.conformance.scenes import eager_mode


def copied(tf, stage):
    of = tf.contrib.copy_graph

    def built():
        with tf.name_scope("part"):
            w = tf.Variable([1.0, 2.0], name="w")
            frozen = tf.Variable(3, trainable=False, name="frozen", collections=["kept", "other"])
            local = tf.Variable(0.5, name="local", collections=[tf.GraphKeys.LOCAL_VARIABLES])
        x = tf.placeholder(tf.float32, [2], name="x")
        with tf.device("/cpu:0"), tf.control_dependencies([x]):
            y = tf.multiply(x, w, name="y")
        first, second = tf.split(y, 2, name="halves")
        with tf.control_dependencies([first]):
            z = tf.add(second, tf.to_float(frozen), name="z")
        tf.add_to_collection("kept", z)
        tf.add_to_collection("other", y.op)
        return w, frozen, local, x, y, first, second, z

    for scope in ("", "twin", "a/b"):
        with tf.Graph().as_default() as graph:
            w, frozen, local, x, y, first, second, z = built()
            target = tf.Graph()
            with target.as_default():
                tf.constant(1.0, name="there")
            args = {"scope": scope} if scope else {}
            made = [of.copy_variable_to_graph(v, target, **args) for v in (w, frozen, local)]
            stage.say([(v.name, v.dtype, str(v.shape), v.graph is target) for v in made])
            stage.say([v.initial_value for v in made])
            copy = of.copy_op_to_graph(z, target, made, **args)
            stage.say(copy, of.get_copied_op(z, target, **args) is copy)
            again = of.copy_op_to_graph(z, target, made, **args)
            stage.say(again is copy, of.copy_op_to_graph(z.op, target, made, **args) is copy.op)
            stage.say(of.copy_op_to_graph(first, target, iter(made), **args))
            stage.say(copy.op.control_inputs, copy.op.inputs[0].op.device)
            stage.attempts(
                lambda: of.get_copied_op(w, target, **args).name,  # noqa: B023
                lambda: of.get_copied_op(y.op, target, **args).name,  # noqa: B023
                lambda: of.get_copied_op(w, target, "elsewhere"),  # noqa: B023
                lambda: of.copy_op_to_graph(w, target, made, **args),  # noqa: B023
                lambda: of.copy_op_to_graph(graph, target, made, **args),  # noqa: B023
                lambda: of.copy_op_to_graph("y", target, made, **args),  # noqa: B023
                lambda: of.copy_op_to_graph(w, target, [], "third"),  # noqa: B023
                lambda: of.copy_op_to_graph(w.op, target, [], "third").name,  # noqa: B023
                lambda: of.copy_variable_to_graph(y, target),  # noqa: B023
                lambda: of.copy_variable_to_graph(w, target, "again").name,  # noqa: B023
                lambda: of.copy_variable_to_graph(w, target, "again").name,  # noqa: B023
            )
            for each in (graph, target):
                with each.as_default():
                    stage.brief_graph(names=False)
                    stage.say(sorted(each.get_all_collection_keys()))
            with tf.Session(graph=target) as session:
                session.run([v.initializer for v in made])
                name = of.get_copied_op(x, target, **args)
                stage.attempt(session.run, [copy, *made], {name: [10.0, 20.0]})
    with tf.Graph().as_default():
        v = tf.get_variable("v", initializer=tf.constant([4.0]), use_resource=True)
        target = tf.Graph()
        stage.attempts(
            lambda: of.copy_variable_to_graph(v, target).name,
            lambda: of.copy_op_to_graph(v + 1.0, target, [v]).name,
        )
        stage.left(target)


def sampled(tf, stage):
    of = tf.contrib.bayesflow.monte_carlo

    def drawn(loc, n=4):
        return tf.distributions.Normal(loc, 0.5).sample(n, seed=3)

    def estimate(f=tf.square, density=False, **options):
        def function():
            loc = tf.constant([1.0, 2.0])
            normal = tf.distributions.Normal(loc, 0.5)
            if density:
                options["log_prob"] = normal.log_prob
            made = of.expectation(f, normal.sample(4, seed=3), **options)
            return made, tf.gradients(made, loc)

        return function

    stage.each(
        {
            "plain": estimate(),
            "score": estimate(density=True, use_reparametrization=False),
            "no score": estimate(use_reparametrization=False),
            "all": estimate(axis=None, keep_dims=True),
            "no function": estimate(f=3.0),
            "integers": lambda: of.expectation(tf.identity, tf.constant([1, 2])),
            "none": lambda: of.expectation(tf.identity, tf.constant([], tf.float32)),
        },
        graph="sum",
    )
    stage.say(estimate.__name__, of.expectation.__name__)

    def weighted(function, f, **options):
        def made():
            q = tf.distributions.Normal(tf.constant([0.5, -0.5]), 1.5)
            p = tf.distributions.Normal(0.0, 1.0)
            found = function(f, p.log_prob, q, **options)
            return found, tf.gradients(found, q.loc)

        return made

    z = np.float32([[0.5, 1.0], [-2.0, 0.1], [0.0, 3.0]])
    plain, logs = of.expectation_importance_sampler, of.expectation_importance_sampler_logspace
    stage.each(
        {
            "given": weighted(plain, tf.square, z=z),
            "drawn": weighted(plain, tf.square, n=5, seed=4),
            "both": weighted(plain, tf.square, n=2, z=z),
            "neither": weighted(plain, tf.square),
            "logs": weighted(logs, lambda x: tf.log(tf.square(x) + 1.0), z=z),
            "logs drawn": weighted(logs, tf.sin, n=5, seed=4, name="own"),
            "logs of both": weighted(logs, tf.sin, n=5, z=z),
        },
        graph="sum",
    )


def arrays(tf, stage):
    of = tf.contrib.checkpoint
    with tf.Graph().as_default(), eager_mode(tf):
        state = of.NumpyState()
        checkpoint = tf.train.Checkpoint(state=state, v=tf.Variable(3.0))
        stage.attempts(
            lambda: state.a,
            lambda: setattr(state, "a", [1.0]),
            lambda: setattr(state, "a", 3),
            lambda: setattr(state, "a", tf.constant(1.0)),
            lambda: setattr(state, "a", np.array([[1, 2]], np.int16)),
            lambda: state.a,
            lambda: setattr(state, "b", np.float64(2.5)),
            lambda: state.b,
            lambda: setattr(state, "c", np.array(["x", "yz"])),
            lambda: setattr(state, "o", np.array([None])),
            lambda: [d.name for d in state._checkpoint_dependencies],
        )
        stage.attempt(checkpoint.save, stage.folder + "/bad")
        state.o = np.array([True])
        path = checkpoint.save(stage.folder + "/model")
        stage.say([name for name, _ in tf.train.list_variables(path)])
        state.a = np.zeros([0, 2])
        state.a[:] = 7
        state.d = np.ones([2])
        status = checkpoint.restore(path)
        stage.attempts(
            lambda: state.a,
            lambda: state.a.dtype,
            lambda: state.b,
            lambda: state.c,
            lambda: state.o,
            lambda: state.d,
            lambda: status.assert_consumed() is None,
            lambda: status.assert_existing_objects_matched() is None,
        )
        other = of.NumpyState()
        status = tf.train.Checkpoint(state=other).restore(path)
        stage.attempts(
            lambda: other.a,
            lambda: other.b,
            lambda: other.none,
            lambda: status.assert_consumed() is None,
        )
        text = of.dot_graph_from_checkpoint(path)
        stage.say(sorted(text.split("\n")))
        w = tf.contrib.eager.Variable([1.0, 2.0], name="deep/w")
        adam = tf.train.AdamOptimizer(0.1)
        net = tf.train.Checkpoint(w=w, optimizer=adam, inner=tf.train.Checkpoint(deep=w))
        adam.minimize(lambda: tf.reduce_sum(w * w))
        path = net.save(stage.folder + "/net")
        for line in of.dot_graph_from_checkpoint(path).split("\n"):
            stage.say(line)
        saver = tf.contrib.eager.Saver([w])
        named = saver.save(stage.folder + "/named")
        stage.attempt(of.dot_graph_from_checkpoint, named)
        stage.attempt(of.dot_graph_from_checkpoint, stage.folder + "/none")


def parts(tf, stage):
    of = tf.contrib.checkpoint

    def told(read):
        held = tf.get_variable("held", initializer=[1.0, 2.0], use_resource=True)
        calls = []

        def fill(buffer):
            calls.append("fill")
            buffer["a"], buffer["b"] = held[0] + 0.0, held[1] * 2.0

        def consume(buffer):
            calls.append(sorted(buffer))
            return held.assign(tf.stack([buffer["a"], buffer["b"] / 2.0]))

        split = of.split_dependency(("a", "b"), (tf.float32, tf.float32), fill, consume, "")
        stage.say(sorted(split), [type(x).__name__[-5:] for x in split.values()])
        whole = tf.train.Checkpoint(**split)
        read(tf.global_variables_initializer)
        path = whole.save(stage.folder + "/whole")
        stage.say(calls, tf.train.list_variables(path))
        read(lambda: held.assign([0.0, 0.0]))
        status = whole.restore(path)
        status.run_restore_ops()
        stage.say(calls, read(lambda: held + 0.0))
        half = of.split_dependency(["a", "b"], [tf.float32] * 2, fill, consume, device="/cpu:0")
        for given in ({"a": half["a"]}, {"a": half["a"], "b": half["a"]}):
            try:
                tf.train.Checkpoint(**given).save(stage.folder + "/half")
            except AssertionError as error:
                stage.say(re.sub(r"\(.*\)", "", str(error)))
        stage.say(calls)

    with tf.Graph().as_default(), eager_mode(tf):
        told(lambda function: function())
    with tf.Graph().as_default(), tf.Session() as session:
        told(lambda function: session.run(function()))
        stage.brief_graph()
