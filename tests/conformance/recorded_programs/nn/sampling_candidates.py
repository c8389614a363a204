"""Candidate samplers: what each draws in several runs under seeds, its expected counts, accidental hits."""

import numpy as np


def build(tf):
    classes = tf.placeholder(tf.int64, [None, 2], name="classes")
    nn = tf.nn
    made = [
        nn.uniform_candidate_sampler(classes, 2, 12, True, 40),
        nn.uniform_candidate_sampler(classes, 2, 12, False, 64, seed=3),
        tf.random.uniform_candidate_sampler(classes, 2, 40, True, 40, seed=4, name="whole"),
        nn.log_uniform_candidate_sampler(classes, 2, 15, True, 50, seed=5),
        nn.log_uniform_candidate_sampler(classes, 2, 15, False, 1000),
        tf.random.log_uniform_candidate_sampler(classes, 2, 30, True, 30, seed=6),
        tf.random.log_uniform_candidate_sampler(classes, 2, 200, True, 50000, seed=61),
        nn.all_candidate_sampler(classes, 2, 9, True),
        nn.learned_unigram_candidate_sampler(classes, 2, 10, True, 30, seed=7),
        nn.learned_unigram_candidate_sampler(classes, 2, 10, False, 32, seed=8),
        tf.raw_ops.ThreadUnsafeUnigramCandidateSampler(
            true_classes=classes,
            num_true=2,
            num_sampled=6,
            unique=True,
            range_max=45,
            seed=9,
            seed2=10,
        ),
    ]
    hits = [
        nn.compute_accidental_hits(classes, tf.constant([7, 3, 0, 7, 21], tf.int64), 2),
        nn.compute_accidental_hits(classes, made[2].sampled_candidates, num_true=2, seed=1),
    ]
    rng = np.random.RandomState(0)
    feeds = [{classes: rng.randint(0, 30, (6, 2))} for _ in range(4)]
    feeds.append({classes: [[7, 7], [3, 29]]})
    return {
        "facts": {"shapes": [str(part.shape) for sampler in made for part in sampler]},
        "steps": [("run", made, feed) for feed in feeds]
        + [("hits", [part for found in hits for part in found], feeds[-1])],
    }
