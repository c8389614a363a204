"""tf.contrib.learn: monitors for writing, logging, recording, validation; training, evaluation without Estimators."""

# ruff: noqa: B023, E731

import re

import numpy as np

from tests.conformance.scenes.contrib_learn_exports import _inside


def _counting(tf):
    """A training op that halves a variable, and the global step."""
    step = tf.train.get_or_create_global_step()
    w = tf.get_variable("w", initializer=[4.0, 8.0])
    v = tf.get_variable("scope/v", initializer=1.0)
    loss = tf.reduce_sum(w, name="loss")
    tf.summary.scalar("told", loss)
    with tf.control_dependencies([loss]):
        halved = tf.assign(w, w * 0.5)
    with tf.control_dependencies([halved, tf.assign_add(v, 1.0)]):
        return tf.assign_add(step, 1, name="train").op, loss, step


def _without_times(record):
    """Context that removes seconds from log lines, and drops those of another thread."""
    record.msg, record.args = re.sub(r" \([0-9.]+ sec/batch\)", "", record.getMessage()), ()
    return "global_step/sec" not in record.msg


def _run(tf, monitors, train, steps=5):
    hook = tf.contrib.learn.monitors.RunHookAdapterForMonitors(monitors)
    tf.train.get_or_create_global_step()
    with tf.train.SingularMonitoredSession([hook]) as session:
        for _ in range(steps):
            if not session.should_stop():
                session.run(train)
    tf.get_default_graph()._unsafe_unfinalize()


def writers(tf, stage):
    with tf.Graph().as_default():
        tf.set_random_seed(1)
        _writers(tf, stage)
        stage.brief_graph(names=False)


def _writers(tf, stage):
    of = tf.contrib.learn.monitors
    train, loss, step = _counting(tf)
    summary = tf.summary.merge_all()
    scaffold = tf.train.Scaffold(summary_op=summary, saver=tf.train.Saver(name="own"))
    writer = tf.summary.FileWriter(stage.folder + "/given")

    class Trained:
        model_dir = stage.folder + "/model"

    late = of.SummarySaver(None, 2, scaffold=scaffold)
    late.set_estimator(Trained())
    count = of.StepCounter(2)
    Trained.model_dir = stage.folder + "/counted"
    count.set_estimator(Trained())
    monitors = [
        of.SummarySaver(summary, output_dir=stage.folder + "/own"),
        of.SummarySaver(summary, 2, None, writer),
        of.SummarySaver(None, 1, stage.folder + "/nothing"),
        late,
        count,
        of.StepCounter(3, stage.folder + "/counts"),
        of.StepCounter(every_n_steps=1, summary_writer=writer),
        of.StepCounter(2),
    ]
    _run(tf, monitors, train)
    writer.close()
    for name in ("own", "given", "nothing", "model", "counted", "counts"):
        stage.say(name)
        stage.events(stage.folder + "/" + name)
    stage.attempts(
        lambda: of.SummarySaver(summary).set_estimator(None),
        lambda: of.StepCounter().set_estimator(None),
        lambda: [
            each.run_on_all_workers for each in (*monitors[::4], of.StopAtStep(1), of.BaseMonitor())
        ],
    )


def savers(tf, stage):
    with tf.Graph().as_default():
        tf.set_random_seed(1)
        _savers(tf, stage)
        stage.brief_graph(names=False)


def _savers(tf, stage):
    of = tf.contrib.learn.monitors
    train, loss, step = _counting(tf)
    saver = tf.train.Saver(max_to_keep=9, name="s")
    scaffold = tf.train.Scaffold(saver=saver)
    stage.attempts(
        lambda: of.CheckpointSaver(stage.folder), lambda: of.CheckpointSaver(stage.folder, 3, 4)
    )
    made = of.CheckpointSaver(stage.folder + "/steps", save_steps=2, saver=saver)
    _run(tf, [made], train)
    stage.files(stage.folder + "/steps")
    _run(tf, [made], train, 3)
    stage.files(stage.folder + "/steps")
    _run(
        tf,
        [of.CheckpointSaver(stage.folder + "/seconds", 1000, None, None, "own", scaffold)],
        train,
    )
    stage.files(stage.folder + "/seconds")
    _run(tf, [of.CheckpointSaver(stage.folder + "/each", save_secs=0, scaffold=scaffold)], train, 2)
    stage.files(stage.folder + "/each")
    for name in ("steps", "seconds", "each"):
        stage.events(stage.folder + "/" + name)


def loggers(tf, stage):
    with tf.Graph().as_default():
        tf.set_random_seed(1)
        _loggers(tf, stage)
        stage.brief_graph(names=False)


def _loggers(tf, stage):
    of = tf.contrib.learn.monitors
    train, loss, step = _counting(tf)
    captured = of.CaptureVariable("loss:0", 2, 2)
    always = of.CaptureVariable(var_name="w/read:0", every_n=1)
    dump, other = of.GraphDump(), of.GraphDump(["Const", "VariableV2", "Assign", "NoOp"])
    _run(
        tf,
        [
            captured,
            always,
            of.LoggingTrainable("scope", 3),
            of.LoggingTrainable(every_n=4, first_n=2),
        ],
        train,
    )
    stage.say(sorted(captured.values.items()), sorted(always.values.items()))
    stage.say(of.CaptureVariable("x").values)
    with tf.Graph().as_default():
        train = _counting(tf)[0]
        _run(tf, [dump, other, of.LoggingTrainable("none", 1)], train, 2)
    for each in (dump, other):
        for at, values in sorted(each.data.items()):
            stage.say(at, sorted((getattr(k, "name", k), v) for k, v in values.items()))
    stage.say(dump.IGNORE_OPS)
    one, two = of.GraphDump(), of.GraphDump()
    one.data[3] = {"a": np.ones(2), "b": np.float32([1.0, 2.0]), "c": 3, "d": 4, "e": "text", 5: 6}
    two.data[3] = {
        "a": np.ones(2) + 1e-7,
        "b": np.float32([1.0, 2.5]),
        "c": 3,
        "d": 5,
        "e": "other",
    }
    one.data[4] = {"a": np.ones(1)}
    two.data[4] = {"a": np.ones(1) + 0.25}
    stage.attempts(lambda: one.compare(two, 3), lambda: one.compare(of.GraphDump(), 4))
    summary = tf.summary.merge_all()
    for options in (
        {},
        {"loss_op": loss},
        {"summary_op": summary, "output_dir": stage.folder, "save_summary_steps": 2},
        {
            "loss_op": loss,
            "summary_op": summary,
            "summary_writer": tf.summary.FileWriter(stage.folder),
        },
    ):
        stage.say([type(each).__name__ for each in of.get_default_monitors(**options)])
    given = of.get_default_monitors(loss, summary, 2, stage.folder + "/default")
    _run(tf, given, tf.get_default_graph().get_operation_by_name("train"))
    tf.summary.FileWriterCache.clear()
    stage.events(stage.folder + "/default")


def validations(tf, stage):
    of, learn = tf.contrib.learn.monitors, tf.contrib.learn

    class Estimated(learn.Evaluable, learn.Trainable):
        model_dir, config, losses = stage.folder, None, [3.0, 2.0, 2.5, 1.0, 1.5, 1.75]

        def fit(self):
            pass

        def evaluate(self, **options):
            stage.say("evaluate", sorted(options.items()))
            self.losses = self.losses[1:]
            # Only one, since messages list several in arbitrary order.
            own = {"own": 10 - self.losses[0]} if options["name"] != "alone" else {}
            return {"loss": self.losses[0], **own}

    stage.attempts(
        lambda: of.ValidationMonitor(),
        lambda: of.ValidationMonitor(input_fn=len).every_n_step_end(1, {}),
    )
    step = tf.train.get_or_create_global_step()
    saver, later = tf.train.Saver([step], max_to_keep=20), tf.assign_add(step, 1)
    cases = (
        {"input_fn": len, "check_interval_secs": None},
        {"x": 1, "y": 2, "batch_size": 3, "eval_steps": 4, "metrics": {"m": 5}, "hooks": [], "name": "own"},
        {"input_fn": len, "early_stopping_rounds": 2, "check_interval_secs": 0},
        {
            "x": 1, "early_stopping_rounds": 1, "early_stopping_metric": "own", "check_interval_secs": None,
            "early_stopping_metric_minimize": False,
        },
        {
            "x": 1, "early_stopping_rounds": 1, "name": "alone", "early_stopping_metric": "none",
            "check_interval_secs": None,
        },
        {"x": 1, "early_stopping_rounds": 9, "check_interval_secs": None, "every_n_steps": 2},
    )  # fmt: skip
    with tf.Session() as session:
        session.run(tf.global_variables_initializer())
        for options in cases:
            stage.say(sorted(options))
            made = of.ValidationMonitor(**{"every_n_steps": 1, **options})
            made.set_estimator(Estimated())
            made.begin()
            with stage.failing():
                for at in range(1, 7):
                    made.step_begin(at)
                    if at != 2:
                        saver.save(session, stage.folder + "/model", session.run(later))
                    stage.say(at, made.step_end(at, {}))
                    made.post_step(at, session)
            stage.say(made.early_stopped, made.best_step, made.best_value, made.best_metrics)
            saver.set_last_checkpoints([])
            tf.train.update_checkpoint_state(stage.folder, "", [])
    core = tf.estimator.Estimator(lambda features: None, stage.folder + "/core")
    for options in ({"x": 1}, {"input_fn": len, "metrics": {}}, {"input_fn": len, "batch_size": 2}):
        made = of.ValidationMonitor(check_interval_secs=None, **options)
        made.set_estimator(core)
        stage.attempt(made.every_n_step_end, 1, {})


def graphs_trained(tf, stage):
    stage.addFilter(_without_times)
    learn = tf.contrib.learn
    of = learn.monitors

    class Told(of.EveryN):
        def __init__(self, everywhere=False):
            super().__init__(every_n_steps=1)
            self._everywhere = everywhere

        @property
        def run_on_all_workers(self):
            return self._everywhere

        def begin(self, max_steps=None):
            super().begin(max_steps)
            stage.say("begin", max_steps)

        def every_n_step_begin(self, step):
            return ["loss:0", "w:0"]

        def every_n_step_end(self, step, outputs):
            stage.say(step, sorted(map(str, outputs)))
            return False

        def end(self, session=None):
            super().end(session)
            stage.say("end", session)

    cases = (
        {"steps": 3, "log_every_steps": 2},
        {"max_steps": 5, "monitors": [Told()], "keep_checkpoint_max": 1},
        {"steps": 2, "monitors": [Told(), Told(True)], "supervisor_save_summaries_steps": 1},
        {"max_steps": 2},
        {
            "steps": 2,
            "output_dir": "/own",
            "supervisor_save_summaries_steps": 1,
        },
        {"steps": 2, "output_dir": "/fed", "feed_fn": iter([{}]).__next__},
        {"steps": 1, "output_dir": ""},
        {"steps": 1, "max_steps": 2},
        {"steps": 1, "train_op": None},
        {"steps": 1, "loss_op": None},
        {"steps": 1, "global_step_tensor": "none"},
    )
    for options in cases:
        with tf.Graph().as_default() as graph:
            stage.say(sorted(options))
            train, loss, step = _counting(tf)
            given = {"train_op": train, "loss_op": loss, **options}
            folder = given.pop("output_dir", "/here")
            given.setdefault("supervisor_save_model_secs", 0)
            stage.attempt(lambda: learn.train(graph, folder and stage.folder + folder, **given))
            stage.say([key for key in ("savers", "summary_op") if graph.get_collection(key)])
    tf.summary.FileWriterCache.clear()
    for folder in ("/here", "/own", "/fed"):
        stage.files(stage.folder + folder)
    stage.events(stage.folder + "/own", but=["global_step/sec"])
    for fails in (True, False):
        with tf.Graph().as_default() as graph:
            step = tf.train.create_global_step()
            loss = tf.log(tf.constant(-1.0))
            train = tf.assign_add(step, 1).op
            stage.attempt(
                lambda: learn.train(
                    graph, stage.folder + f"/nan{fails}", train, loss, steps=2, fail_on_nan_loss=fails,
                    supervisor_save_model_secs=0,
                )
            )  # fmt: skip
    with tf.Graph().as_default() as graph:
        tf.train.create_global_step()
        stage.attempt(
            learn.train, graph, stage.folder + "/still", tf.no_op(), tf.constant(1.0), max_steps=0
        )
    stage.attempt(_inside(tf, "graph_actions", "clear_summary_writers"))


def graphs_evaluated(tf, stage):
    stage.addFilter(_without_times)
    learn = tf.contrib.learn
    with tf.Graph().as_default():
        train, loss, step = _counting(tf)
        with tf.Session() as session:
            session.run(tf.global_variables_initializer())
            session.run(train)
            path = tf.train.Saver().save(session, stage.folder + "/model/at", step)

    def case(folder="/out", checkpoint=stage.folder + "/model", **options):
        with tf.Graph().as_default() as graph:
            train, loss, step = _counting(tf)
            fed = tf.placeholder_with_default(np.float32(1.0), [], name="fed")
            count = tf.Variable(0.0, collections=["local_variables"])
            given = {"loss": loss, "fed": fed, "count": tf.cast(count, tf.float64), "ints": step}
            options.setdefault(
                "update_op", tf.assign_add(count, fed) if options.pop("updates", 0) else None
            )
            with tf.Session():
                queue = tf.train.limit_epochs(tf.constant(1.0), options.pop("epochs", 3))
                if options.pop("ends", False):
                    given["queue"] = queue
            stage.attempt(
                lambda: learn.evaluate(
                    graph, folder and stage.folder + folder, checkpoint, given, **options
                )
            )
            stage.say(
                [k for k in ("savers", "local_init_op", "ready_op") if graph.get_collection(k)]
            )

    case(max_steps=2)
    case(max_steps=3, updates=True, log_every_steps=2)
    case(checkpoint=path, max_steps=0)
    case(checkpoint=None, max_steps=1)
    case(ends=True)
    case(ends=True, max_steps=9)
    case(feed_fn=iter([{"fed:0": 2.0}, {"fed:0": 5.0}]).__next__)
    case(feed_fn=iter([{"fed:0": 2.0}, {"fed:0": 5.0}]).__next__, updates=True, max_steps=9)
    case("")
    case(checkpoint=stage.folder + "/none", max_steps=1)
    tf.summary.FileWriterCache.clear()
    stage.events(stage.folder + "/out")


def tensors_run(tf, stage):
    learn = tf.contrib.learn
    w = tf.get_variable("w", initializer=2.0)
    x = tf.placeholder_with_default(1.0, [], "x")
    local = tf.Variable(5.0, collections=["local_variables"])
    table = tf.contrib.lookup.index_table_from_tensor(["a", "b"])
    more = tf.assign_add(w, x)
    outputs = {"more": more, "local": local, "id": table.lookup(tf.constant("b"))}
    with tf.Session() as session:
        session.run(w.assign(7.0))
        path = tf.train.Saver().save(session, stage.folder + "/model")
    stage.attempts(
        lambda: learn.run_n(outputs),
        lambda: learn.run_n(outputs, {x: 3.0}, n=2),
        lambda: learn.run_n(outputs, None, path, 2),
        lambda: learn.run_n(outputs, n=0),
        lambda: learn.run_n({}),
        lambda: learn.run_feeds(outputs, [{x: 1.0}, None, {"x:0": 2.0}]),
        lambda: learn.run_feeds(outputs, [{x: 1.0}], restore_checkpoint_path=path),
        lambda: learn.run_feeds(outputs, []),
        lambda: learn.run_feeds(None, [None]),
        lambda: learn.run_feeds(output_dict=outputs, feed_dicts=({},)),
        lambda: learn.infer(path, outputs),
        lambda: learn.infer(None, outputs, {x: 4.0}),
        lambda: learn.infer(stage.folder + "/none", outputs),
    )
    with tf.Graph().as_default():
        stage.attempt(learn.infer, path, {"x": tf.constant(1.0)})


def kinds_of_tensors(tf, stage):
    inside = lambda name: _inside(tf, "estimators.tensor_signature", name)
    create, fits, holders = (
        inside(name)
        for name in (
            "create_signatures",
            "tensors_compatible",
            "create_placeholders_from_signatures",
        )
    )
    some = lambda shape, dtype=tf.float32: tf.placeholder(dtype, shape)
    sparse = lambda dtype=tf.int64: tf.sparse_placeholder(dtype)
    known = create({"a": some([3, 2]), "s": sparse(), "v": some(None)})
    one = create(some([None, 2]))
    stage.say(*map(str, [known, one, create(None), create(sparse(tf.string))]))
    stage.attempts(
        lambda: fits(some([5, 2]), one),
        lambda: fits(some([5, 3]), one),
        lambda: fits(some([5]), one),
        lambda: fits(some(None), one),
        lambda: fits(some([5, 2], tf.int32), one),
        lambda: fits(some([]), create(some([]))),
        lambda: fits(some([1]), create(some([]))),
        lambda: fits(some([2]), create(some([3]))),
        lambda: fits({"a": some([1, 2]), "s": sparse(), "v": some([3])}, known),
        lambda: fits({"a": some([1, 2]), "s": sparse(), "v": some([3]), "more": some([])}, known),
        lambda: fits({"a": some([1, 2]), "s": sparse()}, known),
        lambda: fits({"a": some([1, 2]), "s": some([1], tf.int64), "v": some([])}, known),
        lambda: fits({"a": some([1, 2]), "s": sparse(tf.string), "v": some([])}, known),
        lambda: fits(some([1]), known),
        lambda: fits({"a": some([1])}, one),
        lambda: holders(one),
        lambda: sorted(
            (k, str(getattr(v, "shape", None)), v.dtype)
            for k, v in holders(known).items()
            if k != "v"
        ),
        lambda: holders(None),
    )
