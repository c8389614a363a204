"""Calls of overridden methods and of user functions: positional or keyword arguments."""

import numpy as np

from tests.conformance.scenes import in_own_graph

X = np.float32([[1.0, 2.0], [3.0, 5.0]])


def _shown(args, kwargs):
    return f"{len(args)} {sorted(kwargs)}"


def _recording(stage, kind, *methods):
    """A subclass that records how each of these methods is called."""

    def overriding(name):
        def method(self, *args, **kwargs):
            said = dict(kwargs)
            if (
                name == "add_weight"
            ):  # the name is passed either way, and so is the default of `trainable`
                said.pop("trainable", None)
                said.update(zip(("name",), args))
            stage.say(name, _shown(args[len(args) * (name == "add_weight") :], said))
            return getattr(super(Recording, self), name)(*args, **kwargs)

        return method

    Recording = type(kind.__name__, (kind,), {name: overriding(name) for name in methods})
    return Recording


def _said(stage, name, function):
    """The function, wrapped to record how it is called."""

    def called(*args, **kwargs):
        stage.say(name, _shown(args, kwargs))
        return function(*args, **kwargs)

    return called


HOOK = ("begin", "after_create_session", "before_run", "after_run", "end")
LISTENER = ("begin", "before_save", "after_save", "end")


@in_own_graph
def hooks(tf, stage):
    step = tf.train.get_or_create_global_step()
    train = tf.assign_add(step, 1)
    hook = _recording(stage, tf.train.SessionRunHook, *HOOK)()
    listener = _recording(stage, tf.train.CheckpointSaverListener, *LISTENER)()
    saver = tf.train.CheckpointSaverHook(
        stage.folder, save_steps=1, saver=tf.train.Saver([step]), listeners=[listener]
    )
    scaffold = tf.train.Scaffold(
        init_fn=_said(stage, "init_fn", lambda scaffold, session: None), saver=_recording(
            stage, tf.train.Saver, "save", "restore", "build")(),
    )  # fmt: skip
    with tf.train.MonitoredTrainingSession(
        checkpoint_dir=stage.folder, scaffold=scaffold, hooks=[hook], chief_only_hooks=[saver],
        save_checkpoint_secs=None, save_checkpoint_steps=None,
    ) as session:  # fmt: skip
        session.run(train)
    stage.say("steps")
    for kind, arguments in (
        (tf.train.LoggingTensorHook, ([step], 1)), (tf.train.StepCounterHook, (1,)),
        (tf.train.SummarySaverHook, (1, None, stage.folder, None, None, tf.constant(b""))),
    ):  # fmt: skip
        methods = (
            "begin",
            "after_create_session",
            "before_run",
            "after_run",
            "end",
            "_log_tensors",
        )
        methods += ("_log_and_record",)
        own = _recording(stage, kind, *[m for m in methods if hasattr(kind, m)])(*arguments)
        with stage.failing(), tf.train.SingularMonitoredSession([own]) as session:
            session.run(train)
            session.run(train)
