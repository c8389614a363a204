"""Summaries that a graph writes by itself: writers, conditions, and the functions of `tf.contrib.summary`."""
