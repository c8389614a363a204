"""tf.compat.v2's classifiers: linear, wide and deep with normalization, and the baseline, which ignores features."""

import numpy as np

from tests.conformance.recorded_programs.estimator.canned_v2_regressor import sorted_metrics
from tests.support.models.estimator_runs import columns, record_estimator, rows
from tests.support.programs.internals import internal

TOLERANCE = 1e-4  # four training steps


MODULES = ("baseline", "linear", "dnn_linear_combined")


def build(tf):
    plain, lines, wide = (internal(tf, "python.estimator.canned." + name) for name in MODULES)
    features, labels = rows()
    age, kind, number, buckets, cross = columns(tf)

    def linear(config):
        words = {"weight_column": "weight", "label_vocabulary": ["no", "yes"]}
        return lines.LinearClassifierV2([age, kind, number, buckets, cross], config=config, **words)

    def wide_and_deep(config):
        return wide.DNNLinearCombinedClassifierV2(
            linear_feature_columns=[kind, cross],
            dnn_feature_columns=[age, tf.feature_column.embedding_column(number, 2)],
            dnn_hidden_units=[4, 3],
            n_classes=3,
            batch_norm=True,
            config=config,
        )

    def baseline(config):
        return plain.BaselineClassifierV2(n_classes=3, config=config)

    three = labels + (features["number"] > 2)
    facts, steps = {}, []
    for make, wanted in (
        (linear, np.array(["no", "yes"])[labels]),
        (wide_and_deep, three),
        (baseline, three),
    ):
        found = record_estimator(tf, sorted_metrics(tf, make), features, wanted)
        facts[make.__name__] = found["facts"]
        steps += found["steps"]
    return {"facts": facts, "steps": steps}
