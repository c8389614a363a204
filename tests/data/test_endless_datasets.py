"""Endless datasets without elements: a step ends at its deadline, along with its background work."""

import threading

import pytest

import tfmini as tf
from tests.support import waiting
from tfmini._src.ops import pending_ops

DATASETS = {
    "filter": lambda endless: endless.filter(lambda x: x > 5),
    "flat_map": lambda endless: endless.flat_map(lambda x: tf.data.Dataset.range(0)),
}


@pytest.mark.parametrize("kind", DATASETS)
@pytest.mark.parametrize("on_server", [False, True])
def test_step_times_out(kind, on_server):
    server = tf.train.Server.create_local_server() if on_server else None
    endless = tf.data.Dataset.from_tensors(1).repeat()
    element = tf.data.make_one_shot_iterator(DATASETS[kind](endless)).get_next()
    before = set(pending_ops.STEP_BY_THREAD)
    with tf.Session(server.target if server else "") as session:
        with pytest.raises(tf.errors.DeadlineExceededError, match="(?i)timed out|deadline"):
            session.run(element, options=tf.RunOptions(timeout_in_ms=200))
        waiting.until(lambda: set(pending_ops.STEP_BY_THREAD) - {threading.get_ident()} <= before)
    if server:
        server._stop()
