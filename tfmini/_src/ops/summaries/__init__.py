"""Summaries: ops that return a serialized Summary message, which `tf.summary.FileWriter` writes for TensorBoard.

summary_scope     node names and tags of summaries
scalar_histogram_summary     one number; a histogram
image_summary     images, as PNG
audio_summary     sounds, as WAV
tensor_summaries    entire tensors, text
merge_summary    several summaries as one
summary_writer_ops    ops that write summaries directly to event files, for `tf.contrib.summary`
"""
