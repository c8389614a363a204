"""State of iterators over combined datasets, saved at several positions and resumed."""

import numpy as np


def _datasets(tf):
    D, e = tf.data.Dataset, tf.data.experimental
    fill = lambda x: tf.fill([x], x)  # noqa: E731
    pairs = lambda x: D.from_tensors(x).repeat(2)  # noqa: E731

    def record(number):
        feature = tf.train.Feature(int64_list=tf.train.Int64List(value=[number]))
        features = tf.train.Features(feature={"x": feature})
        return tf.train.Example(features=features).SerializeToString()

    def parsed(text):
        return tf.parse_single_example(text, {"x": tf.FixedLenFeature([], tf.int64)})["x"]

    return {
        "parsed": lambda: D.from_tensor_slices([record(n) for n in range(11)]).map(parsed),
        "parsed_in_batches": lambda: (
            D.from_tensor_slices([record(n) for n in range(13)]).map(parsed).batch(2).repeat(2)
        ),
        "cached_twice": lambda: D.range(3).cache().repeat(3),
        "cached_and_shuffled": lambda: D.range(3).cache().shuffle(2, seed=4).repeat(3),
        "shuffled_over_epochs": lambda: D.range(3).apply(e.shuffle_and_repeat(7, 3, seed=2)),
        "shuffled_for_ever": lambda: D.range(3).apply(e.shuffle_and_repeat(2, seed=2)),
        "shuffled_alike": lambda: (
            D.range(3).shuffle(3, seed=2, reshuffle_each_iteration=False).repeat(3)
        ),
        "shuffled_anew": lambda: D.range(3).shuffle(3, seed=2).repeat(3),
        "shuffled_batches": lambda: D.range(8).shuffle(5, seed=2).batch(2).repeat(2),
        "repeated_for_ever": lambda: D.range(3).map(lambda x: x + 1).repeat(),
        "mapped_for_ever": lambda: D.range(2).repeat().map(lambda x: x * 2).take(9),
        "prefetched": lambda: D.range(9).map(lambda x: x * 2).prefetch(2),
        "prefetched_batches": lambda: D.range(9).prefetch(1).batch(2),
        "mapped_in_parallel": lambda: D.range(9).map(lambda x: x * 2, num_parallel_calls=1),
        "mapped_and_batched": lambda: D.range(9).apply(e.map_and_batch(lambda x: x * 3, 2)),
        "interleaved_in_threes": lambda: D.range(1, 4).interleave(
            lambda x: D.range(x * 10, x * 10 + 5), 2, 3
        ),
        "interleaved_for_ever": lambda: D.range(3).interleave(pairs, 2, 1).repeat(),
        "flat_shuffled": lambda: (
            D.range(4).flat_map(lambda x: D.range(x).shuffle(3, seed=1)).repeat(2)
        ),
        "flat_of_flat": lambda: D.range(3).flat_map(
            lambda x: D.range(x + 1).flat_map(lambda y: pairs(x * 10 + y))
        ),
        "groups_of_three": lambda: D.range(11).apply(
            e.group_by_window(lambda x: x % 2, lambda k, d: d.map(lambda x: x + k * 100), 3)
        ),
        "groups_of_many": lambda: D.range(20).apply(
            e.group_by_window(lambda x: x % 4, lambda k, d: d.map(lambda x: x + k * 100), 3)
        ),
        "groups_by_sizes": lambda: D.range(9).apply(
            e.group_by_window(
                lambda x: x % 3, lambda k, d: d.batch(4), window_size_func=lambda k: k + 1
            )
        ),
        "buckets": lambda: (
            D.range(7).map(fill).apply(e.bucket_by_sequence_length(tf.size, [3, 5], [2, 2, 1]))
        ),
        "sampled": lambda: e.sample_from_datasets(
            [D.range(5), D.range(10, 15)], [0.3, 0.7], seed=3
        ),
        "chosen_and_zipped": lambda: D.zip(
            (
                e.choose_from_datasets([D.range(4), D.range(9)], D.range(2).repeat()),
                D.range(20, 29).filter(lambda x: x % 3 > 0),
            )
        ),
        "zipped_unevenly": lambda: D.zip((D.range(2).repeat(), (D.range(5), D.range(30, 34)))),
        "joined_for_ever": lambda: D.range(2).concatenate(D.range(5, 7)).repeat(),
        "joined_batches": lambda: D.range(3).batch(2).concatenate(D.range(5, 10).batch(2)),
        "sharded": lambda: D.range(11).shard(3, 1).repeat(2),
        "skipped_far": lambda: D.range(5).skip(4).repeat(4),
        "taken_again": lambda: D.range(5).take(3).repeat(2),
        "taken_all": lambda: D.range(6).take(-1).skip(1),
        "unbatched_unevenly": lambda: D.range(1, 5).map(fill).apply(e.unbatch()),
        "scanned_and_kept": lambda: (
            D.range(9)
            .apply(e.scan((np.int64(1), "a"), lambda s, x: ((s[0] + x, s[1]), (s[0], s[1]))))
            .filter(lambda x, word: x % 2 > 0)
        ),
        "unique_words": lambda: D.from_tensor_slices(list("abacbd")).apply(e.unique()),
        "ignoring_some": lambda: (
            D.range(1, 19).map(lambda x: 60 // (x % 3)).apply(e.ignore_errors()).batch(2)
        ),
        "windows_sliding": lambda: D.range(6).apply(
            tf.contrib.data.sliding_window_batch(3, window_shift=2)
        ),
        "options": lambda: (
            D.range(6).map(lambda x: x + 1).with_options(tf.data.Options()).prefetch(1)
        ),
        "padded_unevenly": lambda: (
            D.range(1, 7).map(fill).padded_batch(2, [None], np.int64(-1)).repeat(2)
        ),
        "enumerated_again": lambda: D.range(3).repeat(2).apply(e.enumerate_dataset(5)),
        "counted": lambda: e.Counter(3, 2).map(lambda x: x * 2),
    }


def _gone_on_with(tf, stage, make, path, first):
    with tf.Graph().as_default():
        tf.set_random_seed(1)
        iterator = tf.data.make_initializable_iterator(make())
        value = iterator.get_next()
        saver = tf.train.Saver([tf.data.experimental.make_saveable_from_iterator(iterator)])
        with tf.Session() as session, stage.failing():
            session.run(iterator.initializer)
            stage.say(first, [session.run(value) for _ in range(first)])
            saver.save(session, path)
            stage.say("then", session.run(value))
        with tf.Session() as session, stage.failing():
            session.run(iterator.initializer)
            saver.restore(session, path)
            for _ in range(8):
                stage.say(session.run(value))


def saved_early(tf, stage):
    for name, make in _datasets(tf).items():
        stage.say(name)
        _gone_on_with(tf, stage, make, f"{stage.folder}/it_{name}", 1)
