"""`tf.keras.optimizers`: optimizers whose hyperparameters are variables, so that callbacks can set them.

`optimizer_v2` creates variables and updates; `sgd_adagrad_adadelta_ftrl` and `moment_optimizers` define the rules;
`optimizer_by_name` resolves names, and wraps `tf.train` optimizers; `learning_rate_schedule` has learning rates that
depend on the step.
"""
