"""The older feature columns of `tf.contrib.layers`, and the inputs built from them.

column      base classes
real_valued_column       numeric and bucketized columns
sparse_column      ids and weighted ids
ids_encodings    one-hot and embedding vectors of ids
feature_column_ops      functions of features and columns
"""
