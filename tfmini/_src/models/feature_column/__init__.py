"""`tf.feature_column`: declarations of a model's input features.

    base_columns, column_checks     column kinds; argument checks
    transformation_cache            cached features and transformed columns
    numeric_columns, categorical_..., derived_categorical_columns, sequence_columns,
    indicator_column, embedding_column, shared_embeddings       the columns
    state_manager                   source of variables: a variable scope, or a layer
    serialization                   columns as dicts, for layer configurations
    input_layer, linear_model, sequence_input_layer     functions over columns, with variable scopes
    dense_features                  layers over columns, with resource variables

Columns contain no tensors: methods receive a cache of features and a state with variables. Imports ops,
variables, layers and tables.
"""
