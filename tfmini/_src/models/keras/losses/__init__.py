"""`tf.keras.losses`: functions of targets and predictions, and classes with weighting and reduction."""
