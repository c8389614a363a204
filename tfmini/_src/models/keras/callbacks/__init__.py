"""`tf.keras.callbacks`: hooks into the training of a model.

`callback` has the class and lists of callbacks; `history_and_loggers` keeps and shows what happens, `tensorboard`
writes it, `early_stopping_and_model_checkpoint` stops, saves and changes the learning rate.
"""
