"""Summaries: ops whose result is a serialized Summary message, which `tf.summary.FileWriter` gives to TensorBoard.

summary_scope     node names and tags of summaries
scalar_histogram_summary     one number; a histogram
image_summary     pictures, as PNG
audio_summary     sounds, as WAV
tensor_summaries    whole tensors, text
merge_summary    several summaries as one
summary_writer_ops    ops that write summaries to event files themselves, for `tf.contrib.summary`
"""
