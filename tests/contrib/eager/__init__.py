"""Tests of `tf.contrib.eager`."""
