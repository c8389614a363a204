"""`tf.contrib.testing`: a FileWriter for tests, and readers of event files."""
