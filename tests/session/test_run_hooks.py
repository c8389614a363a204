"""Step watchers: each is called once per step, with its nodes; removing the last one removes all overhead."""

import tfmini as tf
from tfmini._src.session import run_hooks
from tfmini._src.session.base_session import BaseSession


def watched(watcher, *runs):
    """Runs steps in a new session with `watcher` installed."""
    with tf.Session() as session:
        run_hooks.watch(watcher)
        try:
            return [session.run(*run) for run in runs]
        finally:
            run_hooks.end(watcher)


def test_launches_are_counted_per_node(gpu):
    x, steps = tf.placeholder(tf.float32, [4, 4]), []
    with tf.device("/gpu:0"):
        y = tf.matmul(tf.matmul(tf.matmul(x, x), x), x)
    watched(steps.append, *[(y, {x: [[1.0] * 4] * 4})] * 2)
    for step in steps:
        assert [span.launches for span in step.spans if span.node.kind == "op"] == [1] * 3


def test_hook_receives_each_step():
    run = BaseSession.run
    x = tf.placeholder(tf.float32, [], name="x")
    y = tf.exp(x, name="y")
    steps = []
    metadata = tf.RunMetadata()
    assert watched(steps.append, (y, {x: 0.0}), ([y, "y:0"], {x: 0.0}, None, metadata)) == [
        1.0,
        [1.0, 1.0],
    ]
    assert [step.fetches for step in steps] == [y, [y, "y:0"]]
    for step in steps:
        (span,) = step.spans
        assert span.node.origin is y.op
        assert step.start_time < span.start_time <= span.end_time < step.end_time
    assert not metadata.step_stats.dev_stats  # not requested by the program
    assert BaseSession.run is run
    with tf.Session() as session:
        session.run(y, {x: 0.0})
    assert len(steps) == 2
