"""`tf.keras.wrappers`: adapters of models for other libraries."""
