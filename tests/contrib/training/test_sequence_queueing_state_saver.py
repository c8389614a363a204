"""Sequences in segments: threads enqueue them, and a segment's saved state is read with the next one."""

import threading

import numpy as np
import pytest

import tfmini as tf
from tests.support.waiting import no_thread_stays


@pytest.fixture(autouse=True)
def _alone():
    tf.reset_default_graph()
    level = tf.logging.get_verbosity()
    tf.logging.set_verbosity(tf.logging.FATAL)
    with no_thread_stays():
        yield
    tf.logging.set_verbosity(level)


def test_segment_states_accumulate_sums():
    n = tf.train.range_input_producer(8, num_epochs=1, shuffle=False).dequeue() + 1
    batch = tf.contrib.training.batch_sequences_with_states(
        tf.as_string(n),
        {"x": tf.range(n), "y": 2 * tf.range(n)},
        {"n": n},
        None,
        {"sum": 0},
        num_unroll=3,
        batch_size=3,
        capacity=4,
    )
    total = batch.state("sum") + tf.reduce_sum(batch.sequences["y"] - batch.sequences["x"], 1)
    fetches = [batch.next_key, batch.context["n"], total, batch.save_state("sum", total)]
    done = {}
    with tf.Session() as session:
        session.run(tf.local_variables_initializer())
        coordinator = tf.train.Coordinator()
        threads = tf.train.start_queue_runners(session, coordinator)
        with pytest.raises(
            tf.errors.OutOfRangeError,
            match=r"Barrier '.*/barrier' is closed and has insufficient elements \(requested 0, total size 0\)",
        ):
            while True:
                keys, lengths, sums, _ = session.run(fetches)
                stops = [key.startswith(b"STOP:") for key in keys]
                done.update(zip(lengths[stops].tolist(), sums[stops].tolist()))
        coordinator.request_stop()
        coordinator.join(threads, stop_grace_period_secs=60)
    assert done == {k: k * (k - 1) // 2 for k in range(1, 9)}


def test_next_segment_waits_for_saved_state():
    saver = tf.contrib.training.SequenceQueueingStateSaver(
        1, 2, 4, "key", {"x": tf.range(4.0)}, {}, {"s": tf.constant(7.0)}
    )
    batch = saver.next_batch
    doubled = batch.state("s") * 2
    save = batch.save_state("s", doubled)
    sizes = [saver.barrier.ready_size(), saver.barrier.incomplete_size()]
    with tf.Session() as session:
        session.run(saver.prefetch_op)
        assert session.run(sizes) == [1, 1]
        x, s = session.run([batch.sequences["x"], batch.state("s")])
        assert np.array_equal(x, [[0.0, 1.0]]) and s == [7.0]
        assert session.run(sizes) == [0, 1]

        session.run(saver.barrier.close(cancel_pending_enqueues=True))
        with pytest.raises(
            tf.errors.OutOfRangeError,
            match=r"Barrier '.*/barrier' is closed and has insufficient elements \(requested 1, total size 0\)",
        ):
            session.run(save)


def test_close_releases_partial_batch():
    saver = tf.contrib.training.SequenceQueueingStateSaver(
        2, 2, 4, "key", {"x": tf.range(4.0)}, {}, {"s": 0.0}, allow_small_batch=True
    )
    batch = saver.next_batch
    fetches = [batch.sequences["x"], batch.save_state("s", batch.state("s"))]
    collected = []
    with tf.Session() as session:
        session.run(saver.prefetch_op)
        thread = threading.Thread(target=lambda: collected.append(session.run(fetches)[0]))
        thread.start()
        session.run(saver.close())
        thread.join(60)
        collected.append(session.run(fetches)[0])
        with pytest.raises(
            tf.errors.OutOfRangeError,
            match=r"Barrier '.*/barrier' is closed and has insufficient elements \(requested 0, total size 0\)",
        ):
            session.run(fetches)
    assert np.array_equal(collected, [[[0, 1]], [[2, 3]]])


def test_lstm_state_continues_in_next_segment():
    x = np.arange(8.0, dtype=np.float32).reshape(1, 4, 2) / 8
    cell = tf.nn.rnn_cell.GRUCell(3)
    whole, _ = tf.nn.static_rnn(cell, tf.unstack(tf.constant(x), axis=1), dtype=tf.float32)
    batch = tf.contrib.training.batch_sequences_with_states(
        "key", {"x": tf.constant(x[0])}, {}, None, {"gru": tf.zeros([3])}, 2, 1
    )
    steps = tf.unstack(batch.sequences["x"], axis=1)
    parts, _ = tf.nn.static_state_saving_rnn(cell, steps, batch, "gru")
    put = tf.get_collection(tf.GraphKeys.QUEUE_RUNNERS)[0].enqueue_ops[0]
    with tf.Session() as session:
        session.run(tf.global_variables_initializer())
        session.run(put)
        cut = session.run(parts) + session.run(parts)
        assert np.allclose(cut, session.run(whole), rtol=1e-6)
