"""`tf.keras.losses`: functions of targets and predictions, and classes that weight and reduce them."""
