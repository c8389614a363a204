"""`tf.keras.optimizers`: optimizers with hyperparameters as variables, which callbacks can set.

`optimizer_v2` creates variables and updates; `single_op_optimizers` and `moment_optimizers` define
the update rules; `optimizer_by_name` resolves names and wraps `tf.train` optimizers; `learning_rate_schedule`
defines schedules.
"""
