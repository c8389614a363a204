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

from tfmini._src.base.names.public import attach as _attach

__getattr__, __dir__, __all__ = _attach(__name__, __file__)
