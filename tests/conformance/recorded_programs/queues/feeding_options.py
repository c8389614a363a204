"""Producers and batches with options: shapes, shared names, capacities, leftover elements; other runner collections."""

from tests.conformance.recorded_programs.queues.feeding_batches import runners

REPLAYABLE = False


def build(tf):
    train = tf.train
    numbers = lambda **options: train.range_input_producer(  # noqa: E731
        7, num_epochs=1, shuffle=False, **options
    ).dequeue()
    unknown = tf.placeholder_with_default([[1, 2], [3, 4], [5, 6]], [None, None], name="unknown")
    on = tf.constant(True)
    some = numbers(capacity=5, shared_name="shared", name="some")
    left = {"allow_smaller_final_batch": True}
    made = {
        "batch": train.batch(
            [unknown, tf.range(3)],
            2,
            enqueue_many=True,
            shapes=[[2], []],
            capacity=6,
            shared_name="b",
            **left,
        ),
        "batch of one thread": train.batch({"n": some}, 3, capacity=4, shapes=[[]], **left),
        "batch_join": train.batch_join(
            [[unknown], [unknown * 2]], 2, enqueue_many=True, shapes=[[2]], shared_name="bj", **left
        ),
        "maybe_batch": train.maybe_batch(
            [unknown], on, 2, 2, 5, True, [[2]], shared_name="mb", **left
        ),
        "maybe_batch, padded": train.maybe_batch(
            [numbers()], on, 2, dynamic_pad=True, allow_smaller_final_batch=True
        ),
        "maybe_batch_join": train.maybe_batch_join(
            [[unknown[0]], [unknown[1]]], on, 2, 6, shapes=[[None]], dynamic_pad=True, **left
        ),
        "shuffle_batch": train.shuffle_batch([unknown], 2, 9, 3, 2, 4, True, [[2]], True, "sb"),
        "shuffle_batch_join": train.shuffle_batch_join(
            [[unknown], [unknown]], 2, 9, 3, 4, True, [[2]], True, "sbj"
        ),
        "maybe_shuffle_batch": train.maybe_shuffle_batch(
            [unknown], 2, 9, 3, on, 3, 5, True, [[2]], True, "msb"
        ),
        "maybe_shuffle_batch_join": train.maybe_shuffle_batch_join(
            [[unknown], [unknown]], 2, 9, 3, on, 6, True, [[2]], True, "msbj"
        ),
        "slices": train.slice_input_producer(
            [tf.range(4), ["a", "b", "c", "d"]], 2, True, 6, 3, shared_name="sl"
        ),
        "strings": train.string_input_producer(
            ["a", "b"], 2, True, 3, 5, shared_name="st", cancel_op=tf.no_op(name="cancels")
        ).dequeue(),
        "input_producer": train.input_producer(
            tf.placeholder_with_default([[1.0, 2.0]], None),
            element_shape=[2],
            num_epochs=3,
            shuffle=False,
            seed=5,
            capacity=7,
            shared_name="ip",
            summary_name="full",
            cancel_op=tf.no_op(name="cancels_too"),
        ).dequeue(),
    }
    queue = tf.FIFOQueue(4, [tf.int32], name="mine")
    wakes, closes = tf.no_op(name="wakes"), queue.close(name="closes")
    runner = train.QueueRunner(queue, [queue.enqueue([5])], close_op=closes, cancel_op=wakes)
    train.add_queue_runner(runner, collection="of_mine")
    taken = queue.dequeue()

    def shapes(value):
        if isinstance(value, dict):
            return {key: shapes(each) for key, each in value.items()}
        return [shapes(each) for each in value] if isinstance(value, list) else str(value.shape)

    def read(session):
        """Elements enqueued by one thread, up to the last leftover ones."""
        session.run(tf.get_collection("local_init_op"))
        coordinator = train.Coordinator()
        threads = train.start_queue_runners(session, coordinator)
        found = []
        try:
            while True:
                found.append(session.run(made["batch of one thread"])["n"].tolist())
        except tf.errors.OutOfRangeError:
            coordinator.request_stop()
        coordinator.join(threads, stop_grace_period_secs=20, ignore_live_threads=True)
        return found

    def of_mine(session):
        coordinator = train.Coordinator()
        threads = train.start_queue_runners(
            session, coordinator, daemon=False, start=False, collection="of_mine"
        )
        flags = [[thread.daemon, thread.is_alive()] for thread in threads]
        for thread in threads:
            thread.start()
        found = session.run(taken)
        coordinator.request_stop()
        coordinator.join(threads, stop_grace_period_secs=20)
        return [flags, found]

    tf.add_to_collection(
        "local_init_op",
        tf.group(tf.local_variables_initializer(), tf.global_variables_initializer()),
    )
    facts = {
        "shapes": {key: shapes(value) for key, value in made.items()},
        "runners": runners(tf),
        "of mine": [runner.name, runner.close_op.name, runner.cancel_op.name],
        "kept": [str(each.to_proto()) for each in tf.get_collection("of_mine")],
    }
    return {"facts": facts, "steps": [("read", read), ("of mine", of_mine)]}
