"""`tf.keras.datasets`: small data sets in ~/.keras/datasets, downloaded if missing."""
