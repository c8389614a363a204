"""`tf.keras.callbacks`: what is called while a model is trained.

`callback` has the class and lists of callbacks; `history_and_loggers` keeps and shows what happens, `tensorboard`
writes it, `early_stopping_and_model_checkpoint` stops, saves and changes the learning rate.
"""
