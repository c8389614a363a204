"""`tf.keras.layers`. What `tf.layers` has too lives in `tfmini/_src/nn/layers/keras/`."""
