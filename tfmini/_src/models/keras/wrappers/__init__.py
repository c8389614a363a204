"""`tf.keras.wrappers`: adapters of models to other libraries."""
