"""tf.contrib.nn: sampled losses, dropout for selu; tf.contrib.framework: shapes, variables."""

# ruff: noqa: E731

import numpy as np


def losses_of_classes(tf, stage):
    of = tf.contrib.nn
    weights = lambda kind=np.float32: tf.constant((np.arange(12) % 5).reshape(6, 2), kind) / 4
    biases = lambda kind=np.float32: tf.constant([0.5, 0.0, -0.5, 1.0, 0.25, 0.0], kind)
    inputs = lambda kind=np.float32: tf.constant([[1.0, -0.5], [0.25, 2.0]], kind)
    labels = lambda *rows: tf.constant(rows or [[0], [3]], tf.int64)
    drawn = lambda size=1: (
        tf.constant([3, 1, 5], tf.int64),
        tf.constant([[0.5] * size, [0.25] * size]),
        tf.constant([0.75, 0.5, 0.125]),
    )
    parts = lambda: [weights()[:3], weights()[3:]]

    def sampled(first=weights, **options):
        def built():
            given = {"sampled_values": drawn(), **options}
            args = (first(), biases(), labels(), inputs(), 3, 6)
            return of.sampled_sparse_softmax_loss(*args, **given)

        return built

    def ranked(first=weights, **options):
        def built():
            given = {
                "num_sampled": 3,
                "num_resampled": 2,
                "num_classes": 6,
                "num_true": 1,
                "sampled_values": drawn(),
                "resampling_temperature": 1.0,
                "remove_accidental_hits": True,
                "partition_strategy": "mod",
                "labels": labels(),
                **options,
            }
            return of.rank_sampled_softmax_loss(first(), biases(), inputs=inputs(), **given)

        return built

    y = lambda kind=np.float32: tf.constant([[1.0, 0.0, 0.0], [0.25, 0.25, 0.5]], kind)
    x = lambda kind=np.float32: tf.constant([[0.5, -1.0, 2.0], [3.0, 0.0, -2.0]], kind)
    soft, sparse, sigmoid = (
        getattr(of, f"deprecated_flipped_{kind}_cross_entropy_with_logits")
        for kind in ("softmax", "sparse_softmax", "sigmoid")
    )
    stage.each(
        {
            "sampled": sampled(),
            "hits": sampled(remove_accidental_hits=False, name="own"),
            "parts": sampled(parts, partition_strategy="div"),
            "parts in turn": sampled(parts),
            "other parts": sampled(parts, partition_strategy="none"),
            "ranked": ranked(),
            "ranked, hits": ranked(remove_accidental_hits=False, name="own"),
            "ranked, cold": ranked(resampling_temperature=0.125),
            "ranked, parts": ranked(parts, partition_strategy="div", num_resampled=1),
            "ranked, two": ranked(num_resampled=1),
            "too many": ranked(num_sampled=7),
            "as many": ranked(num_resampled=3),
            "other strategy": ranked(partition_strategy="none"),
            "soft": lambda: soft(x(), y(), name="own"),
            "soft, slopes": lambda: tf.gradients(
                soft(logits=x(), labels=y()), tf.get_default_graph().get_tensor_by_name("Const:0")
            ),
            "sparse": lambda: sparse(x(), [2, 0], "own"),
        },
        graph="sum",
    )


def variables_found(tf, stage):
    of = tf.contrib.framework
    with tf.variable_scope("a"):
        tf.get_variable("w", [1])
        with tf.variable_scope("b") as scope:
            v = of.model_variable("w", [2])
            tf.get_variable("w_more", [1], trainable=False)
    with tf.variable_scope("a_other"):
        tf.get_variable("w", [3], collections=["local_variables"])
        of.model_variable("bias", [1], trainable=False)
    tf.get_variable("w", [1])
    names = lambda found: [each.name for each in found]
    everything = tf.global_variables()
    stage.attempts(
        *(
            lambda k=k: names(of.get_variables(**k))
            for k in (
                {},
                {"scope": "a"},
                {"scope": "a/"},
                {"scope": scope},
                {"suffix": "w"},
                {"suffix": "w:0"},
                {"scope": "a", "suffix": "w"},
                {"scope": scope, "suffix": "more"},
                {"collection": "local_variables"},
                {"scope": "b"},
                {"scope": "none"},
            )
        ),
        lambda: names(of.get_model_variables("a", "w")),
        lambda: names(of.get_model_variables(suffix="bias")),
        lambda: names(of.get_local_variables("a", "w")),
        lambda: names(of.get_trainable_variables("a", "w")),
        lambda: names(of.get_variables_by_suffix("w", "a")),
        lambda: names(of.get_variables_by_suffix("re")),
        lambda: names(of.get_variables_by_name("w")),
        lambda: names(of.get_variables_by_name("w", "a")),
        lambda: names(of.get_variables_by_name("w", scope)),
        lambda: of.get_unique_variable("a/b/w").name,
        lambda: of.get_unique_variable("a/b").name,
        lambda: of.get_unique_variable("none").name,
        lambda: names(of.get_variables_to_restore()),
        lambda: names(of.get_variables_to_restore(["a/b", "w"])),
        lambda: names(of.get_variables_to_restore(exclude=["a/b"])),
        lambda: names(of.get_variables_to_restore(("a",), ("a/w", "a_other"))),
        lambda: of.get_variables_to_restore("a"),
        lambda: of.get_variables_to_restore(exclude="a"),
        lambda: names(of.filter_variables(everything, ["w$|bias"], ["^a"])),
        lambda: names(of.filter_variables(everything, ["w"], ["other"])),
        lambda: names(of.filter_variables(everything, ["b"], None, False)),
        lambda: names(of.filter_variables(everything, exclude_patterns=["b"], reg_search=False)),
        lambda: names(of.filter_variables(everything, [])),
        lambda: names(of.filter_variables(everything, ["a"], [])),
        lambda: of.get_variable_full_name(v),
    )
