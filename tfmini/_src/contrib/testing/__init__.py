"""`tf.contrib.testing`: a FileWriter for tests, and what files of events hold."""
