"""Bucketed and stratified batches: nodes, runners, summaries, and the output of one thread."""

from tests.conformance.recorded_programs.queues.feeding_batches import runners


def build(tf):
    training = tf.contrib.training
    tf.set_random_seed(5)
    n = tf.placeholder_with_default(3, [], name="n")
    words = tf.range(n)
    which, (number, padded) = training.bucket(
        [n, words], tf.minimum(n // 4, 2), 2, 3, capacity=8, dynamic_pad=True, name="kinds"
    )
    row = tf.SparseTensor([[0]], [1.0], [4])
    mixed = training.bucket(
        {"row": row, "n": n},
        0,
        [1, tf.constant(2)],
        2,
        bucket_capacities=[3, 4],
        allow_smaller_final_batch=True,
        keep_input=n > 2,
        shared_name="shared",
    )
    lengths, sequences = training.bucket_by_sequence_length(
        n, [words], 2, [3, 6], dynamic_pad=True, num_threads=2
    )
    alone = training.bucket_by_sequence_length(n, {"n": n}, 1, [4], shapes=[[]], name="alone")
    fills = [list(runner.enqueue_ops) for runner in tf.get_collection(tf.GraphKeys.QUEUE_RUNNERS)]
    batches = [
        training.rejection_sample([n, tf.to_float(n)], lambda x: x[1] / 4.0, 2, name="rejected"),
        training.rejection_sample(
            [tf.range(4), tf.ones([4, 2])],
            lambda x: tf.constant(0.5),
            2,
            enqueue_many=True,
            runtime_checks=True,
        ),
        training.stratified_sample([tf.to_float(n)], n - 1, [0.2, 0.3, 0.5], 2),
        training.stratified_sample(
            [tf.ones([3, 2])], tf.range(3), [0.2, 0.3, 0.5], 2, [0.5, 0.25, 0.25], True
        ),
    ]
    again = training.resample_at_rate(
        [tf.range(4), tf.range(8.0)[::2]], tf.constant([0.0, 1.5, 3.0, 0.5]), seed=3
    )
    weighted = training.weighted_resample([tf.range(3)], tf.constant([1.0, 2.0, 3.0]), 0.5, seed=4)
    steps = [
        ("init", [tf.global_variables_initializer(), tf.local_variables_initializer()]),
        *[(f"put {value}", fills[1], {n: value}) for value in (1, 5, 2)],
        ("move", fills[0][0]),
        ("batch", [which, number, padded]),
        *[(f"sparse {value}", fills[3], {n: value}) for value in (1, 5)],
        ("move sparse", fills[2][0]),
        ("sparse batch", mixed),
        *[(f"length {value}", fills[5][0], {n: value}) for value in (4, 7, 5)],
        ("move length", fills[4][1]),
        ("sequences", [lengths, sequences]),
        *[(f"resampled {i}", again) for i in range(3)],
        ("weighted", weighted),
    ]
    return {
        "steps": steps,
        "facts": {
            "runners": runners(tf),
            "shapes": [str(t.shape) for t in (number, padded, lengths, *batches[0], *batches[1])],
            "alone": sorted(alone[1]),
        },
    }
