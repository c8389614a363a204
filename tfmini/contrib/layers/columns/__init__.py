"""The older columns of `tf.contrib.layers`, and what networks and linear models make of them.

column      what they share
dense       numbers and their buckets
sparse      ids and weighted ids
embedded    vectors of ids
models      the functions that take features and columns
"""
