"""tf.contrib.learn: Experiments and their schedules, linear models; tf.contrib.testing: summary writers."""


def _estimator(tf, stage, **known):
    """An Estimator that records its calls."""
    learn = tf.contrib.learn

    class Told(learn.Evaluable, learn.Trainable):
        model_dir = stage.folder
        config = known.get("config") or learn.RunConfig(model_dir=stage.folder)
        steps = 0

        def fit(self, *given, **options):
            said = sorted((k, v) for k, v in options.items() if k not in ("monitors", "input_fn"))
            kinds = [type(m).__name__ for m in options.get("monitors") or ()]
            stage.say("fit", given, said, kinds)
            self.steps += options.get("steps") or 1
            graph = tf.Graph()
            with graph.as_default(), tf.Session() as session:
                step = tf.train.create_global_step()
                session.run(step.assign(self.steps))
                tf.train.Saver().save(session, stage.folder + "/model.ckpt", step)
            return self

        def evaluate(self, *given, **options):
            path = options.pop("checkpoint_path", None)
            said = sorted((k, v) for k, v in options.items() if k != "input_fn")
            stage.say("evaluate", given, said, path and path.replace(stage.folder, ""))
            return {"loss": 1.0 / max(1, self.steps), "global_step": self.steps}

        def export_savedmodel(self, *given, **options):
            stage.say("export", given, sorted(options))
            return b"exported"

    return Told()


def experiments(tf, stage):
    learn = tf.contrib.learn
    rows = lambda: None  # noqa: E731

    def export(estimator, path, checkpoint_path=None, eval_result=None):
        stage.say(
            "strategy",
            path,
            checkpoint_path and checkpoint_path.replace(stage.folder, ""),
            eval_result,
        )
        return "out"

    strategy = learn.ExportStrategy("mine", export)

    def made(**options):
        given = {"train_steps": 3, "eval_steps": 2, "eval_delay_secs": 0}
        given["continuous_eval_throttle_secs"] = 0
        estimator = options.pop("estimator", None) or _estimator(tf, stage)
        return learn.Experiment(estimator, rows, rows, **{**given, **options})

    for method, options in (
        ("train", {}),
        ("train", {"train_monitors": [tf.train.StopAtStepHook(9)], "train_steps": None}),
        ("evaluate", {"eval_hooks": [], "eval_metrics": {"a": 1}}),
        ("evaluate", {"export_strategies": strategy}),
        ("train_and_evaluate", {}),
        ("train_and_evaluate", {"min_eval_frequency": 0, "export_strategies": [strategy]}),
        ("train_and_evaluate", {"checkpoint_and_export": True, "export_strategies": [strategy]}),
        ("local_run", {"local_eval_frequency": 2}),
        ("test", {"export_strategies": [strategy]}),
        ("continuous_train_and_eval", {"train_steps": 2, "train_steps_per_iteration": 1}),
        ("continuous_train_and_eval", {"train_steps": 2, "min_eval_frequency": 3}),
        ("run_std_server", {}),
    ):
        stage.say(method, sorted(options))
        experiment = made(**options)
        stage.attempt(lambda: getattr(experiment, method)())  # noqa: B023
    experiment = made(train_steps=1)
    stage.attempts(
        lambda: experiment.train(delay_secs=0) and "trained",
        lambda: experiment.evaluate(delay_secs=0, name="named"),
        lambda: experiment.extend_train_hooks([tf.train.StopAtStepHook(1)]),
        lambda: experiment.train(delay_secs=0) and "trained",
        lambda: experiment.reset_export_strategies(strategy),
        lambda: experiment.reset_export_strategies([strategy, strategy]),
        lambda: experiment.reset_export_strategies([3]),
        lambda: experiment.reset_export_strategies(),
        lambda: experiment.continuous_eval(evaluate_checkpoint_only_once=False),
        lambda: experiment.continuous_eval_on_train_data(),
        lambda: experiment.continuous_eval(
            continuous_eval_predicate_fn=lambda results: not results
        ),
        lambda: experiment.continuous_eval(
            continuous_eval_predicate_fn=lambda eval_results, checkpoint_path: not checkpoint_path
        ),
        lambda: experiment.continuous_eval(continuous_eval_predicate_fn=3),
        lambda: experiment.continuous_train_and_eval(3),
        lambda: experiment.estimator is experiment.estimator,
        lambda: experiment.train_steps,
        lambda: experiment.eval_steps,
        lambda: made(train_steps_per_iteration=2.5),
        lambda: made(export_strategies=[3]),
        lambda: made(export_strategies="text"),
        lambda: made(saving_listeners=[1]),
        lambda: made(estimator=object()),
        lambda: made(estimator=type("E", (learn.Evaluable,), {"evaluate": 1, "model_dir": 2})()),
        lambda: made(
            estimator=tf.estimator.Estimator(lambda features: None, stage.folder + "/core"),
            eval_metrics={},
        ),
    )


def runners(tf, stage):
    learn = tf.contrib.learn
    run = learn.learn_runner.run
    hparams = tf.contrib.training.HParams(rate=0.5)
    other = learn.RunConfig(model_dir=stage.folder + "/other")

    class Mine(learn.Experiment):
        number = 3

        def __init__(self, config):
            super().__init__(_estimator(tf, stage, config=config), None, None, train_steps=1)

        def train(self, delay_secs=None):
            return "trained"

        def train_and_evaluate(self):
            return "both"

        def run_std_server(self):
            return "served"

    def cluster(kind, jobs=("ps", "worker")):
        config = learn.RunConfig(model_dir=stage.folder)
        config._cluster_spec = tf.train.ClusterSpec({job: ["a:1", "b:2"] for job in jobs})
        config._task_type = kind
        return config

    one = lambda: learn.RunConfig(model_dir=stage.folder)  # noqa: E731
    of_config = lambda config, hparams: Mine(config)  # noqa: E731
    of_folder = lambda output_dir: Mine(one())  # noqa: E731
    stage.attempts(
        lambda: run(of_folder, stage.folder),
        lambda: run(of_folder, stage.folder, "train"),
        lambda: run(of_folder, output_dir=stage.folder, schedule="number"),
        lambda: run(of_folder, output_dir=stage.folder, schedule="none"),
        lambda: run(of_folder, output_dir=stage.folder, hparams=hparams),
        lambda: run(of_folder, output_dir=stage.folder, run_config=one()),
        lambda: run(of_folder, output_dir=""),
        lambda: run(of_folder),
        lambda: run(3, stage.folder),
        lambda: run(lambda output_dir: 3, stage.folder),
        lambda: run(of_config, run_config=one()),
        lambda: run(of_config, run_config=one(), hparams=hparams, schedule="train"),
        lambda: run(of_config, run_config=one(), hparams={"rate": 1}),
        lambda: run(of_config, run_config=3),
        lambda: run(of_config, run_config=learn.RunConfig()),
        lambda: run(lambda config, hparams: Mine(other), run_config=one()).replace("", ""),
        lambda: run(lambda config, hparams: 3, run_config=one()),
        *[
            lambda kind=kind: run(of_config, run_config=cluster(kind))
            for kind in ("master", "ps", "worker", "evaluator", None)
        ],
        lambda: run(of_config, run_config=cluster("worker"), schedule="train_and_evaluate"),
        lambda: run(of_config, run_config=cluster("worker", ["worker"])),
    )

    class Tuner:
        left = 2

        def next_trial(self):
            self.left -= 1
            return self.left >= 0

        def run_experiment(self, function):
            given = None if self.left else hparams
            stage.attempt(lambda: type(function(one(), given)).__name__)

    stage.attempt(lambda: learn.learn_runner.tune(of_config, Tuner()))


def models_of_lines(tf, stage):
    models = tf.contrib.learn.models
    x = lambda: tf.constant([[1.0, 2.0], [3.0, 4.0]])  # noqa: E731
    stage.each(
        {
            "starts": lambda: models.linear_regression(x(), tf.constant([[1.0], [2.0]]), 0.5, -0.5),
            "zeros": lambda: models.linear_regression_zero_init(x(), tf.constant([1.0, 2.0])),
            "classes": lambda: models.logistic_regression(
                x(), tf.constant([[1.0, 0.0], [0.0, 1.0]]), init_mean=0.5, init_stddev=0.1
            ),
            "weights": lambda: models.logistic_regression(
                x(), tf.constant([[1.0, 0.0], [0.0, 1.0]]), tf.constant([1.0, 3.0])
            ),
            "zero classes": lambda: models.logistic_regression_zero_init(
                x(), tf.constant([[1.0, 0.0], [0.0, 1.0]])
            ),
            "double": lambda: models.linear_regression(
                tf.cast(x(), tf.float64), tf.constant([1.0, 2.0], tf.float64), 1.0
            ),
        },
        graph="sum",
    )


def writers_of_tests(tf, stage):
    case = type("Case", (tf.test.TestCase,), {"runTest": lambda self: None})()
    of = tf.contrib.testing
    graph = tf.get_default_graph()
    writer = of.FakeSummaryWriter("folder", graph)
    summary = tf.Summary(value=[tf.Summary.Value(tag="a", simple_value=2.0)])
    log, meta = tf.SessionLog(status=tf.SessionLog.START), tf.MetaGraphDef()
    stage.attempts(
        lambda: writer.summaries,
        lambda: writer.add_summary(summary, 3),
        lambda: writer.add_summary(summary.SerializeToString(), 3),
        lambda: writer.add_summary(summary, 4),
        lambda: sorted((k, len(v)) for k, v in writer.summaries.items()),
        lambda: writer.add_graph(graph),
        lambda: writer.add_graph(graph, -1),
        lambda: writer.add_graph(graph, 0, tf.GraphDef()),
        lambda: writer.add_meta_graph(meta),
        lambda: writer.add_meta_graph(meta, -2),
        lambda: writer.add_session_log(log),
        lambda: writer.add_run_metadata(tf.RunMetadata(), "tag", 1),
        lambda: writer.add_run_metadata(tf.RunMetadata(), "tag", -1),
        lambda: writer.flush(),
        lambda: writer.reopen(),
        lambda: writer.close(),
        lambda: writer.assert_summaries(case),
        lambda: writer.assert_summaries(
            case, "folder", graph, {4: {"a": 2.0}}, [graph], [meta], [log]
        ),
        lambda: writer.assert_summaries(case, expected_logdir="other"),
        lambda: writer.assert_summaries(case, expected_graph=tf.Graph()),
        lambda: writer.assert_summaries(case, expected_summaries={5: {}}),
        lambda: writer.assert_summaries(case, expected_summaries={4: {"a": 3.0}}),
        lambda: writer.assert_summaries(case, expected_added_graphs=[]),
        lambda: writer.assert_summaries(case, expected_added_meta_graphs=[]),
        lambda: writer.assert_summaries(case, expected_session_logs=[]),
    )
    try:
        of.FakeSummaryWriter.install()
        stage.attempts(
            lambda: of.FakeSummaryWriter.install(),
            lambda: type(tf.summary.FileWriterCache.get("x")).__name__,
            lambda: tf.summary.FileWriterCache.get("x") is tf.summary.FileWriterCache.get("x"),
        )
    finally:
        of.FakeSummaryWriter.uninstall()
    stage.attempt(of.FakeSummaryWriter.uninstall)
    with tf.summary.FileWriter(stage.folder, tf.Graph()) as kept:
        kept.add_summary(summary, 7)
    stage.attempts(
        lambda: [e.step for e in of.latest_events(stage.folder)],
        lambda: [v.tag for s in of.latest_summaries(stage.folder) for v in s.summary.value],
        lambda: of.simple_values_from_events(of.latest_events(stage.folder), ["a"]),
        lambda: of.simple_values_from_events(of.latest_events(stage.folder), ["none"]),
        lambda: of.latest_event_file(stage.folder + "/none"),
        lambda: of.assert_summary(["a"], [("a", 2.0)], stage.folder),
    )
