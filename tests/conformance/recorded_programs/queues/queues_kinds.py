"""Queues of each kind: their nodes and static shapes, the order in which elements leave them."""


def steps(tf):
    fifo = tf.FIFOQueue(8, [tf.float32, tf.string], shapes=[[2], []], name="fifo")
    named = tf.FIFOQueue(4, [tf.int32, tf.float32], names=["n", "x"], shared_name="both")
    free = tf.FIFOQueue(4, tf.float32)
    mixed = tf.RandomShuffleQueue(50, 5, [tf.int32], shapes=[[]], seed=7)
    padded = tf.PaddingFIFOQueue(5, [tf.float32, tf.string], shapes=[[None], [None, 2]])
    with tf.name_scope("scope"):
        first = tf.PriorityQueue(9, [tf.string], shapes=[[]])
    rows = tf.placeholder(tf.float32, [None, 2], name="rows")
    words = tf.placeholder(tf.string, name="words")
    n = tf.placeholder(tf.int32, [], name="n")
    values = tf.placeholder(tf.float32, name="values")
    chosen = tf.QueueBase.from_list(n, [fifo, tf.FIFOQueue(3, [tf.float32, tf.string])])
    fill = fifo.enqueue_many([rows, words])
    fed = {rows: [[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]], words: ["a", "b", "c"]}
    pair = padded.enqueue([values, tf.fill([tf.size(values), 2], "s")])
    ranked = first.enqueue_many(
        [tf.constant([3, 1, 2, 1, 3, 1], tf.int64), ["c", "a", "b", "A", "C", "x"]]
    )
    more = [
        (fill, fed),
        fifo.dequeue(),
        (fifo.dequeue_many(n, name="some"), {n: 2}),
        fifo.size(),
        (fill, fed),
        fifo.close(),
        fifo.is_closed(),
        fifo.dequeue_up_to(2),
        fifo.dequeue_up_to(2),
        named.enqueue({"x": 1.5, "n": 2}),
        named.dequeue(),
        free.enqueue_many([[1.0, 2.0]]),
        (free.enqueue([values]), {values: [[3.0], [4.0]]}),
        free.dequeue(),
        free.dequeue(),
        free.dequeue(),
        mixed.enqueue_many([tf.range(30)]),
        mixed.dequeue_many(9),
        mixed.dequeue(),
        mixed.dequeue_many(0),
        mixed.close(cancel_pending_enqueues=True),
        mixed.dequeue_up_to(100),
        (pair, {values: [1.0]}),
        (pair, {values: [1.0, 2.0, 3.0]}),
        padded.dequeue_many(2),
        ranked,
        first.dequeue_many(4),
        first.dequeue(),
    ]
    return more, chosen


def build(tf):
    made, chosen = steps(tf)
    made = [(str(n), *(s if isinstance(s, tuple) else (s,))) for n, s in enumerate(made)]
    return {"steps": made, "facts": {"chosen": [str(s) for s in chosen.shapes]}}
