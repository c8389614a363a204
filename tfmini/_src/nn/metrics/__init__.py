"""`tf.metrics`: measures of models over many batches, accumulated in local variables.

Each function returns the metric's current value and an op that adds a batch. `state` creates the variables, `operands`
brings labels, predictions and weights to one rank; the other files are grouped by their state: `mean_and_accuracy` has
a sum and a count, `precision_recall` and `thresholds` counts of correct and incorrect predictions, from which `auc` is
derived, `mean_iou_and_per_class_accuracy` sums by class, `precision_recall_at_k` and `average_precision` sets of
predicted classes. It imports ops and variables.
"""
