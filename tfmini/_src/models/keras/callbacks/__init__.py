"""`tf.keras.callbacks`: hooks into model training.

`callback` defines the base class and callback lists; `loggers` records and prints results, `tensorboard`
writes event files, `early_stopping` stops training, `model_checkpoint` saves models.
"""
