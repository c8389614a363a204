"""The older feature columns of `tf.contrib.layers`, and the inputs built from them.

column      their base classes
real_valued_column       numbers and their buckets
sparse_column      ids and weighted ids
ids_encodings    vectors of ids
feature_column_ops      the functions that take features and columns
"""
