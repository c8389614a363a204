"""`tf.feature_column`: declarations of how a model takes in features.

    base_columns, column_checks     the kinds of columns; what they are made with
    transformation_cache            features, and what columns make of them, each once
    numeric_and_bucketized_column, categorical_..., weighted_and_crossed_column, sequence_columns,
    indicator_column, embedding_column, shared_embeddings       the columns
    state_manager                   where variables come from: a variable scope, or a layer
    serialization                   columns as dicts, for the configurations of layers
    input_layer, linear_model, sequence_input_layer     what functions make of columns, in variable scopes
    dense_features                  the same as layers, whose variables are resources

A column holds no tensors: it is told a cache of features and a state with variables. It imports ops, variables,
layers and tables.
"""
