"""Segmented sequences: nodes, runners, and states carried between segments over several steps."""

from tests.conformance.recorded_programs.queues.feeding_batches import runners


def everything(batch):
    facts = [batch.key, batch.next_key, batch.length, batch.total_length, batch.batch_size]
    return [*facts, batch.insertion_index, batch.sequence, batch.sequence_count]


def build(tf):
    training = tf.contrib.training
    tf.set_random_seed(6)
    n = tf.placeholder_with_default(3, [], name="n")
    numbers = tf.cast(tf.range(n), tf.float32)
    words = tf.stack([numbers, -numbers], 1)
    batch = training.batch_sequences_with_states(
        tf.as_string(n),
        {"words": words, "names": tf.as_string(tf.range(n))},
        {"n": n, "pair": tf.stack([n, n + 1])},
        None,
        {"total": tf.zeros([2]), "count": 0},
        num_unroll=2,
        batch_size=2,
        num_threads=2,
        capacity=5,
    )
    total = batch.state("total") + tf.reduce_sum(batch.sequences["words"], 1)
    saves = [
        batch.save_state("total", total),
        batch.save_state("count", batch.state("count") + batch.length, name="keep"),
    ]
    values = [batch.sequences["words"], batch.sequences["names"], batch.context["n"]]
    step = [*everything(batch), *values, batch.context["pair"], total, batch.state("count"), saves]

    row = tf.SparseTensor([[0, 0], [2, 1]], [1.0, 2.0], [4, 3])
    rows = training.batch_sequences_with_states(
        "key",
        {"row": row, "dense": tf.ones([4, 3])},
        {"kind": tf.SparseTensor([[1]], tf.constant([5], tf.int64), [2])},
        tf.constant(3),
        {"last": tf.constant([1.0, 2.0])},
        num_unroll=2,
        batch_size=tf.constant(1),
        pad=False,
        make_keys_unique=True,
        make_keys_unique_seed=3,
        name="rows",
    )
    keep = rows.save_state("last", rows.state("last") * 2)
    alone = training.batch_sequences_with_states(
        "alone", {"row": row}, {}, None, {"s": 0.0}, 3, 1, 1
    )
    saver = training.SequenceQueueingStateSaver(
        2, 3, n, tf.as_string(n), {"x": tf.ones([6, 2])}, {}, {"s": tf.zeros([1])}, name="plain"
    )
    stop = saver.close(name="end")

    puts = [r.enqueue_ops[0] for r in tf.get_collection(tf.GraphKeys.QUEUE_RUNNERS)]
    sparse = [rows.sequences["row"], rows.context["kind"], rows.sequences["dense"]]
    steps = [
        *[(f"put {value}", puts[0], {n: value}) for value in (5, 2, 3)],
        *[(f"step {i}", step) for i in range(3)],
        ("close", tf.get_collection(tf.GraphKeys.QUEUE_RUNNERS)[0].close_op),
        ("put sparse", puts[1]),
        *[(f"sparse {i}", [*sparse, rows.length, rows.state("last"), keep]) for i in range(2)],
        ("put alone", puts[2]),
        ("alone", [alone.sequences["row"], alone.length, alone.save_state("s", alone.state("s"))]),
        ("put plain", saver.prefetch_op, {n: 4}),
        ("put plain again", saver.prefetch_op, {n: 6}),
        ("plain", everything(saver.next_batch)),
        ("stop", stop),
    ]
    return {
        "steps": steps,
        "facts": {
            "runners": runners(tf),
            "names": [saver.name, saver.barrier.name, saver.num_unroll, saver.batch_size],
            "shapes": [str(t.shape) for t in (*values, total, *sparse, *everything(batch)[:4])],
            "contexts": [sorted(batch.context), sorted(rows.context), sorted(rows.sequences)],
        },
    }
