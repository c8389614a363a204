"""`tf.keras.optimizers`: optimizers whose hyperparameters are variables, so that callbacks can set them.

`optimizer_v2` makes variables and updates; `sgd_adagrad_adadelta_ftrl` and `adam_and_rmsprop` have the rules;
`optimizer_by_name` finds them by name, and takes those of `tf.train`; `learning_rate_schedule` are learning rates
that depend on the step.
"""
