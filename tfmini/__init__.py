"""tfmini: TensorFlow 1.x programs on today's Python and today's GPUs.

`import tfmini as tf` gives the names of TensorFlow 1.15.5.
"""

import sys as _sys
import typing as _typing

from tfmini.startup import loading as _loading  # isort: skip  before all others

from tfmini import (
    compat,
    debugging,
    dtypes,
    errors,
    gfile,
    logging,
    math,
    nest,
    nn,
    version,
)
from tfmini.autodiff.aggregation import AggregationMethod
from tfmini.autodiff.gradients import UnconnectedGradients, gradients
from tfmini.autodiff.hessians import hessians
from tfmini.autodiff.registry import RegisterGradient, no_gradient
from tfmini.autodiff.registry import no_gradient as NoGradient
from tfmini.autodiff.registry import no_gradient as NotDifferentiable
from tfmini.compat.behavior import (
    control_flow_v2_enabled,
    disable_control_flow_v2,
    disable_tensor_equality,
    disable_v2_behavior,
    enable_control_flow_v2,
    enable_tensor_equality,
    enable_v2_behavior,
)
from tfmini.dtypes import (
    QUANTIZED_DTYPES,
    DType,
    as_dtype,
    bfloat16,
    bool,
    complex64,
    complex128,
    double,
    float16,
    float32,
    float64,
    half,
    int8,
    int16,
    int32,
    int64,
    qint8,
    qint16,
    qint32,
    quint8,
    quint16,
    resource,
    string,
    uint8,
    uint16,
    uint32,
    uint64,
    variant,
)
from tfmini.errors import OpError
from tfmini.functions.custom_gradients import custom_gradient, grad_pass_through, recompute_grad
from tfmini.functions.eager_mode import (
    disable_eager_execution,
    enable_eager_execution,
    executing_eagerly,
)
from tfmini.functions.mapping import foldl, foldr, map_fn, scan
from tfmini.graph.conversion import (
    convert_to_tensor,
    convert_to_tensor_or_indexed_slices,
    convert_to_tensor_or_sparse_tensor,
    register_tensor_conversion_function,
)
from tfmini.graph.default import get_default_session
from tfmini.graph.default_graph import get_default_graph, reset_default_graph
from tfmini.graph.devices import DeviceSpec
from tfmini.graph.graph import Graph
from tfmini.graph.graphdef.graphdef import import_graph_def
from tfmini.graph.keys import GraphKeys
from tfmini.graph.operation import Operation
from tfmini.graph.scopes import (
    add_to_collection,
    add_to_collections,
    container,
    control_dependencies,
    device,
    get_collection,
    get_collection_ref,
    name_scope,
    op_scope,
)
from tfmini.graph.scopes import public_colocate_with as colocate_with
from tfmini.graph.seeds import get_seed, set_random_seed
from tfmini.graph.specs import TensorSpec, TypeSpec
from tfmini.graph.static_values import get_static_value
from tfmini.graph.tensor import Tensor
from tfmini.graph.tensor_proto import MakeNdarray as make_ndarray
from tfmini.graph.tensor_proto import make_tensor_proto
from tfmini.graph.values import (
    IndexedSlices,
    IndexedSlicesSpec,
    SparseTensor,
    SparseTensorSpec,
    SparseTensorValue,
    is_tensor,
)
from tfmini.logs import get_logger
from tfmini.names.namespaces import namespace as _namespace
from tfmini.ops.array.casting import (
    bitcast,
    cast,
    saturate_cast,
    to_bfloat16,
    to_complex64,
    to_complex128,
    to_double,
    to_float,
    to_int32,
    to_int64,
)
from tfmini.ops.array.concats import concat
from tfmini.ops.array.constants import (
    constant,
    placeholder,
    placeholder_with_default,
    sparse_placeholder,
)
from tfmini.ops.array.diagonals import (
    diag,
    diag_part,
    eye,
    matrix_band_part,
    matrix_diag,
    matrix_diag_part,
    matrix_set_diag,
)
from tfmini.ops.array.filling import fill, ones, ones_like, zeros, zeros_like
from tfmini.ops.array.gathering import batch_gather, gather
from tfmini.ops.array.gathering_nd import gather_nd, unravel_index
from tfmini.ops.array.identities import (
    ensure_shape,
    guarantee_const,
    identity,
    identity_n,
    stop_gradient,
)
from tfmini.ops.array.indexing import newaxis
from tfmini.ops.array.padding import pad
from tfmini.ops.array.partitioning import dynamic_partition, dynamic_stitch
from tfmini.ops.array.patches import extract_image_patches, extract_volume_patches
from tfmini.ops.array.reshaping import expand_dims, reshape, squeeze
from tfmini.ops.array.reversing import reverse, reverse_sequence, reverse_v2, roll
from tfmini.ops.array.scattering_nd import (
    scatter_nd,
    tensor_scatter_add,
    tensor_scatter_nd_add,
    tensor_scatter_nd_sub,
    tensor_scatter_nd_update,
    tensor_scatter_sub,
    tensor_scatter_update,
)
from tfmini.ops.array.selecting import boolean_mask, sparse_mask, where, where_v2
from tfmini.ops.array.sequences import lin_space, linspace, meshgrid, one_hot, range, sequence_mask
from tfmini.ops.array.shapes import rank, shape, shape_n, size
from tfmini.ops.array.slicing import slice, strided_slice
from tfmini.ops.array.space_to_batch import (
    batch_to_space,
    batch_to_space_nd,
    required_space_to_batch_paddings,
    space_to_batch,
    space_to_batch_nd,
)
from tfmini.ops.array.space_to_depth import depth_to_space, space_to_depth
from tfmini.ops.array.splitting import split
from tfmini.ops.array.stacking import parallel_stack, stack, unstack
from tfmini.ops.array.tiling import (
    broadcast_dynamic_shape,
    broadcast_static_shape,
    broadcast_to,
    repeat,
    tile,
)
from tfmini.ops.array.transposes import invert_permutation, matrix_transpose, transpose
from tfmini.ops.array.uniques import searchsorted, setdiff1d, unique, unique_with_counts
from tfmini.ops.checks.asserts import Assert
from tfmini.ops.checks.clock import timestamp
from tfmini.ops.checks.numerics import (
    add_check_numerics_ops,
    check_numerics,
    verify_tensor_all_finite,
)
from tfmini.ops.checks.printing import Print
from tfmini.ops.checks.printing import print_values as print
from tfmini.ops.checks.rank_checks import assert_rank, assert_rank_at_least, assert_rank_in
from tfmini.ops.checks.type_checks import (
    assert_integer,
    assert_proper_iterable,
    assert_same_float_dtype,
    assert_scalar,
    assert_type,
    is_numeric_tensor,
)
from tfmini.ops.checks.value_checks import (
    assert_equal,
    assert_greater,
    assert_greater_equal,
    assert_less,
    assert_less_equal,
    assert_near,
    assert_negative,
    assert_non_negative,
    assert_non_positive,
    assert_none_equal,
    assert_positive,
    is_non_decreasing,
    is_strictly_increasing,
)
from tfmini.ops.control_flow.cases import case
from tfmini.ops.control_flow.conditions import cond
from tfmini.ops.control_flow.grouping import group, no_op
from tfmini.ops.control_flow.grouping import tuple_of as tuple
from tfmini.ops.control_flow.loops import while_loop
from tfmini.ops.files.file_contents import matching_files, read_file, write_file
from tfmini.ops.functions.libraries import (
    load_file_system_library,
    load_library,
    load_op_library,
)
from tfmini.ops.functions.python_functions import numpy_function, py_func
from tfmini.ops.linalg.cholesky_lu import cholesky, cholesky_solve
from tfmini.ops.linalg.contractions import cross, norm, tensordot
from tfmini.ops.linalg.decompositions import matrix_triangular_solve, qr
from tfmini.ops.linalg.determinants import matrix_determinant
from tfmini.ops.linalg.eigenvalues import self_adjoint_eig, self_adjoint_eigvals, svd
from tfmini.ops.linalg.einsum import einsum
from tfmini.ops.linalg.matrix_functions import matrix_square_root
from tfmini.ops.linalg.products import matmul
from tfmini.ops.linalg.solving import matrix_inverse, matrix_solve, matrix_solve_ls
from tfmini.ops.linalg.sparse_products import sparse_matmul
from tfmini.ops.lists.tensor_arrays import TensorArray
from tfmini.ops.lookup.tables import initialize_all_tables, tables_initializer
from tfmini.ops.math.argminmax import arg_max, arg_min, argmax, argmin
from tfmini.ops.math.arithmetic import add, multiply, pow, scalar_mul, squared_difference, subtract
from tfmini.ops.math.clipping import (
    clip_by_average_norm,
    clip_by_global_norm,
    clip_by_norm,
    clip_by_value,
    global_norm,
)
from tfmini.ops.math.comparison import (
    equal,
    greater,
    greater_equal,
    less,
    less_equal,
    maximum,
    minimum,
    not_equal,
)
from tfmini.ops.math.complexes import angle, complex, conj, imag, real
from tfmini.ops.math.confusion import confusion_matrix
from tfmini.ops.math.counting import bincount
from tfmini.ops.math.division import (
    div,
    div_no_nan,
    divide,
    floor_div,
    floordiv,
    floormod,
    realdiv,
    truediv,
    truncatediv,
    truncatemod,
)
from tfmini.ops.math.division import floormod as mod
from tfmini.ops.math.exponentials import exp, expm1, log, log1p, log_sigmoid, sigmoid, tanh
from tfmini.ops.math.histograms import histogram_fixed_width, histogram_fixed_width_bins
from tfmini.ops.math.incomplete import betainc, igamma, igammac, polygamma, zeta
from tfmini.ops.math.logic import logical_and, logical_not, logical_or, logical_xor
from tfmini.ops.math.magnitudes import abs, negative, reciprocal, rsqrt, sign, sqrt, square
from tfmini.ops.math.reducing import (
    count_nonzero,
    reduce_all,
    reduce_any,
    reduce_logsumexp,
    reduce_max,
    reduce_mean,
    reduce_min,
    reduce_prod,
    reduce_sum,
    trace,
)
from tfmini.ops.math.rounding import ceil, floor, is_finite, is_inf, is_nan, rint, round
from tfmini.ops.math.scans import cumprod, cumsum
from tfmini.ops.math.segments import (
    segment_max,
    segment_mean,
    segment_min,
    segment_prod,
    segment_sum,
)
from tfmini.ops.math.sorting import argsort, sort
from tfmini.ops.math.special import digamma, erf, erfc, lbeta, lgamma
from tfmini.ops.math.sums import accumulate_n, add_n
from tfmini.ops.math.trigonometry import (
    acos,
    acosh,
    asin,
    asinh,
    atan,
    atan2,
    atanh,
    cos,
    cosh,
    sin,
    sinh,
    tan,
)
from tfmini.ops.math.unsorted_segments import (
    unsorted_segment_max,
    unsorted_segment_mean,
    unsorted_segment_min,
    unsorted_segment_prod,
    unsorted_segment_sqrt_n,
    unsorted_segment_sum,
)
from tfmini.ops.parsing.comma_separated import decode_csv
from tfmini.ops.parsing.examples import parse_example, parse_single_example
from tfmini.ops.parsing.feature_specs import (
    FixedLenFeature,
    FixedLenSequenceFeature,
    SparseFeature,
    VarLenFeature,
)
from tfmini.ops.parsing.sequence_examples import parse_single_sequence_example
from tfmini.ops.parsing.serialized_tensors import (
    decode_json_example,
    parse_tensor,
    serialize_tensor,
)
from tfmini.ops.quantization.fake_quantization import (
    fake_quant_with_min_max_args,
    fake_quant_with_min_max_args_gradient,
    fake_quant_with_min_max_vars,
    fake_quant_with_min_max_vars_gradient,
    fake_quant_with_min_max_vars_per_channel,
    fake_quant_with_min_max_vars_per_channel_gradient,
)
from tfmini.ops.quantization.quantizing import dequantize, quantize, quantize_v2
from tfmini.ops.queues.accumulator_objects import (
    ConditionalAccumulator,
    ConditionalAccumulatorBase,
    SparseConditionalAccumulator,
)
from tfmini.ops.queues.queue_objects import (
    FIFOQueue,
    PaddingFIFOQueue,
    PriorityQueue,
    QueueBase,
    RandomShuffleQueue,
)
from tfmini.ops.queues.reader_objects import (
    FixedLengthRecordReader,
    IdentityReader,
    LMDBReader,
    ReaderBase,
    TextLineReader,
    TFRecordReader,
    WholeFileReader,
)
from tfmini.ops.random.randoms import (
    random_crop,
    random_normal,
    random_shuffle,
    random_uniform,
    truncated_normal,
)
from tfmini.ops.random.sampling import multinomial, random_gamma, random_poisson
from tfmini.ops.signal.fourier import fft, fft2d, fft3d, ifft, ifft2d, ifft3d
from tfmini.ops.sparse.sparse_dense import (
    sparse_tensor_to_dense,
    sparse_to_dense,
    sparse_to_indicator,
)
from tfmini.ops.sparse.sparse_elementwise import sparse_maximum, sparse_minimum, sparse_softmax
from tfmini.ops.sparse.sparse_matrices import sparse_tensor_dense_matmul
from tfmini.ops.sparse.sparse_orders import (
    sparse_merge,
    sparse_reorder,
    sparse_reset_shape,
    sparse_reshape,
    sparse_transpose,
)
from tfmini.ops.sparse.sparse_parts import sparse_concat, sparse_retain, sparse_slice, sparse_split
from tfmini.ops.sparse.sparse_reductions import (
    sparse_reduce_max,
    sparse_reduce_max_sparse,
    sparse_reduce_sum,
    sparse_reduce_sum_sparse,
)
from tfmini.ops.sparse.sparse_rows import sparse_fill_empty_rows
from tfmini.ops.sparse.sparse_segments import (
    sparse_segment_mean,
    sparse_segment_sqrt_n,
    sparse_segment_sum,
)
from tfmini.ops.sparse.sparse_serialized import (
    deserialize_many_sparse,
    serialize_many_sparse,
    serialize_sparse,
)
from tfmini.ops.sparse.sparse_sums import sparse_add
from tfmini.ops.state.scattering import (
    batch_scatter_update,
    scatter_add,
    scatter_div,
    scatter_max,
    scatter_min,
    scatter_mul,
    scatter_nd_add,
    scatter_nd_sub,
    scatter_nd_update,
    scatter_sub,
    scatter_update,
)
from tfmini.ops.state.states import assign, assign_add, assign_sub, count_up_to
from tfmini.ops.string.edit_distances import edit_distance
from tfmini.ops.string.string_encodings import (
    decode_base64,
    decode_compressed,
    decode_raw,
    encode_base64,
)
from tfmini.ops.string.string_hashes import (
    fingerprint,
    string_to_hash_bucket,
    string_to_hash_bucket_fast,
    string_to_hash_bucket_strong,
)
from tfmini.ops.string.string_joining import reduce_join, string_join
from tfmini.ops.string.string_numbers import as_string, string_to_number
from tfmini.ops.string.string_patterns import regex_replace
from tfmini.ops.string.string_pieces import string_strip
from tfmini.ops.string.string_pieces import substr_deprecated as substr
from tfmini.ops.string.string_splitting import string_split
from tfmini.session.interactive import InteractiveSession
from tfmini.session.session import Session
from tfmini.session.tensor_handles import (
    delete_session_tensor,
    get_session_handle,
    get_session_tensor,
)
from tfmini.shapes import (
    Dimension,
    TensorShape,
    dimension_at_index,
    dimension_value,
    disable_v2_tensorshape,
    enable_v2_tensorshape,
)
from tfmini.startup.late_names import load as _load
from tfmini.variables.collected import (
    all_variables,
    assert_variables_initialized,
    global_variables,
    global_variables_initializer,
    initialize_all_variables,
    initialize_local_variables,
    initialize_variables,
    is_variable_initialized,
    local_variables,
    local_variables_initializer,
    model_variables,
    moving_average_variables,
    report_uninitialized_variables,
    trainable_variables,
    variables_initializer,
)
from tfmini.variables.creation import variable_creator_scope
from tfmini.variables.default_kind import (
    disable_resource_variables,
    enable_resource_variables,
    resource_variables_enabled,
)
from tfmini.variables.init_scope import init_scope
from tfmini.variables.initializers import Constant as constant_initializer
from tfmini.variables.initializers import GlorotNormal as glorot_normal_initializer
from tfmini.variables.initializers import GlorotUniform as glorot_uniform_initializer
from tfmini.variables.initializers import Ones as ones_initializer
from tfmini.variables.initializers import Orthogonal as orthogonal_initializer
from tfmini.variables.initializers import RandomNormal as random_normal_initializer
from tfmini.variables.initializers import RandomUniform as random_uniform_initializer
from tfmini.variables.initializers import TruncatedNormal as truncated_normal_initializer
from tfmini.variables.initializers import UniformUnitScaling as uniform_unit_scaling_initializer
from tfmini.variables.initializers import VarianceScaling as variance_scaling_initializer
from tfmini.variables.initializers import Zeros as zeros_initializer
from tfmini.variables.module import Module
from tfmini.variables.partitioned import (
    fixed_size_partitioner,
    min_max_variable_partitioner,
    variable_axis_size_partitioner,
)
from tfmini.variables.partitioned_variables import create_partitioned_variables
from tfmini.variables.scope import (
    VariableScope,
    get_local_variable,
    get_variable,
    get_variable_scope,
    no_regularizer,
)
from tfmini.variables.scope_blocks import variable_op_scope, variable_scope
from tfmini.variables.store import AUTO_REUSE
from tfmini.variables.synchronization import VariableAggregation, VariableSynchronization
from tfmini.variables.template import make_template
from tfmini.variables.variable import Variable
from tfmini.version import (
    COMPILER_VERSION,
    GIT_VERSION,
    GRAPH_DEF_VERSION,
    GRAPH_DEF_VERSION_MIN_CONSUMER,
    GRAPH_DEF_VERSION_MIN_PRODUCER,
    VERSION,
)

__version__ = VERSION
# Facts about TensorFlow's own library, for programs that build extensions of it.
CXX11_ABI_FLAG = MONOLITHIC_BUILD = 0

if _typing.TYPE_CHECKING:  # what loads at its first use, shown to editors
    from tfmini import (
        app,
        audio,
        autograph,
        bitwise,
        config,
        contrib,
        data,
        distribute,
        distributions,
        estimator,
        feature_column,
        flags,
        graph_util,
        image,
        initializers,
        io,
        keras,
        layers,
        linalg,
        lookup,
        losses,
        manip,
        metrics,
        profiler,
        python_io,
        quantization,
        queue,
        ragged,
        random,
        raw_ops,
        resource_loader,
        saved_model,
        sets,
        signal,
        sparse,
        spectral,
        strings,
        summary,
        sysconfig,
        test,
        train,
        user_ops,
    )
    from tfmini.data.experimental.optionals import OptionalSpec
    from tfmini.functions.critical_sections import CriticalSection
    from tfmini.functions.indexed_case import switch_case
    from tfmini.functions.polymorphic import function, wrap_function
    from tfmini.ops.ragged.ragged_specs import RaggedTensorSpec
    from tfmini.ops.ragged.ragged_tensors import RaggedTensor
    from tfmini.proto import (
        AttrValue,
        ConfigProto,
        Event,
        GPUOptions,
        GraphDef,
        GraphOptions,
        HistogramProto,
        LogMessage,
        MetaGraphDef,
        NameAttrList,
        NodeDef,
        OptimizerOptions,
        RunMetadata,
        RunOptions,
        SessionLog,
        Summary,
        SummaryMetadata,
        TensorInfo,
    )

__all__ = [
    "ConditionalAccumulator",
    "ConditionalAccumulatorBase",
    "CriticalSection",
    "SparseConditionalAccumulator",
    "ReaderBase",
    "WholeFileReader",
    "TextLineReader",
    "FixedLengthRecordReader",
    "TFRecordReader",
    "LMDBReader",
    "IdentityReader",
    "AUTO_REUSE",
    "AggregationMethod",
    "Assert",
    "AttrValue",
    "COMPILER_VERSION",
    "CXX11_ABI_FLAG",
    "ConfigProto",
    "DType",
    "DeviceSpec",
    "Dimension",
    "Event",
    "FIFOQueue",
    "FixedLenFeature",
    "FixedLenSequenceFeature",
    "GIT_VERSION",
    "GPUOptions",
    "GRAPH_DEF_VERSION",
    "GRAPH_DEF_VERSION_MIN_CONSUMER",
    "GRAPH_DEF_VERSION_MIN_PRODUCER",
    "Graph",
    "GraphDef",
    "GraphKeys",
    "GraphOptions",
    "HistogramProto",
    "IndexedSlices",
    "IndexedSlicesSpec",
    "InteractiveSession",
    "LogMessage",
    "MONOLITHIC_BUILD",
    "MetaGraphDef",
    "Module",
    "NameAttrList",
    "NoGradient",
    "NodeDef",
    "NotDifferentiable",
    "OpError",
    "Operation",
    "OptimizerOptions",
    "OptionalSpec",
    "PaddingFIFOQueue",
    "Print",
    "PriorityQueue",
    "QUANTIZED_DTYPES",
    "QueueBase",
    "RandomShuffleQueue",
    "RaggedTensor",
    "RaggedTensorSpec",
    "RegisterGradient",
    "RunMetadata",
    "RunOptions",
    "Session",
    "SessionLog",
    "SparseFeature",
    "SparseTensor",
    "SparseTensorSpec",
    "SparseTensorValue",
    "Summary",
    "SummaryMetadata",
    "Tensor",
    "TensorArray",
    "TensorInfo",
    "TensorShape",
    "TensorSpec",
    "TypeSpec",
    "UnconnectedGradients",
    "VERSION",
    "VarLenFeature",
    "Variable",
    "VariableAggregation",
    "VariableScope",
    "VariableSynchronization",
    "abs",
    "accumulate_n",
    "acos",
    "acosh",
    "add",
    "add_check_numerics_ops",
    "add_n",
    "add_to_collection",
    "add_to_collections",
    "all_variables",
    "angle",
    "app",
    "arg_max",
    "arg_min",
    "argmax",
    "argmin",
    "argsort",
    "as_dtype",
    "as_string",
    "asin",
    "asinh",
    "assert_equal",
    "assert_greater",
    "assert_greater_equal",
    "assert_integer",
    "assert_less",
    "assert_less_equal",
    "assert_near",
    "assert_negative",
    "assert_non_negative",
    "assert_non_positive",
    "assert_none_equal",
    "assert_positive",
    "assert_proper_iterable",
    "assert_rank",
    "assert_rank_at_least",
    "assert_rank_in",
    "assert_same_float_dtype",
    "assert_scalar",
    "assert_type",
    "assert_variables_initialized",
    "assign",
    "assign_add",
    "assign_sub",
    "atan",
    "atan2",
    "atanh",
    "audio",
    "autograph",
    "batch_gather",
    "batch_scatter_update",
    "batch_to_space",
    "batch_to_space_nd",
    "betainc",
    "bfloat16",
    "bincount",
    "bitcast",
    "bitwise",
    "bool",
    "boolean_mask",
    "broadcast_dynamic_shape",
    "broadcast_static_shape",
    "broadcast_to",
    "case",
    "cast",
    "ceil",
    "check_numerics",
    "cholesky",
    "cholesky_solve",
    "clip_by_average_norm",
    "clip_by_global_norm",
    "clip_by_norm",
    "clip_by_value",
    "colocate_with",
    "compat",
    "complex",
    "complex128",
    "complex64",
    "concat",
    "cond",
    "config",
    "confusion_matrix",
    "conj",
    "constant",
    "constant_initializer",
    "container",
    "contrib",
    "control_dependencies",
    "control_flow_v2_enabled",
    "convert_to_tensor",
    "convert_to_tensor_or_indexed_slices",
    "convert_to_tensor_or_sparse_tensor",
    "cos",
    "cosh",
    "count_nonzero",
    "count_up_to",
    "create_partitioned_variables",
    "cross",
    "cumprod",
    "cumsum",
    "custom_gradient",
    "data",
    "debugging",
    "decode_base64",
    "decode_compressed",
    "decode_csv",
    "decode_json_example",
    "decode_raw",
    "delete_session_tensor",
    "depth_to_space",
    "dequantize",
    "deserialize_many_sparse",
    "device",
    "diag",
    "diag_part",
    "digamma",
    "dimension_at_index",
    "dimension_value",
    "disable_control_flow_v2",
    "disable_eager_execution",
    "disable_resource_variables",
    "disable_tensor_equality",
    "disable_v2_behavior",
    "disable_v2_tensorshape",
    "distribute",
    "distributions",
    "div",
    "div_no_nan",
    "divide",
    "double",
    "dtypes",
    "dynamic_partition",
    "dynamic_stitch",
    "edit_distance",
    "einsum",
    "enable_control_flow_v2",
    "enable_eager_execution",
    "enable_resource_variables",
    "enable_tensor_equality",
    "enable_v2_behavior",
    "enable_v2_tensorshape",
    "encode_base64",
    "ensure_shape",
    "equal",
    "erf",
    "erfc",
    "errors",
    "estimator",
    "executing_eagerly",
    "exp",
    "expand_dims",
    "expm1",
    "extract_image_patches",
    "extract_volume_patches",
    "eye",
    "fake_quant_with_min_max_args",
    "fake_quant_with_min_max_args_gradient",
    "fake_quant_with_min_max_vars",
    "fake_quant_with_min_max_vars_gradient",
    "fake_quant_with_min_max_vars_per_channel",
    "fake_quant_with_min_max_vars_per_channel_gradient",
    "feature_column",
    "fft",
    "fft2d",
    "fft3d",
    "fill",
    "fingerprint",
    "fixed_size_partitioner",
    "flags",
    "float16",
    "float32",
    "float64",
    "floor",
    "floor_div",
    "floordiv",
    "floormod",
    "foldl",
    "foldr",
    "function",
    "gather",
    "gather_nd",
    "get_collection",
    "get_collection_ref",
    "get_default_graph",
    "get_default_session",
    "get_local_variable",
    "get_logger",
    "get_seed",
    "get_session_handle",
    "get_session_tensor",
    "get_static_value",
    "get_variable",
    "get_variable_scope",
    "gfile",
    "global_norm",
    "global_variables",
    "global_variables_initializer",
    "glorot_normal_initializer",
    "glorot_uniform_initializer",
    "grad_pass_through",
    "gradients",
    "graph_util",
    "greater",
    "greater_equal",
    "group",
    "guarantee_const",
    "half",
    "hessians",
    "histogram_fixed_width",
    "histogram_fixed_width_bins",
    "identity",
    "identity_n",
    "ifft",
    "ifft2d",
    "ifft3d",
    "igamma",
    "igammac",
    "imag",
    "image",
    "import_graph_def",
    "init_scope",
    "initialize_all_tables",
    "initialize_all_variables",
    "initialize_local_variables",
    "initialize_variables",
    "initializers",
    "int16",
    "int32",
    "int64",
    "int8",
    "invert_permutation",
    "io",
    "is_finite",
    "is_inf",
    "is_nan",
    "is_non_decreasing",
    "is_numeric_tensor",
    "is_strictly_increasing",
    "is_tensor",
    "is_variable_initialized",
    "keras",
    "layers",
    "lbeta",
    "less",
    "less_equal",
    "lgamma",
    "lin_space",
    "linalg",
    "linspace",
    "load_file_system_library",
    "load_library",
    "load_op_library",
    "local_variables",
    "local_variables_initializer",
    "log",
    "log1p",
    "log_sigmoid",
    "logging",
    "logical_and",
    "logical_not",
    "logical_or",
    "logical_xor",
    "lookup",
    "losses",
    "make_ndarray",
    "make_template",
    "make_tensor_proto",
    "manip",
    "map_fn",
    "matching_files",
    "math",
    "matmul",
    "matrix_band_part",
    "matrix_determinant",
    "matrix_diag",
    "matrix_diag_part",
    "matrix_inverse",
    "matrix_set_diag",
    "matrix_solve",
    "matrix_solve_ls",
    "matrix_square_root",
    "matrix_transpose",
    "matrix_triangular_solve",
    "maximum",
    "meshgrid",
    "metrics",
    "min_max_variable_partitioner",
    "minimum",
    "mod",
    "model_variables",
    "moving_average_variables",
    "multinomial",
    "multiply",
    "name_scope",
    "negative",
    "nest",
    "newaxis",
    "nn",
    "no_gradient",
    "no_op",
    "no_regularizer",
    "norm",
    "not_equal",
    "numpy_function",
    "one_hot",
    "ones",
    "ones_initializer",
    "ones_like",
    "op_scope",
    "orthogonal_initializer",
    "pad",
    "parallel_stack",
    "parse_example",
    "parse_single_example",
    "parse_single_sequence_example",
    "parse_tensor",
    "placeholder",
    "placeholder_with_default",
    "polygamma",
    "pow",
    "print",
    "py_func",
    "profiler",
    "python_io",
    "qint16",
    "qint32",
    "qint8",
    "qr",
    "quantization",
    "quantize",
    "quantize_v2",
    "queue",
    "quint16",
    "quint8",
    "ragged",
    "random",
    "random_crop",
    "random_gamma",
    "random_normal",
    "random_normal_initializer",
    "random_poisson",
    "random_shuffle",
    "random_uniform",
    "random_uniform_initializer",
    "range",
    "rank",
    "raw_ops",
    "read_file",
    "real",
    "realdiv",
    "reciprocal",
    "recompute_grad",
    "reduce_all",
    "reduce_any",
    "reduce_join",
    "reduce_logsumexp",
    "reduce_max",
    "reduce_mean",
    "reduce_min",
    "reduce_prod",
    "reduce_sum",
    "regex_replace",
    "register_tensor_conversion_function",
    "repeat",
    "report_uninitialized_variables",
    "required_space_to_batch_paddings",
    "reset_default_graph",
    "reshape",
    "resource",
    "resource_loader",
    "resource_variables_enabled",
    "reverse",
    "reverse_sequence",
    "reverse_v2",
    "rint",
    "roll",
    "round",
    "rsqrt",
    "saturate_cast",
    "saved_model",
    "scalar_mul",
    "scan",
    "scatter_add",
    "scatter_div",
    "scatter_max",
    "scatter_min",
    "scatter_mul",
    "scatter_nd",
    "scatter_nd_add",
    "scatter_nd_sub",
    "scatter_nd_update",
    "scatter_sub",
    "scatter_update",
    "searchsorted",
    "segment_max",
    "segment_mean",
    "segment_min",
    "segment_prod",
    "segment_sum",
    "self_adjoint_eig",
    "self_adjoint_eigvals",
    "sequence_mask",
    "serialize_many_sparse",
    "serialize_sparse",
    "serialize_tensor",
    "set_random_seed",
    "setdiff1d",
    "sets",
    "shape",
    "shape_n",
    "sigmoid",
    "sign",
    "signal",
    "sin",
    "sinh",
    "size",
    "slice",
    "sort",
    "space_to_batch",
    "space_to_batch_nd",
    "space_to_depth",
    "sparse",
    "sparse_add",
    "sparse_concat",
    "sparse_fill_empty_rows",
    "sparse_mask",
    "sparse_matmul",
    "sparse_maximum",
    "sparse_merge",
    "sparse_minimum",
    "sparse_placeholder",
    "sparse_reduce_max",
    "sparse_reduce_max_sparse",
    "sparse_reduce_sum",
    "sparse_reduce_sum_sparse",
    "sparse_reorder",
    "sparse_reset_shape",
    "sparse_reshape",
    "sparse_retain",
    "sparse_segment_mean",
    "sparse_segment_sqrt_n",
    "sparse_segment_sum",
    "sparse_slice",
    "sparse_softmax",
    "sparse_split",
    "sparse_tensor_dense_matmul",
    "sparse_tensor_to_dense",
    "sparse_to_dense",
    "sparse_to_indicator",
    "sparse_transpose",
    "spectral",
    "split",
    "sqrt",
    "square",
    "squared_difference",
    "squeeze",
    "stack",
    "stop_gradient",
    "strided_slice",
    "string",
    "string_join",
    "string_split",
    "string_strip",
    "string_to_hash_bucket",
    "string_to_hash_bucket_fast",
    "string_to_hash_bucket_strong",
    "string_to_number",
    "strings",
    "substr",
    "subtract",
    "summary",
    "svd",
    "switch_case",
    "sysconfig",
    "tables_initializer",
    "tan",
    "tanh",
    "tensor_scatter_add",
    "tensor_scatter_nd_add",
    "tensor_scatter_nd_sub",
    "tensor_scatter_nd_update",
    "tensor_scatter_sub",
    "tensor_scatter_update",
    "tensordot",
    "test",
    "tile",
    "timestamp",
    "to_bfloat16",
    "to_complex128",
    "to_complex64",
    "to_double",
    "to_float",
    "to_int32",
    "to_int64",
    "trace",
    "train",
    "trainable_variables",
    "transpose",
    "truediv",
    "truncated_normal",
    "truncated_normal_initializer",
    "truncatediv",
    "truncatemod",
    "tuple",
    "uint16",
    "uint32",
    "uint64",
    "uint8",
    "uniform_unit_scaling_initializer",
    "unique",
    "unique_with_counts",
    "unravel_index",
    "unsorted_segment_max",
    "unsorted_segment_mean",
    "unsorted_segment_min",
    "unsorted_segment_prod",
    "unsorted_segment_sqrt_n",
    "unsorted_segment_sum",
    "unstack",
    "user_ops",
    "variable_axis_size_partitioner",
    "variable_creator_scope",
    "variable_op_scope",
    "variable_scope",
    "variables_initializer",
    "variance_scaling_initializer",
    "variant",
    "verify_tensor_all_finite",
    "version",
    "where",
    "where_v2",
    "while_loop",
    "wrap_function",
    "write_file",
    "zeros",
    "zeros_initializer",
    "zeros_like",
    "zeta",
]

_namespace(globals(), _load)

# Of the names in `tf.dtypes` these are ops, which stand above the module.
_ops = {"as_string": as_string, "cast": cast, "complex": complex, "saturate_cast": saturate_cast}
vars(dtypes).update(_ops)

# `import tfmini.compat.v1 as tf` is this module.
_sys.modules[__name__ + ".compat.v1"] = _sys.modules[__name__]
vars(compat)["v1"] = _sys.modules[__name__]
