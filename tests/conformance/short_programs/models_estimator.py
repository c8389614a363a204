"""Estimators: invalid arguments, and components with non-default options."""

import os

import numpy as np

from tests.conformance.short_programs import rows, table_of


def programs(tf):
    E, C = tf.estimator, tf.feature_column
    x = C.numeric_column("x")

    def fn(features, labels, mode):
        return None

    def one(**options):
        return E.Estimator(fn, "folder", **options)

    def spec(mode="train", **options):
        given = {"loss": tf.constant(1.0), "train_op": tf.no_op(), "predictions": tf.constant(1.0)}
        return E.EstimatorSpec(mode, **{**given, **options})

    def config(**options):
        made = E.RunConfig(**options)
        return {
            k: getattr(made, k)
            for k in (
                "tf_random_seed",
                "save_summary_steps",
                "save_checkpoints_steps",
                "save_checkpoints_secs",
                "keep_checkpoint_max",
                "keep_checkpoint_every_n_hours",
                "log_step_count_steps",
                "model_dir",
            )
        }

    def folder(estimator):
        return [os.path.basename(estimator.model_dir), estimator.config.tf_random_seed]

    def fed(input_fn):
        features = input_fn()
        with tf.train.MonitoredSession() as session:
            return [session.run(features) for _ in range(2)]

    def serving():
        return E.export.ServingInputReceiver({"x": tf.constant([1.0])}, tf.constant([1.0]))

    scores = tf.constant([[0.5]])
    return rows(
        table_of(__file__),
        tf=tf, np=np, folder=folder, fed=fed, SERVING=serving,
        HEAD=lambda: tf.contrib.estimator.regression_head(), NUMBERS={"x": np.array([1.0, 2.0, 3.0])},
        E=E, config=config, fn=fn, one=one, scores=scores, spec=spec, x=x,
    )  # fmt: skip
