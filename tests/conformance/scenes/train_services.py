"""Supervisors: each argument with another value than usual, its threads called by hand; coordinators and loopers."""

import importlib
import os
import sys
import threading

from tests.conformance.scenes import model


def _statuses(tf, stage, folder):
    """The kinds of a folder's events, in each of its files."""
    for path in sorted(os.listdir(folder)):
        if "tfevents" in path:
            found = list(tf.train.summary_iterator(os.path.join(folder, path)))
            kinds = [(e.WhichOneof("what"), e.session_log.status, e.step) for e in found]
            stage.say(kinds)


def writers_that_stay_open(tf, stage):
    model(tf)
    asks = {"save_model_secs": 0, "save_summaries_secs": 0}
    for number, (close, by_hand) in enumerate([(c, h) for c in (True, False) for h in (0, 1)]):
        folder = f"{stage.folder}/{number}"
        sv = tf.train.Supervisor(logdir=folder, **asks)
        if by_hand:
            sv.prepare_or_wait_for_session(start_standard_services=False)
            sv.stop(close_summary_writer=close)
        else:
            with sv.managed_session(close_summary_writer=close) as session:
                sv.summary_computed(session, session.run(sv.summary_op), 3)
        sv.summary_writer.flush()
        _statuses(tf, stage, folder)
        tf.get_default_graph()._unsafe_unfinalize()
    with stage.failing(), sv.managed_session(close_summary_writer=False):
        raise ValueError("mine")
    sv.summary_writer.flush()
    _statuses(tf, stage, folder)
    sv.summary_writer.close()


def what_it_is_given(tf, stage):
    with tf.Graph().as_default() as graph:
        v = tf.Variable(1.0, name="v")
        x = tf.placeholder(tf.float32, [], name="x")
        local = tf.Variable(0.0, name="local", collections=["local_variables"])
        step = tf.Variable(7, name="count", trainable=False)
        summary = tf.summary.scalar("s", v)
        init = tf.group(v.assign(x), step.initializer)
        ready = tf.report_uninitialized_variables([local])
        local_ready = tf.report_uninitialized_variables([v])
        saver = tf.train.Saver([v])
    writer = tf.summary.FileWriter(stage.folder + "/log")
    order = []
    sv = tf.train.Supervisor(
        graph=graph,
        ready_op=ready,
        ready_for_local_init_op=local_ready,
        init_op=init,
        init_feed_dict={x: 5.0},
        local_init_op=local.initializer,
        logdir=stage.folder,
        summary_op=summary,
        saver=saver,
        global_step=step,
        save_summaries_secs=3,
        save_model_secs=4,
        recovery_wait_secs=5,
        stop_grace_secs=6,
        checkpoint_basename="mine",
        summary_writer=writer,
        init_fn=lambda session: order.append(session.run(v)),
        local_init_run_options=tf.RunOptions(timeout_in_ms=10000),
    )
    stage.say(sv.ready_op is ready, sv.ready_for_local_init_op is local_ready, sv.init_op is init)
    stage.say(sv.init_feed_dict[x], sv.summary_op is summary, sv.saver is saver)
    stage.say(sv.global_step is step, sv.save_summaries_secs, sv.save_model_secs, sv.is_chief)
    stage.say(sv.save_path, sv.summary_writer is writer, sv._stop_grace_secs, graph.finalized)
    stage.say(sv.session_manager._recovery_wait_secs, sv.should_stop(), sv.coord.joined)
    stage.say(tf.get_default_graph().finalized, sorted(graph.get_all_collection_keys()))
    for name in ("save_path", "saver", "coord", "is_chief"):
        try:
            setattr(sv, name, None)
        except AttributeError:
            stage.say("not", name)
    config = tf.ConfigProto(allow_soft_placement=True)
    with sv.managed_session(config=config, start_standard_services=False) as session:
        stage.say(session.run([v, local, step], {x: 0.0}), order, session.graph is graph)
    stage.files()
    stage.say(os.listdir(stage.folder + "/log") != [])
    for path in os.listdir(stage.folder + "/log"):
        found = tf.train.summary_iterator(os.path.join(stage.folder, "log", path))
        kinds = [(e.WhichOneof("what"), e.session_log.status, e.step) for e in found]
        stage.say(sorted(kinds, key=str))


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


def coordinators(tf, stage):
    C = tf.train.Coordinator
    coordinator = C()
    stage.say(coordinator.joined, coordinator.should_stop(), coordinator.wait_for_stop(0.0))
    coordinator.request_stop()
    stage.say(coordinator.joined, coordinator.should_stop(), coordinator.wait_for_stop(5))
    coordinator.join()
    stage.say(coordinator.joined)
    coordinator.clear_stop()
    stage.say(coordinator.joined, coordinator.should_stop())

    def fail(kind):
        try:
            raise kind
        except Exception as error:
            return error, sys.exc_info()

    for clean in (None, (), (ValueError,), [KeyError, tf.errors.OutOfRangeError]):
        for kind in (
            ValueError("one"),
            KeyError("two"),
            tf.errors.OutOfRangeError(None, None, "three"),
            tf.errors.CancelledError(None, None, "four"),
        ):
            coordinator = C() if clean is None else C(clean_stop_exception_types=clean)
            _, info = fail(kind)
            coordinator.request_stop(info)
            stage.attempt(coordinator.join)
    coordinator = C()
    for kind in (ValueError("first"), KeyError("second")):
        coordinator.request_stop(fail(kind)[1])
    stage.attempts(coordinator.raise_requested_exception, coordinator.join)
    for wrong in (("a",), (None, None, None), (ValueError, "text", None), 3):
        stage.attempt(C().request_stop, wrong)
    coordinator = C()
    with coordinator.stop_on_exception():
        stage.say("no error", coordinator.should_stop())
    stage.say(coordinator.should_stop())
    with coordinator.stop_on_exception():
        raise KeyError("in a block")


def threads_that_stay(tf, stage):
    done = threading.Event()
    coordinator = tf.train.Coordinator()
    thread = threading.Thread(target=done.wait, name="stays")
    other = threading.Thread(target=done.wait, name="too")
    for each in (thread, other):
        each.daemon = True
        each.start()
    coordinator.register_thread(thread)
    coordinator.request_stop()
    stage.attempt(coordinator.join, stop_grace_period_secs=0.01, ignore_live_threads=True)
    coordinator.clear_stop()
    coordinator.request_stop()
    stage.attempt(coordinator.join, [other], stop_grace_period_secs=0.01)
    stage.say(coordinator.joined)
    done.set()
    thread.join()
    other.join()
    coordinator.clear_stop()
    coordinator.register_thread(thread)
    stage.attempt(coordinator.join, [thread, other])
    stage.say(coordinator.joined, coordinator.should_stop())
