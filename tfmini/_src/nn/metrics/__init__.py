"""`tf.metrics`: quality measures of models over many batches, accumulated in local variables.

Each function returns the metric's current value and an op that adds a batch. `state` creates the variables, `operands`
matches the ranks of labels, predictions and weights. The other files are grouped by their state: `running_means` uses
a sum and a count; `precision_recall` and `metrics_at_thresholds` count correct and incorrect predictions, from
which `curve_metrics` derives curves; `per_class_means` sums by class; `precision_recall_at_k` and
`average_precision_at_k` operate on sets of predicted classes. May import ops and variables.
"""
