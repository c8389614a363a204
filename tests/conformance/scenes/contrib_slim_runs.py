"""tf.contrib.slim: training and evaluation with all options, transformed gradients, manual steps, queue contexts."""

# ruff: noqa: B023


def _model(tf):
    w = tf.get_variable("w", initializer=[3.0, 4.0])
    fed = tf.placeholder_with_default(1.0, [], "fed")
    tf.summary.scalar("of_w", tf.reduce_sum(w))
    return w, fed, tf.reduce_sum(w * w) * fed / 2.0


def gradients_changed(tf, stage):
    of = tf.contrib.slim.learning
    for name, options in (
        ("plain", {}),
        ("clipped", {"clip_gradient_norm": 1.0}),
        ("multiplied", {"gradient_multipliers": {"w": 0.5}}),
        (
            "both",
            {
                "clip_gradient_norm": 1.0,
                "gradient_multipliers": {"w": 0.5},
                "summarize_gradients": True,
            },
        ),
        (
            "no step",
            {"global_step": None, "check_numerics": False, "colocate_gradients_with_ops": True},
        ),
        ("some", {"update_ops": [], "aggregation_method": 1, "gate_gradients": 0}),
        ("others", {"gradient_multipliers": {"none": 0.5}}),
        ("none", {"gradient_multipliers": {}}),
        ("negative", {"clip_gradient_norm": -1.0}),
    ):
        with tf.Graph().as_default() as graph, tf.Session() as session, stage.failing():
            stage.say(name)
            w, _, loss = _model(tf)
            train = of.create_train_op(loss, tf.train.GradientDescentOptimizer(0.5), **options)
            stage.say(train.name, [s.op.name for s in tf.get_collection("summaries")])
            stage.brief_graph(names=False)
            session.run(tf.global_variables_initializer())
            session.run(train)
            stage.say(session.run(w), [v.name for v in tf.global_variables()])
            stage.say(train in graph.get_collection("train_op"))
    w = tf.get_variable("w", initializer=[3.0, 4.0])
    slices = tf.IndexedSlices(tf.constant([[3.0, 4.0]]), tf.constant([1]), tf.constant([3, 2]))
    dense = tf.constant([3.0, 4.0])
    with tf.Session() as session:
        stage.attempts(
            lambda: session.run(of.clip_gradient_norms([(slices, w), (None, w)], 1.0)[0][0]),
            lambda: session.run(of.multiply_gradients([(slices, w)], {"w": 0.5})[0][0]),
            lambda: of.add_gradients_summaries([(dense, w), (slices, w)]),
            lambda: of.add_gradients_summaries([(None, w)]),
        )
    stage.say([s.op.name for s in tf.get_collection("summaries")])


def steps_by_hand(tf, stage):
    step = tf.contrib.slim.learning.train_step
    count = tf.train.create_global_step()
    loss = tf.cast(tf.assign_add(count, 1), tf.float32) * 0.5
    with tf.Session() as session:
        session.run(count.initializer)
        stage.attempts(lambda: step(session, loss, count, {}))


def trained(tf, stage):
    slim = tf.contrib.slim
    quiet = {"save_interval_secs": 0, "save_summaries_secs": 0, "log_every_n_steps": 2}

    cases = {
        "init": lambda w, fed: {
            "init_op": tf.assign(w, [fed, 2.0]),
            "init_feed_dict": {fed: 7.0},
            "local_init_op": None,
        }
    }
    for number, (name, options) in enumerate(cases.items()):
        with tf.Graph().as_default():
            stage.say(name)
            w, fed, loss = _model(tf)
            train = slim.learning.create_train_op(loss, tf.train.GradientDescentOptimizer(0.0))
            given = {
                "number_of_steps": 2,
                "logdir": f"{stage.folder}/{number}",
                **quiet,
                **options(w, fed),
            }
            stage.attempt(lambda: slim.learning.train(train, **given))
            stage.files(given["logdir"])
    with tf.Graph().as_default() as graph:
        _, _, loss = _model(tf)
        train = slim.learning.create_train_op(loss, tf.train.GradientDescentOptimizer(0.0))
    stage.attempt(slim.learning.train, train, None, graph=graph, number_of_steps=1)


def evaluated(tf, stage):
    of = tf.contrib.slim.evaluation
    with tf.Graph().as_default(), tf.Session() as session:
        step = tf.train.create_global_step()
        w, _, _ = _model(tf)
        session.run(tf.global_variables_initializer())
        session.run([step.assign(4), w.assign([1.0, 2.0])])
        path = tf.train.Saver().save(session, stage.folder + "/model", 4)

    class Told(tf.train.SessionRunHook):
        def end(self, session):
            stage.say("hook", session.run("count:0"))

    def case(once=True, own=False, **options):
        with tf.Graph().as_default():
            tf.train.create_global_step()
            w, fed, loss = _model(tf)
            count = tf.get_variable(
                "count", initializer=0.0, collections=["local_variables"], trainable=False
            )
            tf.identity(count, "count")
            more = tf.get_variable("more", initializer=5.0) if own else None
            given = {
                "eval_op": tf.assign_add(count, fed),
                "final_op": {"count": count, "loss": loss},
            }
            if own:
                given.update(
                    initial_op=tf.assign(more, fed),
                    initial_op_feed_dict={fed: 9.0},
                    variables_to_restore=[w],
                )
                given["final_op"]["more"] = more
            given.update(
                {
                    k: v(fed, w) if callable(v) and k != "init_fn" and k != "timeout_fn" else v
                    for k, v in options.items()
                }
            )
            log = given.pop("logdir", stage.folder + "/log")
            function = of.evaluate_once if once else of.evaluation_loop
            stage.attempt(
                lambda: sorted(function("", path if once else stage.folder, log, **given).items())
            )

    case()
    case(
        num_evals=3,
        eval_op_feed_dict=lambda fed, w: {fed: 2.0},
        final_op_feed_dict=lambda fed, w: {fed: 10.0},
    )
    case(own=True, summary_op=None)
    case(
        eval_op=None,
        summary_op=lambda fed, w: tf.summary.scalar("mine", fed),
        summary_op_feed_dict=lambda fed, w: {fed: 6.0},
    )
    case(
        hooks=lambda fed, w: [Told()], session_config=tf.ConfigProto(), logdir=None, summary_op=None
    )
    case(logdir=None)
    case(final_op=lambda fed, w: None)
    case(False, max_number_of_evaluations=1, eval_interval_secs=0)
    case(
        False, own=True, timeout=0, eval_interval_secs=0, timeout_fn=lambda: stage.say("asked") or True,
        init_fn=lambda scaffold, session: stage.say("init_fn"), num_evals=2,
    )  # fmt: skip
    tf.summary.FileWriterCache.clear()
    stage.events(stage.folder + "/log")
