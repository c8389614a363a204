"""The sampler of given weights: distortion, reserved ids, shards, weights of 0, many draws."""

import numpy as np


def build(tf):
    classes = tf.constant([[0], [3], [5], [1]], tf.int64, name="classes")
    few = [1.0, 2.0, 0.5, 4.0, 0.0, 3.25, 1.5]
    many = np.random.RandomState(1).zipf(1.5, 300).clip(max=10000).astype(np.float32).tolist()

    def sampler(count, unique, size, **options):
        return tf.nn.fixed_unigram_candidate_sampler(classes, 1, count, unique, size, **options)

    made = [
        sampler(4, True, 7, unigrams=few),
        sampler(20, False, 7, unigrams=few, seed=2),
        sampler(10, False, 7, unigrams=few, distortion=0.75, seed=3),
        sampler(10, False, 8, unigrams=[*few, 1.0], distortion=0.0, seed=4),
        sampler(10, False, 10, unigrams=few, num_reserved_ids=3, seed=5),
        sampler(8, False, 4, unigrams=few, num_reserved_ids=2, num_shards=3, shard=1, seed=6),
        sampler(8, False, 4, unigrams=few, num_shards=2, shard=0, seed=7),
        sampler(8, False, 5, unigrams=few, num_reserved_ids=3, num_shards=2, shard=1, seed=7),
        sampler(64, True, 300, unigrams=many, distortion=0.75, seed=8),
        sampler(256, False, 300, unigrams=many, seed=9),
    ]
    return {"steps": [("run", made) for _ in range(3)]}
