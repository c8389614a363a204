"""`tensorflow.python.util`: internal modules used by libraries for TensorFlow 1."""
