"""Queue runners: construction and protos, threads, termination and errors; reader queues."""


def _queue(tf, name="queue", capacity=10):
    queue = tf.FIFOQueue(capacity, tf.float32, shapes=[[]], name=name)
    return queue, queue.enqueue(1.0, name=name + "_put")


def made_and_written(tf, stage):
    Runner = tf.train.QueueRunner
    with tf.name_scope("in"):
        queue, put = _queue(tf)
        runner = Runner(queue, [put] * 2)
    own, errors = tf.no_op(name="own"), tf.errors
    stage.say(runner.name, runner.queue is queue, [op.name for op in runner.enqueue_ops])
    stage.say(runner.close_op.name, runner.cancel_op.name, runner.exceptions_raised)
    stage.say([kind.__name__ for kind in runner.queue_closed_exception_types])
    kinds = (errors.OutOfRangeError, errors.CancelledError)
    other = Runner(queue, [put], close_op=own, cancel_op=own, queue_closed_exception_types=kinds)
    stage.say(other.close_op.name, other.cancel_op.name)
    stage.say([kind.__name__ for kind in other.queue_closed_exception_types])
    for each in (runner, other):
        for scope in (None, "in", "none"):
            stage.say(str(each.to_proto(scope)).replace("\n", " "))
    again = Runner.from_proto(other.to_proto())
    stage.say(again.queue, [op.name for op in again.enqueue_ops], again.close_op.name)
    stage.say([kind.__name__ for kind in again.queue_closed_exception_types])
    again = Runner.from_proto(runner.to_proto("in"), import_scope="in")
    stage.say(again.name, [op.name for op in again.enqueue_ops], again.cancel_op.name)
    message = runner.to_proto()
    del message.queue_closed_exception_types[:]
    again = Runner(queue_runner_def=message)
    stage.say([kind.__name__ for kind in again.queue_closed_exception_types])
    for name in ("queue", "name", "enqueue_ops", "exceptions_raised"):
        try:
            setattr(runner, name, None)
        except AttributeError:
            stage.say("not", name)
    tf.train.add_queue_runner(runner)
    tf.train.add_queue_runner(other, "mine")
    stage.say(tf.get_collection(tf.GraphKeys.QUEUE_RUNNERS) == [runner])
    stage.say(tf.get_collection("mine") == [other])
    meta = tf.train.export_meta_graph(export_scope="in")
    with tf.Graph().as_default():
        tf.train.import_meta_graph(meta, import_scope="out")
        (found,) = tf.get_collection(tf.GraphKeys.QUEUE_RUNNERS)
        stage.say(found.name, [op.name for op in found.enqueue_ops])


def started(tf, stage):
    start = tf.train.start_queue_runners
    queue, put = _queue(tf)
    session = tf.Session()
    stage.say(start(session))
    tf.train.add_queue_runner(tf.train.QueueRunner(queue, [put]))
    tf.train.add_queue_runner(tf.train.QueueRunner(queue, [put] * 2), "mine")
    stage.say(len(start(session, start=False)))
    with tf.Session() as session:
        stage.say([thread.daemon for thread in start(start=False, daemon=False)])
    coordinator = tf.train.Coordinator()
    made = start(tf.Session(), coordinator, start=False, collection="mine")
    stage.say(len(made), [thread.daemon for thread in made])
    stage.say(start(tf.Session(), collection="none"))
    with tf.Graph().as_default():
        elsewhere = tf.Session(graph=queue.queue_ref.graph)
        stage.say(len(start(elsewhere, start=False)))
    with tf.train.SingularMonitoredSession() as monitored:
        stage.say(start(monitored))


def fed(tf, stage):
    Runner = tf.contrib.training.FeedingQueueRunner
    queue = tf.FIFOQueue(9, tf.float32, shapes=[[]])
    x = tf.placeholder(tf.float32, [])
    put = queue.enqueue(x)
    stage.attempts(
        lambda: [
            k.__name__
            for k in Runner(
                queue, [put], queue_closed_exception_types=(tf.errors.DataLossError,)
            ).queue_closed_exception_types
        ],
        lambda: Runner(queue, [put], feed_fns=[]),
    )
    source = tf.FIFOQueue(1, tf.float32, shapes=[[]])
    left = [3.0, 2.0, 1.0]

    def feed():
        if not left:
            raise tf.errors.OutOfRangeError(None, None, "the end")
        return {x: left.pop()}

    runner = Runner(queue, [put, queue.enqueue(source.dequeue())], feed_fns=[feed, None])
    stage.attempt(runner.to_proto)
    take = queue.dequeue()
    with tf.Session() as session:
        session.run(source.enqueue(4.0))
        session.run(source.close())
        coordinator = tf.train.Coordinator()
        made = runner.create_threads(session, coordinator, start=True)
        stage.say(len(made))
        for thread in made[:1]:
            thread.join()
        stage.say(sorted(session.run(take) for _ in range(4)))
        try:
            session.run(take)
        except tf.errors.OutOfRangeError as error:
            stage.say(error.message.split("_")[0])
        coordinator.request_stop()
        coordinator.join(made)
    stage.say(coordinator.joined)
