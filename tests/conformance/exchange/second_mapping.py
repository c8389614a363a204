"""map_fn, scan and an array filled in a loop, as control flow v2 functions that pass tensor lists."""

from tests.support.models import second_control_flow

FEEDS = {"rows": [[1.0, 2.0], [-0.5, 0.25], [3.0, -1.0], [0.5, 0.5]]}


def build(tf):
    rows = tf.placeholder(tf.float32, [None, 2], name="rows")
    weights = tf.get_variable("weights", initializer=[[0.5, -0.25], [0.75, 0.1]])
    with second_control_flow.control_flow_v2(tf):
        mapped = tf.map_fn(
            lambda row: tf.tanh(tf.reduce_sum(weights * row, axis=1)), rows, parallel_iterations=1
        )
        sums = tf.scan(lambda total, row: 0.5 * total + row, mapped)
        total = tf.foldl(lambda sum, row: sum * 0.9 + row, sums)
        loss = tf.reduce_sum(tf.square(total - 1.0)) + tf.reduce_mean(tf.square(mapped))
        train = tf.train.GradientDescentOptimizer(0.1).minimize(loss)
    outputs = {"mapped": tf.identity(mapped, name="mapped"), "sums": tf.identity(sums, name="sums")}
    return {"train": train, "loss": loss, "feeds": FEEDS, "outputs": outputs}
