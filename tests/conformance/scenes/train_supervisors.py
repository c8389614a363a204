"""Supervisors: nodes, threads, errors, two supervisors in one folder."""

# ruff: noqa: B023  a function that is defined in a round is called in it

import os
import threading

from tests.conformance.scenes import model


def of_a_graph_with_nothing(tf, stage):
    sv = tf.train.Supervisor(logdir=stage.folder, save_model_secs=1)
    stage.say(sv.saver, sv.global_step, sv.summary_op, sv.init_op.name)
    with sv.managed_session() as session:
        stage.say(type(session).__name__)
    stage.nodes()
    stage.files()
    stage.events()


def what_collections_have(tf, stage):
    v = tf.Variable(3.0, name="v")
    ops = {"INIT_OP": v.initializer, "LOCAL_INIT_OP": tf.no_op(name="local")}
    ops.update(READY_OP=tf.constant([], tf.string), SUMMARY_OP=tf.summary.scalar("v", v))
    for key, op in ops.items():
        tf.add_to_collection(getattr(tf.GraphKeys, key), op)
        tf.add_to_collection(getattr(tf.GraphKeys, key), tf.no_op())
    tf.add_to_collection(tf.GraphKeys.SAVERS, tf.train.Saver(name="mine"))
    half = tf.Variable(0.5, name="global_step")
    sv = tf.train.Supervisor()
    stage.say(sv.init_op.name, sv.ready_op.name, sv.summary_op.name, sv.global_step)
    stage.say(sv.saver.saver_def.save_tensor_name, half.name)
    with sv.managed_session(start_standard_services=False) as session:
        stage.say(session.run(v))


def errors_at_the_start(tf, stage):
    v = tf.Variable(1.0, name="v")
    x = tf.placeholder(tf.float32, [], name="x")
    nan = tf.check_numerics(tf.constant(float("nan")), "no number")

    def fail(session):
        raise KeyError("of init_fn")

    for arguments in (
        {"init_op": None},
        {"init_op": None, "local_init_op": None},
        {"init_op": None, "ready_op": None, "init_fn": fail},
        {"init_op": nan.op},
        {"init_op": v.assign(x).op},
        {"init_op": v.assign(x).op, "init_feed_dict": {x: 2.0}},
        {"local_init_op": nan.op},
        {"ready_op": nan},
        {"ready_op": tf.constant(["this", "that"])},
        {"init_fn": fail},
    ):
        stage.say("=", sorted(arguments))
        sv = tf.train.Supervisor(saver=None, **arguments)
        for use in (sv.prepare_or_wait_for_session, sv.managed_session().__enter__):
            stage.attempt(lambda: use().run(v))
        tf.get_default_graph()._unsafe_unfinalize()


def errors_in_the_block(tf, stage):
    train, _ = model(tf)
    errors = [ValueError("mine"), tf.errors.OutOfRangeError(None, None, "end")]
    errors += [tf.errors.AbortedError(None, None, "gone"), StopIteration(), KeyboardInterrupt()]
    sv = tf.train.Supervisor(logdir=stage.folder, save_model_secs=0, save_summaries_secs=0)
    for error in errors:
        stage.say("=", type(error).__name__)

        def use():
            try:
                with sv.managed_session() as session:
                    stage.say(sv.should_stop(), session.run(train))
                    raise error
            except KeyboardInterrupt:
                stage.say("interrupted")

        stage.attempt(use)
        stage.say(sv.should_stop())
    with stage.failing():
        with sv.managed_session():
            with sv.stop_on_exception():
                raise ValueError("one that is held")
            stage.say(sv.should_stop())
            sv.request_stop()
        stage.say("not here")


def what_it_writes(tf, stage):
    train, _ = model(tf)
    sv = tf.train.Supervisor(logdir=stage.folder, save_model_secs=0, save_summaries_secs=0)
    with sv.managed_session() as session:
        for _ in range(2):
            session.run(train)
        sv.summary_computed(session, session.run(sv.summary_op))
        sv.summary_computed(session, session.run(sv.summary_op), global_step=9)
    stage.say(open(stage.folder + "/graph.pbtxt").read().split("\n")[0])
    stage.files()
    stage.events()
    sv = tf.train.Supervisor(summary_writer=None, logdir=stage.folder + "/other")
    with sv.managed_session() as session:
        stage.attempt(sv.summary_computed, session, b"")
    stage.say(sv.summary_writer, sorted(os.listdir(stage.folder + "/other")))


def threads_of_services(tf, stage):
    model(tf)
    sv = tf.train.Supervisor(logdir=stage.folder, save_model_secs=1000, save_summaries_secs=1000)
    session = sv.prepare_or_wait_for_session(start_standard_services=False)
    stage.say(sv.start_queue_runners(session))
    threads = sv.start_standard_services(session)
    stage.say([type(thread).__name__ for thread in threads])
    while not os.path.exists(stage.folder + "/checkpoint"):
        threading.Event().wait(0.01)
    sv.stop()
    stage.say([thread.is_alive() for thread in threads])
    stage.lines.sort()  # the threads do not wait for each other
    session.close()
    stage.files()
    tf.get_default_graph()._unsafe_unfinalize()
    sv = tf.train.Supervisor(logdir=stage.folder, save_summaries_secs=0, saver=None)
    with sv.managed_session(start_standard_services=False) as session:
        stage.say(sv.start_standard_services(session))
    sv = tf.train.Supervisor(is_chief=True)
    with sv.managed_session() as session:
        stage.say(sv.start_standard_services(session))


def threads_that_fail(tf, stage):
    model(tf)
    sv = tf.train.Supervisor()

    def fail(text, also=""):
        raise KeyError(text + also)

    def use(**arguments):
        with sv.managed_session():
            thread = sv.loop(**arguments)
            sv.wait_for_stop()
            stage.say(sv.should_stop(), thread.join())

    stage.attempt(use, timer_interval_secs=None, target=fail, args=("of a thread",))
    stage.attempt(use, timer_interval_secs=0, target=fail, args=["a"], kwargs={"also": "b"})
    stage.attempt(sv.loop, 1, None, args=(1,))
    times = []

    def thrice():
        times.append(1)
        if len(times) == 3:
            sv.request_stop()

    stage.attempt(use, timer_interval_secs=0, target=thrice)
    stage.say(len(times))


def queues_at_their_end(tf, stage):
    queue = tf.FIFOQueue(10, tf.float32)
    left = tf.train.limit_epochs(tf.constant(1.0), num_epochs=3)
    tf.train.add_queue_runner(tf.train.QueueRunner(queue, [queue.enqueue(left)]))
    value = queue.dequeue()
    sv = tf.train.Supervisor()
    with sv.managed_session() as session:
        seen = 0
        while not sv.should_stop() or seen < 3:
            session.run(value)
            seen += 1
            stage.say(seen)
        stage.attempt(session.run, value)
    stage.say("the end")
    queue = None
    with sv.managed_session(start_standard_services=False) as session:
        threads = sv.start_queue_runners(session, [])
        stage.say(threads, len(sv.start_queue_runners(session)))


def loops(tf, stage):
    train, _ = model(tf)
    sv = tf.train.Supervisor(logdir=stage.folder, save_model_secs=0, save_summaries_secs=0)
    left = [tf.errors.AbortedError(None, None, "gone")] * 2

    def step(session, *args, **kwargs):
        stage.say(args, kwargs, type(session).__name__)
        if left:
            raise left.pop()
        session.run(train)
        if session.run("global_step:0") == 3:
            sv.request_stop()

    tf.train.basic_train_loop(sv, step, args=(1,), kwargs={"a": 2})
    left.append(ValueError("mine"))
    stage.attempt(tf.train.basic_train_loop, sv, step)
    left.append(tf.errors.OutOfRangeError(None, None, "end"))
    stage.attempt(tf.train.basic_train_loop, sv, step)


def others_than_the_chief(tf, stage):
    with tf.device("/cpu:0"):
        v = tf.Variable(1.0, name="v")
    make = tf.train.Supervisor
    sv = make(is_chief=False, logdir=stage.folder, recovery_wait_secs=0.01)
    stage.say(sv.summary_writer, sv.save_path, sv.save_model_secs, sv.save_summaries_secs)
    stage.attempt(sv.prepare_or_wait_for_session, max_wait_secs=0)
    stage.attempt(sv.start_standard_services, None)
    tf.get_default_graph()._unsafe_unfinalize()
    with make(
        is_chief=False, ready_op=None, local_init_op=v.initializer
    ).managed_session() as session:
        stage.say(session.run(v))
    tf.get_default_graph()._unsafe_unfinalize()
    tf.Variable(1.0, name="nowhere")
    stage.attempt(make, is_chief=False)
    stage.say(tf.get_default_graph().finalized)


def managers_of_its_own(tf, stage):
    model(tf)

    class Manager:
        def prepare_session(self, master, **arguments):
            stage.say(master, sorted(arguments))
            return tf.Session()

        def wait_for_session(self, master, **arguments):
            stage.say(master, sorted(arguments.items()))
            return tf.Session()

    sv = tf.train.Supervisor(session_manager=Manager(), saver=None)
    sv.prepare_or_wait_for_session("somewhere", max_wait_secs=5)
