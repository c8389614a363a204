"""Greedy and beam search decoding of logits, float and double, with known and unknown shapes."""

import numpy as np


def build(tf):
    random = np.random.RandomState(12)
    values = (random.randn(15, 4, 6) * 2).astype("f")
    logits = tf.constant(values, name="logits")
    fed = tf.placeholder(tf.float32, [None, None, 6], name="fed")
    lengths = tf.constant([15, 0, 9, 14], name="lengths")
    some = tf.placeholder(tf.int32, name="some")

    def flat(result):
        decoded, scores = result
        return [[d.indices, d.values, d.dense_shape] for d in decoded] + [scores]

    known = [
        tf.nn.ctc_greedy_decoder(logits, lengths),
        tf.nn.ctc_greedy_decoder(logits, lengths, merge_repeated=False),
        tf.nn.ctc_beam_search_decoder(logits, lengths),
        tf.nn.ctc_beam_search_decoder_v2(logits, [15, 3, 9, 14], beam_width=5, top_paths=3),
        tf.nn.ctc_beam_search_decoder(tf.cast(logits, tf.float64), lengths, 7, 1, False),
    ]
    unknown = [
        tf.nn.ctc_greedy_decoder(fed, some),
        tf.nn.ctc_beam_search_decoder(fed, some, beam_width=3, top_paths=2),
        tf.nn.ctc_beam_search_decoder_v2(fed, some, beam_width=30),
    ]
    feed = {fed: values[3:, :2], some: [12, 10]}
    dense = tf.sparse.to_dense(unknown[2][0][0], default_value=-1)
    facts = [[str(t.shape) for t in flat_of(flat(r))] for r in known + unknown]
    return {
        "steps": [
            ("known", [flat(r) for r in known]),
            ("unknown", [flat(r) for r in unknown], feed),
            ("dense", dense, feed),
        ],
        "facts": {"shapes": facts},
    }


def flat_of(parts):
    return [t for part in parts for t in (part if isinstance(part, list) else [part])]
