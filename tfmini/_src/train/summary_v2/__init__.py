"""Summaries written by graph ops: writers, conditions, and the functions of `tf.contrib.summary`."""
