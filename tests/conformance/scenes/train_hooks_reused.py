"""Hooks, writers and coordinators reused after lost sessions or closing; timeouts."""

# ruff: noqa: B023  a function that is defined in a round is called in it

import os

from tests.conformance.scenes import model


def _hooks(tf, stage, loss):
    """Functions that create hooks, by name."""
    train = tf.train
    other = tf.summary.scalar("other", loss)
    x = tf.placeholder_with_default(0.0, [], name="x")

    class Listener(train.CheckpointSaverListener):
        def begin(self):
            stage.say("listener begins")

        def before_save(self, session, step):
            stage.say("before", step)

        def after_save(self, session, step):
            stage.say("after", step)

        def end(self, session, step):
            stage.say("listener ends", step)

    def folder(name):
        return os.path.join(stage.folder, name)

    return {
        "logs": lambda: train.LoggingTensorHook({"loss": loss}, every_n_iter=2),
        "logs_at_end": lambda: train.LoggingTensorHook({"loss": loss}, at_end=True),
        "logs_in_words": lambda: train.LoggingTensorHook(
            {"loss": loss}, every_n_iter=3, at_end=True, formatter=lambda v: f"words {sorted(v)}"
        ),
        "logs_by_time": lambda: train.LoggingTensorHook([loss], every_n_secs=1000),
        "steps": lambda: train.StopAtStepHook(num_steps=2),
        "last": lambda: train.StopAtStepHook(last_step=2),
        "saves": lambda: train.CheckpointSaverHook(
            folder("saves"), save_steps=2, listeners=[Listener(), Listener()], saver=_saver(tf)
        ),
        "saves_by_time": lambda: train.CheckpointSaverHook(
            folder("by_time"), save_secs=1000, checkpoint_basename="mine", saver=_saver(tf)
        ),
        "summaries": lambda: train.SummarySaverHook(2, None, folder("sums"), summary_op=other),
        "summaries_by_time": lambda: train.SummarySaverHook(
            None, 1000, folder("sums_by_time"), summary_op=[other, other]
        ),
        "counts": lambda: train.StepCounterHook(2, None, folder("counts")),
        "counts_by_time": lambda: train.StepCounterHook(None, 1000, folder("counts_by_time")),
        "numbers": lambda: train.NanTensorHook(loss, fail_on_nan_loss=False),
        "final": lambda: train.FinalOpsHook([loss, x], {x: 2.0}),
        "feeds": lambda: train.FeedFnHook(lambda: {x: 1.0}),
        "waits": lambda: train.GlobalStepWaiterHook(0),
        "profiles": lambda: train.ProfilerHook(2, None, folder("profiles")),
    }


def _saver(tf):
    found = tf.get_collection("mine")
    if not found:
        tf.add_to_collection("mine", tf.train.Saver(max_to_keep=2))
    return tf.get_collection("mine")[0]


def _written(tf, stage):
    """Records each folder's contents, and removes event files: files of the same second may share a name."""
    tf.summary.FileWriterCache.clear()
    for place in sorted(os.listdir(stage.folder)):
        folder = os.path.join(stage.folder, place)
        stage.files(folder)
        if "count" not in place:
            stage.events(folder)
        for name in os.listdir(folder):
            if "tfevents" in name:
                os.remove(os.path.join(folder, name))


def _in_sessions(lose):
    """A scene of hooks, each in two sessions; the first may lose a step and restart."""

    def scene(tf, stage):
        with tf.Graph().as_default():
            names = list(_hooks(tf, stage, model(tf)[1]))
        for name in names:
            stage.say("=", name)
            with tf.Graph().as_default():
                train, loss = model(tf)
                hook = _hooks(tf, stage, loss)[name]()
                left = [3] if lose else []

                class Loses(tf.train.SessionRunHook):
                    def after_run(self, run_context, run_values):
                        if left:
                            left[0] -= 1
                        if left == [0]:
                            left.pop()
                            raise tf.errors.AbortedError(None, None, "gone")

                for _ in range(2):
                    with stage.failing():
                        with tf.train.MonitoredSession(hooks=[hook, Loses()]) as session:
                            for _ in range(5):
                                if not session.should_stop():
                                    session.run(train)
                            stage.say(session.should_stop())
                    for member in ("final_ops_values", "_last_step", "_iter_count"):
                        if hasattr(hook, member):
                            stage.say(member, getattr(hook, member))
                    _written(tf, stage)

    return scene


in_two_sessions = _in_sessions(False)
in_sessions_that_are_lost = _in_sessions(True)
for _scene in (in_two_sessions, in_sessions_that_are_lost):
    _scene.__module__ = __name__
