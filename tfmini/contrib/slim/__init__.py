"""`tf.contrib.slim`: layers, variables and losses under one name; networks made of them; training operations."""

from tfmini.contrib import losses, metrics
from tfmini.contrib.framework import nest
from tfmini.contrib.framework.arg_scopes import (
    add_arg_scope,
    arg_scope,
    arg_scope_func_key,
    arg_scoped_arguments,
    current_arg_scope,
    has_arg_scope,
)
from tfmini.contrib.framework.checkpoints import (
    assign_from_checkpoint,
    assign_from_checkpoint_fn,
)
from tfmini.contrib.framework.choosing import (
    add_model_variable,
    assign_from_values,
    assign_from_values_fn,
    filter_variables,
    get_local_variables,
    get_model_variables,
    get_trainable_variables,
    get_unique_variable,
    get_variable_full_name,
    get_variables,
    get_variables_by_name,
    get_variables_by_suffix,
    get_variables_to_restore,
)
from tfmini.contrib.framework.fusing import zero_initializer
from tfmini.contrib.framework.making import (
    VariableDeviceChooser,
    global_variable,
    local_variable,
    model_variable,
    variable,
)
from tfmini.contrib.framework.steps import (
    assert_global_step,
    assert_or_get_global_step,
    create_global_step,
    get_global_step,
    get_or_create_global_step,
)
from tfmini.contrib.layers.batch_norms import batch_norm
from tfmini.contrib.layers.channel_convolutions import (
    convolution2d_in_plane,
    separable_convolution2d,
)
from tfmini.contrib.layers.channel_convolutions import convolution2d_in_plane as conv2d_in_plane
from tfmini.contrib.layers.channel_convolutions import separable_convolution2d as separable_conv2d
from tfmini.contrib.layers.columns.crossed import (
    SPARSE_FEATURE_CROSS_DEFAULT_HASH_KEY,
    crossed_column,
    sparse_feature_cross,
)
from tfmini.contrib.layers.columns.dense import (
    bucketized_column,
    real_valued_column,
)
from tfmini.contrib.layers.columns.embedded import (
    embedding_column,
    one_hot_column,
    scattered_embedding_column,
    shared_embedding_columns,
)
from tfmini.contrib.layers.columns.models import (
    check_feature_columns,
    create_feature_spec_for_parsing,
    infer_real_valued_columns,
    input_from_feature_columns,
    joint_weighted_sum_from_feature_columns,
    make_place_holder_tensors_for_base_features,
    parse_feature_columns_from_examples,
    sequence_input_from_feature_columns,
    transform_features,
    weighted_sum_from_feature_columns,
)
from tfmini.contrib.layers.columns.parsing import (
    parse_feature_columns_from_sequence_examples,
)
from tfmini.contrib.layers.columns.scattered import (
    scattered_embedding_lookup,
    scattered_embedding_lookup_sparse,
)
from tfmini.contrib.layers.columns.sparse import (
    sparse_column_with_hash_bucket,
    sparse_column_with_integerized_feature,
    sparse_column_with_keys,
    sparse_column_with_vocabulary_file,
    weighted_sparse_column,
)
from tfmini.contrib.layers.columns.targets import (
    ProblemType,
    binary_svm_target,
    get_default_binary_metrics_for_eval,
    multi_class_target,
    regression_target,
)
from tfmini.contrib.layers.connected import bias_add, elu, fully_connected, linear, relu, relu6
from tfmini.contrib.layers.convolutions import (
    convolution,
    convolution1d,
    convolution2d,
    convolution2d_transpose,
    convolution3d,
    convolution3d_transpose,
)
from tfmini.contrib.layers.convolutions import convolution1d as conv1d
from tfmini.contrib.layers.convolutions import convolution2d as conv2d
from tfmini.contrib.layers.convolutions import convolution2d_transpose as conv2d_transpose
from tfmini.contrib.layers.convolutions import convolution3d as conv3d
from tfmini.contrib.layers.convolutions import convolution3d_transpose as conv3d_transpose
from tfmini.contrib.layers.divisive_norms import GDN, gdn
from tfmini.contrib.layers.embeddings import (
    embedding_lookup_unique,
    safe_embedding_lookup_sparse,
)
from tfmini.contrib.layers.initializers import (
    variance_scaling_initializer,
    xavier_initializer,
    xavier_initializer_conv2d,
)
from tfmini.contrib.layers.legacy import legacy_fully_connected, legacy_linear, legacy_relu
from tfmini.contrib.layers.norms import group_norm, instance_norm, layer_norm
from tfmini.contrib.layers.optimizing import (
    OPTIMIZER_CLS_NAMES,
    OPTIMIZER_SUMMARIES,
    optimize_loss,
)
from tfmini.contrib.layers.recomputing import recompute_grad
from tfmini.contrib.layers.regularizers import (
    apply_regularization,
    l1_l2_regularizer,
    l1_regularizer,
    l2_regularizer,
    sum_regularizer,
)
from tfmini.contrib.layers.repeating import repeat, stack
from tfmini.contrib.layers.reversible import RevBlock, rev_block
from tfmini.contrib.layers.scaled_gradients import scale_gradient
from tfmini.contrib.layers.sequences import bow_encoder, embed_sequence
from tfmini.contrib.layers.shaping import (
    avg_pool2d,
    avg_pool3d,
    dropout,
    flatten,
    max_pool2d,
    max_pool3d,
    maxout,
    one_hot_encoding,
    pool,
    softmax,
    unit_norm,
)
from tfmini.contrib.layers.sparse_values import dense_to_sparse
from tfmini.contrib.layers.spatial import images_to_sequence, sequence_to_images, spatial_softmax
from tfmini.contrib.layers.summaries import (
    summarize_activation,
    summarize_activations,
    summarize_biases,
    summarize_collection,
    summarize_tensor,
    summarize_tensors,
    summarize_variables,
    summarize_weights,
)
from tfmini.contrib.slim import evaluation, learning, model_analyzer, nets, summaries, utils
from tfmini.contrib.slim.data import (
    data_decoder,
    data_provider,
    dataset,
    dataset_data_provider,
    parallel_reader,
    prefetch_queue,
    tfexample_decoder,
)
from tfmini.names.deprecation import deprecated, deprecated_arg_values
from tfmini.names.namespaces import namespace as _namespace

__all__ = [
    "nest",
    "zero_initializer",
    "regression_target",
    "multi_class_target",
    "get_default_binary_metrics_for_eval",
    "binary_svm_target",
    "ProblemType",
    "weighted_sparse_column",
    "sparse_column_with_vocabulary_file",
    "sparse_column_with_keys",
    "sparse_column_with_integerized_feature",
    "sparse_column_with_hash_bucket",
    "scattered_embedding_lookup_sparse",
    "scattered_embedding_lookup",
    "scattered_embedding_column",
    "parse_feature_columns_from_sequence_examples",
    "weighted_sum_from_feature_columns",
    "transform_features",
    "sequence_input_from_feature_columns",
    "parse_feature_columns_from_examples",
    "make_place_holder_tensors_for_base_features",
    "joint_weighted_sum_from_feature_columns",
    "input_from_feature_columns",
    "infer_real_valued_columns",
    "create_feature_spec_for_parsing",
    "check_feature_columns",
    "shared_embedding_columns",
    "one_hot_column",
    "embedding_column",
    "real_valued_column",
    "bucketized_column",
    "sparse_feature_cross",
    "crossed_column",
    "SPARSE_FEATURE_CROSS_DEFAULT_HASH_KEY",
    "GDN",
    "RevBlock",
    "data_decoder",
    "data_provider",
    "dataset",
    "dataset_data_provider",
    "gdn",
    "parallel_reader",
    "prefetch_queue",
    "recompute_grad",
    "rev_block",
    "scale_gradient",
    "OPTIMIZER_CLS_NAMES",
    "OPTIMIZER_SUMMARIES",
    "VariableDeviceChooser",
    "add_arg_scope",
    "add_model_variable",
    "apply_regularization",
    "arg_scope",
    "arg_scope_func_key",
    "arg_scoped_arguments",
    "assert_global_step",
    "assert_or_get_global_step",
    "assign_from_checkpoint",
    "assign_from_checkpoint_fn",
    "assign_from_values",
    "assign_from_values_fn",
    "avg_pool2d",
    "avg_pool3d",
    "batch_norm",
    "bias_add",
    "bow_encoder",
    "conv1d",
    "conv2d",
    "conv2d_in_plane",
    "conv2d_transpose",
    "conv3d",
    "conv3d_transpose",
    "convolution",
    "convolution1d",
    "convolution2d",
    "convolution2d_in_plane",
    "convolution2d_transpose",
    "convolution3d",
    "convolution3d_transpose",
    "create_global_step",
    "current_arg_scope",
    "dense_to_sparse",
    "deprecated",
    "deprecated_arg_values",
    "dropout",
    "elu",
    "embed_sequence",
    "embedding_lookup_unique",
    "evaluation",
    "filter_variables",
    "flatten",
    "fully_connected",
    "get_global_step",
    "get_local_variables",
    "get_model_variables",
    "get_or_create_global_step",
    "get_trainable_variables",
    "get_unique_variable",
    "get_variable_full_name",
    "get_variables",
    "get_variables_by_name",
    "get_variables_by_suffix",
    "get_variables_to_restore",
    "global_variable",
    "group_norm",
    "has_arg_scope",
    "images_to_sequence",
    "instance_norm",
    "l1_l2_regularizer",
    "l1_regularizer",
    "l2_regularizer",
    "layer_norm",
    "learning",
    "legacy_fully_connected",
    "legacy_linear",
    "legacy_relu",
    "linear",
    "local_variable",
    "losses",
    "metrics",
    "max_pool2d",
    "max_pool3d",
    "maxout",
    "model_analyzer",
    "model_variable",
    "nets",
    "one_hot_encoding",
    "optimize_loss",
    "pool",
    "relu",
    "relu6",
    "repeat",
    "safe_embedding_lookup_sparse",
    "separable_conv2d",
    "separable_convolution2d",
    "sequence_to_images",
    "softmax",
    "spatial_softmax",
    "stack",
    "sum_regularizer",
    "summaries",
    "summarize_activation",
    "summarize_activations",
    "summarize_biases",
    "summarize_collection",
    "summarize_tensor",
    "summarize_tensors",
    "summarize_variables",
    "summarize_weights",
    "tfexample_decoder",
    "unit_norm",
    "utils",
    "variable",
    "variance_scaling_initializer",
    "xavier_initializer",
    "xavier_initializer_conv2d",
]

_namespace(globals())
