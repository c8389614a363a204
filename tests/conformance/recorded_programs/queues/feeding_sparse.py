"""SparseTensors in all kinds of batches: nodes, their colocation, and dequeued values."""


def build(tf):
    n = tf.placeholder_with_default(tf.constant(3, tf.int64), [], name="n")
    row = tf.SparseTensor(tf.reshape(n - 1, [1, 1]), [tf.cast(n, tf.float32)], [10])
    many = tf.SparseTensor([[0, 1], [2, 0], [2, 3]], ["a", "b", "c"], [3, 4])
    unknown = tf.sparse_placeholder(tf.int32, name="unknown")
    rows = tf.sparse_placeholder(tf.float32, [None, None, 2], name="rows")
    keep = tf.placeholder_with_default(True, [], name="keep")
    train = tf.train
    made = [
        train.batch([row, n], 2, capacity=8),
        train.batch([row], 1, name="single"),
        train.batch({"many": many, "ids": tf.range(3)}, 2, enqueue_many=True),
        train.shuffle_batch([many], 2, 20, 1, enqueue_many=True, seed=3),
        train.batch_join([[row, n], [row, n * 10]], 2, capacity=9, dynamic_pad=False),
        train.shuffle_batch_join([[many], [many]], 2, 20, 1, enqueue_many=True, seed=4),
        train.maybe_batch([row, n], keep, 2, allow_smaller_final_batch=True),
        train.maybe_batch([many], keep, 2, enqueue_many=True),
        train.maybe_batch([many], [True, False, True], 2, enqueue_many=True),
        train.maybe_shuffle_batch([unknown], 2, 9, 0, keep, seed=5),
        train.maybe_batch_join([[rows], [rows]], keep, 2, enqueue_many=True),
        train.maybe_shuffle_batch_join([[row], [row]], 2, 9, 1, keep),
    ]
    runners = tf.get_collection(tf.GraphKeys.QUEUE_RUNNERS)
    feeds = {
        unknown: ([[0, 1]], [7], [2, 2]),
        rows: ([[0, 1, 1], [1, 0, 0]], [0.5, 0.25], [2, 3, 2]),
    }
    steps = []
    for number, (runner, batch) in enumerate(zip(runners, made)):
        for part, op in enumerate(dict.fromkeys(runner.enqueue_ops)):
            for turn in range(2):
                given = {**feeds, n: 3 + turn + 2 * part}
                steps.append((f"fill {number} {part} {turn}", op, given))
        steps.append((f"batch {number}", batch))
    dropped = runners[6].enqueue_ops[0]
    return {"steps": [*steps, ("dropped", dropped, {keep: False}), ("kept", dropped)]}
