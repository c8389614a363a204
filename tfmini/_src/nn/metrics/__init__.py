"""`tf.metrics`: measures of models over many batches, accumulated in local variables.

Each function returns the metric's current value and an op that adds a batch. `state` creates the variables, `operands`
brings labels, predictions and weights to one rank; the other files are grouped by their state: `running_means` has
a sum and a count, `precision_recall` and `thresholds` counts of correct and incorrect predictions, from which `auc` is
derived, `per_class_means` sums by class, `precision_recall_at_k` and `average_precision` sets of
predicted classes. It imports ops and variables.
"""
