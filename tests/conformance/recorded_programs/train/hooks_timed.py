"""Time-based hooks, with a clock advanced by each step; monitored session options."""

import os
import shutil
import tempfile

from tests.conformance.recorded_programs.train.saver_files import Clock
from tests.support.models.estimator_runs import lines

REPLAYABLE = False
BEGINNINGS = ("Saving checkpoints", "global_step/sec", "seen", "loss", "Saving timeline", "step")


def build(tf):
    train = tf.train
    step = train.get_or_create_global_step()
    number = tf.constant(2.5)
    update = tf.assign_add(step, 1)
    summary = tf.summary.scalar("of_number", number)
    init, saver = tf.global_variables_initializer(), train.Saver()

    class Ticks(train.SessionRunHook):
        """Advances the clock by this many seconds per step."""

        def __init__(self, clock, seconds):
            self.clock, self.seconds = clock, iter(seconds)

        def after_run(self, context, values):
            self.clock.now += next(self.seconds)

    def events(folder):
        """The content of the event files, by step."""
        found = []
        for name in sorted(os.listdir(folder)):
            if "tfevents" in name:
                for event in train.summary_iterator(os.path.join(folder, name)):
                    kind = event.WhichOneof("what")
                    if kind == "summary":
                        values = [[v.tag, round(v.simple_value, 3)] for v in event.summary.value]
                        found.append([event.step, values])
                    elif kind == "session_log":
                        found.append([event.step, event.session_log.status])
        return found

    def watched(hooks, seconds=(10.0,) * 8):
        def run(session):
            folder = tempfile.mkdtemp()
            try:
                with Clock() as clock, lines(tf, BEGINNINGS, folder) as said:
                    made = [Ticks(clock, seconds), *hooks(folder)]
                    scaffold = train.Scaffold(init_op=init, saver=saver)
                    creator = train.ChiefSessionCreator(scaffold)
                    with train.MonitoredSession(creator, made) as monitored:
                        for _ in range(6):
                            monitored.run(update)
                tf.summary.FileWriterCache.clear()
                files = sorted(f for f in os.listdir(folder) if not f.startswith("events"))
                return [said, files, events(folder)]
            finally:
                shutil.rmtree(folder)

        return run

    def timer(session):
        found = []
        for options in ({"every_secs": 15}, {"every_secs": 10.0}, {"every_steps": 3}):
            with Clock() as clock:
                made, row = train.SecondOrStepTimer(**options), []
                for number in (1, 2, 4, 4, 5, 8):
                    if made.should_trigger_for_step(number):
                        row.append([number, made.update_last_triggered_step(number)])
                    clock.now += 10
                made.reset()
                found.append([row, made.last_triggered_step(), made.should_trigger_for_step(8)])
        for options in ({}, {"every_secs": 1, "every_steps": 1}):
            try:
                train.SecondOrStepTimer(**options)
            except ValueError as error:
                found.append(str(error))
        return found

    steps = {
        "logging": lambda folder: [train.LoggingTensorHook({"seen": number}, every_n_secs=25)],
        "logging and at the end": lambda folder: [
            train.LoggingTensorHook({"seen": number}, every_n_secs=25, at_end=True)
        ],
        "logging at the end alone": lambda folder: [
            train.LoggingTensorHook({"seen": number}, at_end=True)
        ],
        "checkpoints": lambda folder: [
            train.CheckpointSaverHook(folder, save_secs=25, saver=saver, checkpoint_basename="m")
        ],
        "summaries": lambda folder: [
            train.SummarySaverHook(save_secs=25, output_dir=folder, summary_op=summary)
        ],
        "summaries with a writer": lambda folder: [
            train.SummarySaverHook(
                save_steps=2, summary_writer=tf.summary.FileWriter(folder), summary_op=summary
            )
        ],
        "rates": lambda folder: [
            train.StepCounterHook(every_n_steps=None, every_n_secs=25, output_dir=folder)
        ],
        "rates by steps": lambda folder: [train.StepCounterHook(2, output_dir=folder)],
        "profiles": lambda folder: [
            train.ProfilerHook(
                save_secs=25, output_dir=folder, show_dataflow=False, show_memory=True
            )
        ],
    }
    return {
        "steps": [("timer", timer), *((label, watched(hooks)) for label, hooks in steps.items())]
    }
