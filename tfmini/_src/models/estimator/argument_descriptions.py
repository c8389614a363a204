"""Descriptions of the arguments shared by canned Estimators and their heads."""

from __future__ import annotations

_SHARED_ARGUMENTS = {
    "model_dir": "directory of checkpoints and event files.",
    "linear_feature_columns, linear_optimizer": "columns and optimizer of the linear model.",
    "dnn_feature_columns, dnn_optimizer, dnn_hidden_units, dnn_activation_fn, dnn_dropout": (
        "parameters of the network."
    ),
    "hidden_units": "list of hidden layer sizes.",
    "n_classes": "number of classes; labels are in [0, n_classes), or strings.",
    "label_dimension": "number of regression targets per example.",
    "weight_column": "name of a feature with example weights, or a numeric column.",
    "label_vocabulary": "class names, if labels are strings.",
    "activation_fn": "activation of hidden layers.",
    "dropout": "dropout probability of hidden layers during training, in [0, 1], or None.",
    "config": "a `tf.estimator.RunConfig`.",
    "warm_start_from": "a checkpoint or SavedModel to initialize variables from, or a `WarmStartSettings`.",
    "batch_norm": "whether to apply batch normalization after hidden layers.",
    "sparse_combiner": 'combiner of weights of multivalent columns: "sum", "mean" or "sqrtn".',
    "linear_sparse_combiner": 'combiner of weights of multivalent columns: "sum", "mean" or "sqrtn".',
}
# `tf.estimator`, with the optimizers of `tf.train`.
ESTIMATOR = {
    **_SHARED_ARGUMENTS,
    "optimizer": "an Optimizer, its name, or a function that returns it.",
    "loss_reduction": "a `tf.losses.Reduction` of the per-example losses.",
}
# `tf.compat.v2.estimator`, with the optimizers of Keras.
ESTIMATOR_V2 = {
    **_SHARED_ARGUMENTS,
    "head": "a head, e.g. `tf.estimator.RegressionHead()`.",
    "optimizer": "a `tf.keras` optimizer, its name, or a function that returns it.",
    "loss_reduction": "a `tf.keras.losses.Reduction` of the per-example losses.",
}
# Heads of `tf.estimator`, and of `tf.contrib.estimator`.
HEAD = {
    "label_dimension": "number of regression targets per example.",
    "weight_column": "name of a feature with example weights, or a numeric column.",
    "label_vocabulary": "class names, if labels are strings.",
    "thresholds": "thresholds in (0, 1) for additional accuracy, precision and recall metrics.",
    "loss_reduction": "reduction of the per-example losses.",
    "name": "the head's name.",
}
CONTRIB_HEAD = {
    **HEAD,
    "loss_reduction": "a `tf.losses.Reduction` of the per-example losses.",
    "name": "head name, also appended to its metrics' names.",
}
