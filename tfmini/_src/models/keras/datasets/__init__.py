"""`tf.keras.datasets`: small data sets, read from ~/.keras/datasets, where they are fetched if they are not there."""
