"""`tf.contrib.layers`: layers as functions, whose variables are the model's; initializers, regularizers."""

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
from tfmini.contrib.layers.columns.parsing import parse_feature_columns_from_sequence_examples
from tfmini.contrib.layers.columns.sparse import (
    sparse_column_with_hash_bucket,
    sparse_column_with_integerized_feature,
    sparse_column_with_keys,
    sparse_column_with_vocabulary_file,
    weighted_sparse_column,
)
from tfmini.contrib.layers.columns.targets import multi_class_target, regression_target
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
    summarize_collection,
    summarize_tensor,
    summarize_tensors,
)
from tfmini.names.namespaces import namespace as _namespace

__all__ = [
    "scattered_embedding_column",
    "regression_target",
    "parse_feature_columns_from_sequence_examples",
    "multi_class_target",
    "crossed_column",
    "SPARSE_FEATURE_CROSS_DEFAULT_HASH_KEY",
    "GDN",
    "OPTIMIZER_CLS_NAMES",
    "OPTIMIZER_SUMMARIES",
    "RevBlock",
    "apply_regularization",
    "avg_pool2d",
    "avg_pool3d",
    "batch_norm",
    "bias_add",
    "bow_encoder",
    "bucketized_column",
    "check_feature_columns",
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
    "create_feature_spec_for_parsing",
    "dense_to_sparse",
    "dropout",
    "elu",
    "embed_sequence",
    "embedding_column",
    "embedding_lookup_unique",
    "flatten",
    "fully_connected",
    "gdn",
    "group_norm",
    "images_to_sequence",
    "infer_real_valued_columns",
    "input_from_feature_columns",
    "instance_norm",
    "joint_weighted_sum_from_feature_columns",
    "l1_l2_regularizer",
    "l1_regularizer",
    "l2_regularizer",
    "layer_norm",
    "legacy_fully_connected",
    "legacy_linear",
    "legacy_relu",
    "linear",
    "make_place_holder_tensors_for_base_features",
    "max_pool2d",
    "max_pool3d",
    "maxout",
    "one_hot_column",
    "one_hot_encoding",
    "optimize_loss",
    "parse_feature_columns_from_examples",
    "real_valued_column",
    "recompute_grad",
    "relu",
    "relu6",
    "repeat",
    "rev_block",
    "safe_embedding_lookup_sparse",
    "scale_gradient",
    "separable_conv2d",
    "separable_convolution2d",
    "sequence_input_from_feature_columns",
    "sequence_to_images",
    "shared_embedding_columns",
    "softmax",
    "sparse_column_with_hash_bucket",
    "sparse_column_with_integerized_feature",
    "sparse_column_with_keys",
    "sparse_column_with_vocabulary_file",
    "spatial_softmax",
    "stack",
    "sum_regularizer",
    "summarize_activation",
    "summarize_activations",
    "summarize_collection",
    "summarize_tensor",
    "summarize_tensors",
    "transform_features",
    "unit_norm",
    "variance_scaling_initializer",
    "weighted_sparse_column",
    "weighted_sum_from_feature_columns",
    "xavier_initializer",
    "xavier_initializer_conv2d",
]

_namespace(globals())
