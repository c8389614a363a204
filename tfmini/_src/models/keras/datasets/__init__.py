"""`tf.keras.datasets`: small datasets in ~/.keras/datasets, downloaded if missing."""
