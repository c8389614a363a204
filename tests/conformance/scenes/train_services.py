"""Supervisors: each argument with a rare value, service threads called manually; coordinators and loopers."""

import importlib

from tests.conformance.scenes import model


def threads_by_hand(tf, stage):
    train, _ = model(tf)
    sv = tf.train.Supervisor(logdir=stage.folder, save_model_secs=1000, save_summaries_secs=500)
    session = sv.prepare_or_wait_for_session(start_standard_services=False)
    if tf.__name__ == "tensorflow":
        found = importlib.import_module("tensorflow.python.training.supervisor")
    else:
        found = importlib.import_module("tfmini._src.train.monitored.supervisor_threads")
    kinds = [found.SVSummaryThread, found.SVStepCounterThread, found.SVTimerCheckpointThread]
    for _ in range(3):
        session.run(train)
    made = [kind(sv, session) for kind in kinds]
    stage.say([thread.daemon for thread in made])
    summaries, counter, checkpoints = made
    counter.start_loop()
    session.run(train)
    for thread in (summaries, counter, checkpoints):
        thread.run_loop()
    other = kinds[1](sv, session, step_counter=sv.global_step)
    other.start_loop()
    sv.summary_writer.flush()
    stage.events()
    stage.files()
    stage.say(tf.train.latest_checkpoint(stage.folder))
    sv.stop(ignore_live_threads=True)
    tf.get_default_graph()._unsafe_unfinalize()
    bare = tf.train.Supervisor(logdir=stage.folder, global_step=None, save_model_secs=9)
    stage.say(bare.global_step)
    with bare.managed_session(start_standard_services=False) as session:
        kinds[0](bare, session).run_loop()
        kinds[2](bare, session).run_loop()
    stage.files()


def looping_threads(tf, stage):
    Looper = tf.train.LooperThread
    coordinator = tf.train.Coordinator()
    seen = []

    class Own(Looper):
        def start_loop(self):
            seen.append("start")

        def stop_loop(self):
            seen.append("stop")

        def run_loop(self):
            seen.append("run")
            if seen.count("run") == 3:
                self._coord.request_stop()

    for interval in (None, 0, 0.001):
        coordinator = tf.train.Coordinator()
        thread = Own(coordinator, interval)
        thread.start()
        coordinator.join([thread])
        stage.say(interval, seen, thread.is_alive())
        del seen[:]

    def once(*args, **kwargs):
        seen.append((args, sorted(kwargs.items())))
        coordinator.request_stop()

    for interval, given in ((None, {}), (0, {"args": (1, 2), "kwargs": {"a": 3}}), (5, {})):
        coordinator = tf.train.Coordinator()
        thread = Looper.loop(coordinator, interval, target=once, **given)
        coordinator.join()
        stage.say(seen, thread.is_alive(), coordinator.should_stop())
        del seen[:]
    coordinator = tf.train.Coordinator()

    def fail():
        raise KeyError("mine")

    Looper.loop(coordinator, None, fail)
    coordinator.clear_stop()
    stage.say(coordinator.should_stop(), coordinator.joined)
