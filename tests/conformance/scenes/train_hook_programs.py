"""Small programs with hooks: the graph node by node, and runs, logs and files."""

from tests.conformance.scenes import model


def _run(tf, stage, hooks, steps=4, **options):
    """Runs steps with hooks; returns the step reached, and the graph."""
    train, loss = model(tf)
    made = hooks(tf, stage, loss)
    options = {"save_checkpoint_steps": None, "log_step_count_steps": None, **options}
    with stage.failing():
        with tf.train.MonitoredTrainingSession(
            hooks=made, save_checkpoint_secs=None, **options
        ) as session:
            for _ in range(steps):
                if session.should_stop():
                    break
                stage.say("step", session.run(train))
    stage.brief_graph()
    stage.files()
    stage.events()


class _Calls:
    """A hook that records its calls, and may request fetches."""

    def __new__(cls, tf, stage, name="one", asks=None, stops=None):
        class Hook(tf.train.SessionRunHook):
            def begin(self):
                stage.say(name, "begin")
                _stop("begin", None)

            def after_create_session(self, session, coord):
                stage.say(name, "after_create_session", coord.should_stop())
                _stop("after_create_session", coord)

            def before_run(self, context):
                stage.say(name, "before_run", context.original_args.fetches.name)
                _stop("before_run", context)
                return asks and tf.train.SessionRunArgs(asks(), feed_dict=None)

            def after_run(self, context, values):
                stage.say(name, "after_run", values.results, context.stop_requested)
                _stop("after_run", context)

            def end(self, session):
                stage.say(name, "end", type(session).__name__)

        def _stop(where, what):
            if stops == where:
                if what is None:
                    raise ValueError("mine")
                what.request_stop()

        return Hook()


def _of(make, steps=4, **options):
    def scene(tf, stage):
        given = {k: v(stage) if callable(v) else v for k, v in options.items()}
        _run(tf, stage, lambda *args: make(*args), steps, **given)

    return scene


def _step(tf):
    """The step's previous value, read before all updates."""
    return tf.get_collection("global_step_read_op_cache")[0]


def _folder(stage):
    return stage.folder


def _final(tf, stage, loss):
    hook = tf.train.FinalOpsHook([loss, tf.shape(loss)])
    return [hook, _Said(tf, stage, lambda: hook.final_ops_values)]


class _Said:
    def __new__(cls, tf, stage, what):
        class Hook(tf.train.SessionRunHook):
            def end(self, session):
                stage.say(what())

        return Hook()


def _fed(tf, stage, loss):
    x = tf.placeholder_with_default(1.0, [], name="fed")
    numbers = iter(range(100))
    hook = tf.train.FeedFnHook(lambda: {x: float(next(numbers))})
    return [hook, _Calls(tf, stage, asks=lambda: x)]


def _summaries(tf, stage, loss):
    made = [tf.summary.scalar("a", loss), tf.summary.histogram("b", loss)]
    hook = tf.train.SummarySaverHook
    return [
        hook(save_steps=1, output_dir=stage.folder, summary_op=made[0]),
        hook(save_steps=3, output_dir=stage.folder, summary_op=made),
    ]


def _nan(fails):
    def make(tf, stage, loss):
        number = tf.log(tf.constant(-1.0), name="number")
        return [tf.train.NanTensorHook(number, fail_on_nan_loss=fails)]

    return make


def _logs(**options):
    def make(tf, stage, loss):
        return [tf.train.LoggingTensorHook({"number": _step(tf) * 2, "step": _step(tf)}, **options)]

    return make


def _formatted(tf, stage, loss):
    text = lambda values: f"seen {sorted(values)}"  # noqa: E731
    return [tf.train.LoggingTensorHook([_step(tf).name], every_n_iter=2, formatter=text)]


def _saver(**options):
    def make(tf, stage, loss):
        return [tf.train.CheckpointSaverHook(stage.folder, **options)]

    return make


def _listened(tf, stage, loss):
    class Listener(tf.train.CheckpointSaverListener):
        def after_save(self, session, global_step_value):
            stage.say("saved", global_step_value)
            return global_step_value >= 2

    hook = tf.train.CheckpointSaverHook
    return [hook(stage.folder, save_steps=1, listeners=[Listener()])]


_PROGRAMS = {
    "stop_by_number": _of(lambda tf, stage, loss: [tf.train.StopAtStepHook(num_steps=2)]),
    "two_stops": _of(
        lambda tf, stage, loss: [tf.train.StopAtStepHook(n) for n in (3, 1)] + [_Calls(tf, stage)]
    ),
    "numbers_that_fail": _of(_nan(True)),
    "numbers_that_stop": _of(_nan(False)),
    "logs_by_steps": _of(_logs(every_n_iter=2)),
    "logs_at_the_end": _of(_logs(at_end=True)),
    "logs_of_both": _of(_logs(every_n_iter=3, at_end=True)),
    "logs_with_words": _of(_formatted),
    "counts": _of(lambda tf, stage, loss: [tf.train.StepCounterHook(2, output_dir=stage.folder)]),
    "checkpoints": _of(_saver(save_steps=2)),
    "checkpoints_at_once": _of(_saver(save_secs=1000)),
    "checkpoints_by_name": _of(_saver(save_steps=1, checkpoint_basename="m.x")),
    "checkpoints_that_stop": _of(_listened),
    "checkpoints_of_a_folder": _of(
        lambda tf, stage, loss: [], checkpoint_dir=_folder, save_checkpoint_steps=3
    ),
    "summaries_twice": _of(_summaries),
    "summaries_elsewhere": _of(
        lambda tf, stage, loss: [],
        summary_dir=_folder,
        save_summaries_steps=1,
        save_summaries_secs=None,
    ),
    "final_values": _of(_final),
    "feeding": _of(_fed),
    "profiles": _of(lambda tf, stage, loss: [tf.train.ProfilerHook(2, output_dir=stage.folder)]),
    "chief_only": _of(
        lambda tf, stage, loss: [],
        chief_only_hooks=lambda stage: [_Calls(stage.tf, stage, "chief")],
        steps=1,
    ),
}
for _where in ("begin", "after_create_session", "before_run", "after_run"):
    _PROGRAMS[f"stop_in_{_where}"] = _of(
        lambda tf, stage, loss, where=_where: [
            _Calls(tf, stage, stops=where),
            _Calls(tf, stage, "two"),
        ]
    )


def _scaffold(**options):
    def scene(tf, stage):
        given = {name: make(tf) for name, make in options.items()}
        scaffold = tf.train.Scaffold(**given)
        train, _ = model(tf)
        with stage.failing():
            with tf.train.SingularMonitoredSession(
                [tf.train.StopAtStepHook(2)], scaffold=scaffold
            ) as session:
                while not session.should_stop():
                    stage.say(session.run(train))
        stage.brief_graph()

    return scene


_SCAFFOLDS = {
    "a_scaffold_that_feeds": _scaffold(
        init_op=lambda tf: tf.no_op(name="nothing"), init_feed_dict=lambda tf: {}
    ),
    "a_scaffold_that_saves": _scaffold(saver=lambda tf: tf.train.Saver(allow_empty=True)),
}
for _name, _made in {**_PROGRAMS, **_SCAFFOLDS}.items():
    _made.__module__ = __name__
    globals()[_name] = _made
