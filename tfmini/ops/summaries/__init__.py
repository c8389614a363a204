"""Summaries: ops whose result is a serialized Summary message, which `tf.summary.FileWriter` gives to TensorBoard.

scopes     how a summary's name becomes its node's and its tag
values     one number; a histogram
images     pictures, as PNG
sounds     sounds, as WAV
tensors    whole tensors, text
merging    several summaries as one
writers    ops that write summaries to event files themselves, as `tf.contrib.summary` makes them
"""
