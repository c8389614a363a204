"""`tf.contrib.learn.head`: heads of models."""

from tfmini.contrib.learn.heads import (
    Head,
    multi_class_head,
    no_op_train_fn,
    poisson_regression_head,
    regression_head,
)
from tfmini.contrib.learn.several_heads import loss_only_head, multi_head
from tfmini.contrib.learn.several_labels import binary_svm_head, multi_label_head
from tfmini.names.namespaces import namespace as _namespace

__all__ = [
    "Head",
    "binary_svm_head",
    "loss_only_head",
    "multi_class_head",
    "multi_head",
    "multi_label_head",
    "no_op_train_fn",
    "poisson_regression_head",
    "regression_head",
]

_namespace(globals())
