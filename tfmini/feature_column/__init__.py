"""`tf.feature_column`: how a model takes in features, declared.

    columns, checking       the kinds of columns; what they are made with
    transformations         features, and what columns make of them, each once
    numbers, categories, vocabularies, combined, sequences, indicators, embeddings    the columns
    states                  where variables come from: a variable scope, or a layer
    input_layers, linear_models, sequence_inputs    what functions make of columns, in variable scopes
    feature_layers          the same as layers, whose variables are resources

A column holds no tensors: it is told a cache of features and a state with variables. It imports ops, variables,
layers and tables.
"""

from tfmini.feature_column.categories import (
    categorical_column_with_hash_bucket,
    categorical_column_with_identity,
)
from tfmini.feature_column.combined import crossed_column, weighted_categorical_column
from tfmini.feature_column.embeddings import embedding_column, shared_embedding_columns
from tfmini.feature_column.indicators import indicator_column
from tfmini.feature_column.input_layers import input_layer
from tfmini.feature_column.linear_models import linear_model
from tfmini.feature_column.numbers import bucketized_column, numeric_column
from tfmini.feature_column.parse_specs import make_parse_example_spec
from tfmini.feature_column.sequences import (
    sequence_categorical_column_with_hash_bucket,
    sequence_categorical_column_with_identity,
    sequence_categorical_column_with_vocabulary_file,
    sequence_categorical_column_with_vocabulary_list,
    sequence_numeric_column,
)
from tfmini.feature_column.vocabularies import (
    categorical_column_with_vocabulary_file,
    categorical_column_with_vocabulary_list,
)
from tfmini.names.namespaces import namespace as _namespace

__all__ = [
    "bucketized_column",
    "categorical_column_with_hash_bucket",
    "categorical_column_with_identity",
    "categorical_column_with_vocabulary_file",
    "categorical_column_with_vocabulary_list",
    "crossed_column",
    "embedding_column",
    "indicator_column",
    "input_layer",
    "linear_model",
    "make_parse_example_spec",
    "numeric_column",
    "sequence_categorical_column_with_hash_bucket",
    "sequence_categorical_column_with_identity",
    "sequence_categorical_column_with_vocabulary_file",
    "sequence_categorical_column_with_vocabulary_list",
    "sequence_numeric_column",
    "shared_embedding_columns",
    "weighted_categorical_column",
]

_namespace(globals())
