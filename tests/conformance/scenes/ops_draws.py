"""Random numbers and printed lines: repeated runs, seeds, streams, errors."""

import os

import numpy as np

from tests.conformance.scenes import unknown


def draws(tf, stage):
    """A node's runs continue its stream; a new session restarts it."""
    u, raw, r = unknown(tf), tf.raw_ops, tf.random
    f = lambda x, k="f": u(np.array(x, k))  # noqa: E731

    def truncated(shape, *x, **k):
        return raw.ParameterizedTruncatedNormal(
            shape=u(np.array(shape, "i")),
            **dict(zip(("means", "stdevs", "minvals", "maxvals"), map(f, x))),
            seed=1,
            seed2=2,
            **k,
        )

    true = np.array([[1, 2], [0, 3]])
    seeds = f([3, 7], "i8")
    classes = lambda: tf.constant(true, tf.int64)  # noqa: E731
    n = tf.nn

    def several(node):
        node = tf.nest.map_structure(tf.convert_to_tensor, node)
        for _ in range(2):
            with tf.Session() as session:
                stage.attempts(*[lambda: session.run(node)] * 2)

    with stage.failing():
        several(
            [
                tf.random_uniform([3], seed=1),
                tf.random_normal([3], 1.0, 2.0, seed=2),
                tf.truncated_normal([2], seed=3),
                tf.random_uniform([3], 5, 9, tf.int64, 4),
                tf.random_shuffle([1, 2, 3, 4], 5),
                tf.multinomial([[0.0, 1.0, 2.0]], 4, 6),
                tf.random_gamma([2], [0.5, 3.0], seed=7),
                tf.random_poisson([0.5, 30.0], [2], seed=8),
            ]
        )
    stage.each(
        {
            **{
                f"{g.__name__}_{k.name}": lambda g=g, k=k: g([5], dtype=k, seed=9)
                for g in (tf.random_uniform, tf.random_normal, tf.truncated_normal)
                for k in (tf.float16, tf.float32, tf.float64)
            },
            "integers": lambda: [
                tf.random_uniform([4], -3, 2**31 - 1, tf.int32, 3),
                tf.random_uniform([4], -(2**62), 2**62, tf.int64, 3),
                tf.random_uniform([2], 3, 4, tf.int32, 1),
            ],
            "integers_none": lambda: tf.random_uniform(
                [2], u(np.int32(4)), u(np.int32(4)), tf.int32
            ),
            "integers_open": lambda: tf.random_uniform([2], 1, dtype=tf.int32),
            "integers_short": lambda: tf.random_uniform([2], 1, 3, tf.int16),
            "integers_vector": lambda: raw.RandomUniformInt(
                shape=u(np.array([2], "i")), minval=u(np.array([1], "i")), maxval=u(np.int32(3))
            ),
            "shape_matrix": lambda: raw.RandomUniform(
                shape=u(np.array([[2]], "i")), dtype=tf.float32
            ),
            "shape_negative": lambda: raw.RandomUniform(
                shape=u(np.array([-2], "i")), dtype=tf.float32
            ),
            "shape_none": lambda: [tf.random_uniform([0, 3]), tf.random_normal([]) * 0],
            "shuffled": lambda: [
                tf.random_shuffle(np.arange(6).reshape(3, 2), 3, "own"),
                tf.random_shuffle([], 1),
                tf.random_shuffle(["a"], 1),
            ],
            "choices": lambda: (
                [
                    tf.multinomial(
                        np.log([[0.1, 0.2, 0.7], [0.5, 0.0, 0.5]]).astype(k), 6, 5, output_dtype=t
                    )
                    for k in ("e", "f", "d")
                    for t in (tf.int32, tf.int64)
                ]
                + [r.categorical([[0.0, 1.0]], 3, seed=4, name="own")]
            ),
            "choices_rank": lambda: raw.Multinomial(logits=f([0.0]), num_samples=u(np.int32(1))),
            "choices_negative": lambda: raw.Multinomial(
                logits=f([[0.0]]), num_samples=u(np.int32(-1))
            ),
            "choices_vector": lambda: raw.Multinomial(
                logits=f([[0.0]]), num_samples=u(np.array([1], "i"))
            ),
            "choices_none": lambda: raw.Multinomial(
                logits=f(np.zeros([2, 0])), num_samples=u(np.int32(1))
            ),
            "gammas": lambda: [
                tf.random_gamma([3], a, b, k, 5)
                for a, b, k in (
                    (0.5, None, tf.float32),
                    ([0.5, 9.0], 2.0, tf.float64),
                    (3.0, [1.0, 4.0], tf.float16),
                )
            ],
            "gammas_slope": lambda: (lambda a: tf.gradients(tf.random_gamma([2], a, seed=5), a))(
                tf.constant([0.5, 3.0])
            ),
            "poissons": lambda: [
                tf.random_poisson(x, [3], k, 5)
                for x, k in ((0.5, tf.float32), ([40.0, 3.0], tf.int32), (200.0, tf.float64))
            ],
            "poissons_negative": lambda: tf.random_poisson(-1.0, [2], seed=1),
            "truncated": lambda: [
                truncated([4], 0.0, 1.0, -0.5, 0.5),
                truncated(
                    [3, 2],
                    [0.0, 5.0, -5.0],
                    [1.0, 1.0, 2.0],
                    [-np.inf, 7.0, -9.0],
                    [0.0, 9.0, np.inf],
                ),
                truncated([2], 0.0, 1.0, 4.0, 5.0),
            ],
            "truncated_order": lambda: truncated([2], 0.0, 1.0, 1.0, -1.0),
            "truncated_deviation": lambda: truncated([2], 0.0, -1.0, -1.0, 1.0),
            "truncated_sizes": lambda: truncated([3], [0.0, 1.0], 1.0, -1.0, 1.0),
            "stateless": lambda: [
                g([3], s, dtype=k)
                for g in (r.stateless_uniform, r.stateless_normal, r.stateless_truncated_normal)
                for s in ([1, 2], seeds)
                for k in (tf.float16, tf.float64)
            ],
            "stateless_integers": lambda: (
                [
                    r.stateless_uniform([4], [1, 2], a, b, k)
                    for a, b, k in ((0, 10, tf.int32), (-5, 2**40, tf.int64))
                ]
                + [
                    r.stateless_categorical([[0.0, 2.0]], 5, [1, 2]),
                    r.stateless_multinomial([[0.0, 2.0]], 5, [1, 2], tf.int32),
                    r.stateless_normal([2], [3, 4], 5.0, 0.1, name="own"),
                ]
            ),
            "stateless_seed": lambda: raw.StatelessRandomUniform(
                shape=[2], seed=u(np.array([1, 2, 3]))
            ),
            "stateless_static": lambda: r.stateless_uniform([2], [1]),
            "stateless_open": lambda: r.stateless_uniform([2], [1, 2], 0, dtype=tf.int32),
            "stateless_short": lambda: r.stateless_uniform([2], [1, 2], 0, 3, tf.int16),
            "stateless_order": lambda: r.stateless_uniform(
                [2], [1, 2], u(np.int32(3)), u(np.int32(3)), tf.int32
            ),
            "sampled": lambda: [
                g(classes(), 2, 4, q, 9, 5, "own")
                for g in (
                    n.uniform_candidate_sampler,
                    n.log_uniform_candidate_sampler,
                    n.learned_unigram_candidate_sampler,
                )
                for q in (True, False)
            ],
            "sampled_many": lambda: n.uniform_candidate_sampler(classes(), 2, 9, True, 5, 1),
            "sampled_true": lambda: raw.UniformCandidateSampler(
                true_classes=f(true, "i8"), num_true=3, num_sampled=2, unique=True, range_max=9
            ),
            "sampled_vector": lambda: raw.LogUniformCandidateSampler(
                true_classes=f([1], "i8"), num_true=1, num_sampled=2, unique=True, range_max=9
            ),
            "sampled_fixed": lambda: [
                n.fixed_unigram_candidate_sampler(
                    classes(),
                    2,
                    3,
                    q,
                    6,
                    "",
                    d,
                    k,
                    seed=5,
                    unigrams=[1.0, 5.0, 2.0, 0.5, 3.0][: 5 - k + 1 if k else 5] + [1.0] * (1 - k),
                )
                for q in (True, False)
                for d in (1.0, 0.5)
                for k in (0, 1)
            ],
            "sampled_neither": lambda: n.fixed_unigram_candidate_sampler(classes(), 2, 3, True, 6),
            "sampled_both": lambda: n.fixed_unigram_candidate_sampler(
                classes(), 2, 3, True, 6, "some", unigrams=[1.0]
            ),
            "sampled_all": lambda: n.all_candidate_sampler(classes(), 2, 5, True, 3),
            "hits": lambda: [
                n.compute_accidental_hits(
                    classes(), tf.constant([3, 1, 7, 3], tf.int64), 2, name="own"
                )
            ],
            "hits_columns": lambda: raw.ComputeAccidentalHits(
                true_classes=f(true, "i8"), sampled_candidates=f([1], "i8"), num_true=3
            ),
            "hits_rank": lambda: raw.ComputeAccidentalHits(
                true_classes=f([1], "i8"), sampled_candidates=f([1], "i8"), num_true=1
            ),
            "hits_sampled": lambda: raw.ComputeAccidentalHits(
                true_classes=f(true, "i8"), sampled_candidates=f([[1]], "i8"), num_true=2
            ),
        },
        graph=False,
    )
    with open(stage.folder + "/words.txt", "w") as file:
        file.write("a,1\nb,5\nc,2\n")
    stage.each(
        {
            "file": lambda: n.fixed_unigram_candidate_sampler(
                classes(), 2, 3, True, 4, stage.folder + "/words.txt", num_reserved_ids=1, seed=2
            )
        },
        graph=False,
    )


def printed(tf, stage):
    path = stage.folder + "/lines"
    out = "file://" + path
    sparse = tf.SparseTensor([[0, 1]], [2.5], [2, 3])
    many = tf.range(20)
    long = tf.reshape(tf.range(24), [2, 3, 4])
    text = tf.constant("caf\u00e9 'q' \"d\" \n")
    form = tf.strings.format
    nested = {"b": tf.constant(1), "a": [tf.constant(2.5), ("x", None)]}
    u = unknown(tf)
    cases = {
        "one": lambda: tf.print(text, output_stream=out),
        "quoted": lambda: tf.print([text, b"x"], output_stream=out),
        "tensors": lambda: tf.print(many, long, output_stream=out, sep="|", end="#\n"),
        "all": lambda: tf.print(many, output_stream=out, summarize=-1),
        "sparse": lambda: tf.print("s:", sparse, output_stream=out),
        "nested": lambda: tf.print(nested, output_stream=out),
        "braces": lambda: tf.print("{} {}5", tf.constant(1), "{}", output_stream=out),
        "kinds": lambda: tf.print(
            tf.constant([0.1, 1e-8, np.nan, -np.inf, 16777216.0]),
            tf.constant([0.1, 1e300], tf.float64),
            tf.constant([True]),
            tf.constant([1j]),
            tf.constant([0.1], tf.float16),
            tf.zeros([0, 2]),
            output_stream=out,
        ),
        "stream": lambda: tf.print("a", output_stream="some"),
        "keyword": lambda: tf.print("a", output_stream=out, other=1),
        "raw_stream": lambda: tf.raw_ops.PrintV2(input="a", output_stream="some"),
        "raw_vector": lambda: tf.raw_ops.PrintV2(input=["a"]),
        "raw_fed": lambda: tf.raw_ops.PrintV2(input=u(["a"])),
    }
    for name, case in cases.items():
        with tf.Graph().as_default() as graph, tf.Session() as session:
            stage.say(name)
            many, long, text = (
                tf.range(20),
                tf.reshape(tf.range(24), [2, 3, 4]),
                tf.constant("caf\u00e9 'q' \"d\" \n"),
            )
            sparse = tf.SparseTensor([[0, 1]], [2.5], [2, 3])
            nested = {"b": tf.constant(1), "a": [tf.constant(2.5), ("x", None)]}
            with stage.failing():
                node = case()
                stage.say(node.name, node.type, *[op.name for op in graph.get_operations()][-3:])
                session.run(node)
                session.run(node)
            if os.path.exists(path):
                with open(path, "rb") as file:
                    stage.say(repr(file.read()).lstrip("b"))
                os.remove(path)
    stage.each(
        {
            "format": lambda: [
                form("a {} b {}", [tf.constant([1, 2]), tf.constant("t")]),
                form("<>", tf.range(9), "<>", 2, "own"),
                form("{}", tf.reshape(tf.range(24), [2, 3, 4]), summarize=-1),
            ],
            "format_none": lambda: form("plain", []),
            "format_raw": lambda: tf.raw_ops.StringFormat(inputs=[[1]], template="a"),
            "passed": lambda: tf.Print(tf.constant([1.0]), [tf.constant(2)], first_n=0, name="own"),
            "passed_back": lambda: (lambda x: tf.gradients(tf.Print(x, [x], first_n=0) ** 2, x))(
                tf.constant([3.0])
            ),
        },
        graph=False,
    )
