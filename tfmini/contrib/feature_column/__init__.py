"""`tf.contrib.feature_column`: columns of sequences, and the layer that takes them in."""

from tfmini.feature_column.sequence_inputs import sequence_input_layer, sequence_numeric_column
from tfmini.feature_column.sequences import (
    sequence_categorical_column_with_hash_bucket,
    sequence_categorical_column_with_identity,
    sequence_categorical_column_with_vocabulary_file,
    sequence_categorical_column_with_vocabulary_list,
)
from tfmini.names.namespaces import namespace as _namespace

__all__ = [
    "sequence_categorical_column_with_hash_bucket",
    "sequence_categorical_column_with_identity",
    "sequence_categorical_column_with_vocabulary_file",
    "sequence_categorical_column_with_vocabulary_list",
    "sequence_input_layer",
    "sequence_numeric_column",
]

_namespace(globals())
