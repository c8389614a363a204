"""Producers and batches: nodes, summaries, queue runners and variables, and the output of one thread."""


def runners(tf):
    return [
        [r.name, [op.name for op in r.enqueue_ops], r.close_op.name, r.cancel_op.name]
        for r in tf.get_collection(tf.GraphKeys.QUEUE_RUNNERS)
    ]


def build(tf):
    names = tf.train.string_input_producer(["a", "b", "c"], num_epochs=2, shuffle=False)
    name = names.dequeue()
    numbers = tf.train.range_input_producer(4, shuffle=True, seed=3, num_epochs=3, name="numbers")
    row, label = tf.train.slice_input_producer(
        [tf.reshape(tf.range(12.0), [6, 2]), tf.range(6)], num_epochs=1, seed=5, capacity=4
    )
    words = tf.train.batch([name, tf.string_join([name, name])], 2, name="words")
    pairs = tf.train.batch(
        {"row": row, "label": label}, 4, allow_smaller_final_batch=True, capacity=5
    )
    number = numbers.dequeue()
    kept = tf.train.maybe_batch([number], number > 0, 3)
    unused = tf.placeholder(tf.float32, [7, 2])
    mixed = tf.train.shuffle_batch([unused], 3, 30, 5, enqueue_many=True, seed=1, num_threads=2)
    joined = tf.train.batch_join(
        [[tf.placeholder(tf.int32, [None])], [tf.placeholder(tf.int32, [None])]],
        2,
        dynamic_pad=True,
    )
    chosen = tf.train.maybe_shuffle_batch_join(
        [[unused], [unused * 2.0]], 2, 10, 1, tf.ones([7], tf.bool), enqueue_many=True
    )
    facts = {
        "shapes": [str(t.shape) for t in (*words, pairs["row"], kept, mixed, joined, chosen)],
        "runners": runners(tf),
    }
    return {
        "steps": [("init", [tf.local_variables_initializer(), tf.global_variables_initializer()])],
        "facts": facts,
    }
