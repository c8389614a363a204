"""The ops, a folder a family: signature, kernel, shape rule and gradient of each, and the public functions beside.

Files reach each other's ops through the namespaces `raw` and `ops` of `tfmini.graph.opdef` when rules run, so the
order of imports does not matter. Some families are loaded at their first use (`late_families.py`).
"""

from tfmini.ops import late_families, operators, trials
from tfmini.ops.array import (
    casting,
    concats,
    constants,
    densifying,
    diagonals,
    filling,
    gathering,
    gathering_nd,
    identities,
    indexing,
    inplace,
    padding,
    partitioning,
    patches,
    reshaping,
    reversing,
    scattering_nd,
    selecting,
    sequences,
    set_operations,
    shapes,
    slice_updates,
    slicing,
    space_to_batch,
    space_to_depth,
    splitting,
    stacking,
    tiling,
    transposes,
    uniques,
)
from tfmini.ops.checks import (
    asserts,
    clock,
    numerics,
    printing,
    rank_checks,
    shape_checks,
    type_checks,
    value_checks,
)
from tfmini.ops.collective import nccl
from tfmini.ops.control_flow import (
    cases,
    cond_context,
    conditions,
    grouping,
    loop_frames,
    loop_invariants,
    loops,
    switches,
    while_context,
)
from tfmini.ops.files import checkpoint_files, file_contents, old_checkpoint_files
from tfmini.ops.functions import function_calls, optionals, python_functions
from tfmini.ops.linalg import (
    cholesky_lu,
    contractions,
    decompositions,
    determinants,
    eigenvalues,
    einsum,
    matrices,
    matrix_exponentials,
    matrix_functions,
    products,
    solving,
    sparse_products,
)
from tfmini.ops.lists import (
    list_arrays,
    partial_shapes,
    stacks,
    tensor_array_elements,
    tensor_array_errors,
    tensor_array_handles,
    tensor_array_nodes,
    tensor_arrays,
    tensor_list_blocks,
    tensor_list_joins,
    tensor_lists,
)
from tfmini.ops.lookup import lookup_resources, remapping, tables
from tfmini.ops.math import (
    argminmax,
    arithmetic,
    bits,
    broadcasting,
    clipping,
    comparison,
    complexes,
    confusion,
    counting,
    division,
    exponentials,
    histograms,
    incomplete,
    logic,
    magnitudes,
    reducing,
    reductions,
    rounding,
    scans,
    segments,
    sorting,
    special,
    statistics,
    sums,
    top_ks,
    trigonometry,
    unsorted_segments,
    weights_broadcast,
)
from tfmini.ops.nn import (
    activations,
    batch_normalizations,
    biases,
    cross_entropies,
    data_formats,
    elementwise_losses,
    embeddings,
    fused_batch_norms,
    local_responses,
    regularization,
    sampled_losses,
    softmaxes,
)
from tfmini.ops.nn.convolution import (
    convolutions_2d,
    convolutions_3d,
    depthwise,
    dilated,
    functions_1d,
    functions_2d,
    functions_3d,
    morphology,
    separable,
)
from tfmini.ops.nn.ctc import ctc_decoders, ctc_labels, ctc_losses
from tfmini.ops.nn.pooling import (
    fed_windows,
    fractional,
    functions_nd,
    places,
    pooling_2d,
    pooling_3d,
)
from tfmini.ops.nn.rnn import gru_blocks, lstm_blocks, lstm_sequences, search_trees
from tfmini.ops.parsing import (
    comma_separated,
    examples,
    sequence_batches,
    sequence_examples,
    serialized_tensors,
)
from tfmini.ops.quantization import fake_quantization, quantizing
from tfmini.ops.queues import accumulator_objects, queue_objects, reader_objects
from tfmini.ops.random import (
    bounded_normals,
    candidate_samplers,
    randoms,
    sampling,
    stateless_randoms,
)
from tfmini.ops.signal import (
    audio,
    cosine_transforms,
    fourier,
    framing,
    mel_scales,
    real_fourier,
    spectrograms,
    windows,
)
from tfmini.ops.sparse import (
    sparse_crosses,
    sparse_dense,
    sparse_elementwise,
    sparse_embeddings,
    sparse_indices,
    sparse_maps,
    sparse_matrices,
    sparse_orders,
    sparse_parts,
    sparse_reductions,
    sparse_rows,
    sparse_segments,
    sparse_serialized,
    sparse_sums,
)
from tfmini.ops.state import (
    resource_variables,
    scattering,
    scatters,
    session_tensors,
    states,
    update_rules,
)
from tfmini.ops.string import (
    edit_distances,
    string_encodings,
    string_hashes,
    string_joining,
    string_numbers,
    string_patterns,
    string_pieces,
    string_splitting,
    unicode,
    unicode_scripts,
)
from tfmini.ops.summaries import images, merging, sounds, tensors, values, writers
