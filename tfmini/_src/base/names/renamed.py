"""Old names, mostly from before TensorFlow 1.0, and functions whose argument order has changed.

Plain data: hints suggest the new name, the runner resolves the old one, the source scan reports it.
"""

# Old names below `tf.`, and their 1.15.5 names.
RENAMED_SYMBOLS = {
    "audio_summary": "summary.audio",
    "batch_cholesky": "cholesky",
    "batch_cholesky_solve": "cholesky_solve",
    "batch_fft": "fft",
    "batch_fft2d": "fft2d",
    "batch_fft3d": "fft3d",
    "batch_ifft": "ifft",
    "batch_ifft2d": "ifft2d",
    "batch_ifft3d": "ifft3d",
    "batch_matmul": "matmul",
    "batch_matrix_band_part": "matrix_band_part",
    "batch_matrix_determinant": "matrix_determinant",
    "batch_matrix_diag": "matrix_diag",
    "batch_matrix_diag_part": "matrix_diag_part",
    "batch_matrix_inverse": "matrix_inverse",
    "batch_matrix_set_diag": "matrix_set_diag",
    "batch_matrix_solve": "matrix_solve",
    "batch_matrix_solve_ls": "matrix_solve_ls",
    "batch_matrix_transpose": "matrix_transpose",
    "batch_matrix_triangular_solve": "matrix_triangular_solve",
    "batch_self_adjoint_eig": "self_adjoint_eig",
    "batch_self_adjoint_eigvals": "self_adjoint_eigvals",
    "batch_svd": "svd",
    "complex_abs": "abs",
    "concat_v2": "concat",
    "contrib.ctc.ctc_beam_search_decoder": "nn.ctc_beam_search_decoder",
    "contrib.ctc.ctc_greedy_decoder": "nn.ctc_greedy_decoder",
    "contrib.ctc.ctc_loss": "nn.ctc_loss",
    "contrib.data.Dataset": "data.Dataset",
    "contrib.data.FixedLengthRecordDataset": "data.FixedLengthRecordDataset",
    "contrib.data.Iterator": "data.Iterator",
    "contrib.data.TFRecordDataset": "data.TFRecordDataset",
    "contrib.data.TextLineDataset": "data.TextLineDataset",
    "contrib.estimator.InMemoryEvaluatorHook": "estimator.experimental.InMemoryEvaluatorHook",
    "contrib.estimator.make_early_stopping_hook": "estimator.experimental.make_early_stopping_hook",
    "contrib.estimator.make_stop_at_checkpoint_step_hook": "estimator.experimental.make_stop_at_checkpoint_step_hook",
    "contrib.estimator.stop_if_higher_hook": "estimator.experimental.stop_if_higher_hook",
    "contrib.estimator.stop_if_lower_hook": "estimator.experimental.stop_if_lower_hook",
    "contrib.estimator.stop_if_no_decrease_hook": "estimator.experimental.stop_if_no_decrease_hook",
    "contrib.estimator.stop_if_no_increase_hook": "estimator.experimental.stop_if_no_increase_hook",
    "contrib.rnn.bidirectional_rnn": "nn.static_bidirectional_rnn",
    **{
        f"contrib.rnn.python.ops.core_rnn_cell.{name}": f"nn.rnn_cell.{name}"
        for name in (
            *("BasicLSTMCell", "BasicRNNCell", "DropoutWrapper", "GRUCell", "LSTMCell"),
            *("LSTMStateTuple", "MultiRNNCell"),
        )
    },
    "contrib.rnn.python.ops.core_rnn_cell_impl._linear": "contrib.rnn.python.ops.core_rnn_cell._linear",
    "contrib.rnn.rnn": "nn.static_rnn",
    "histogram_summary": "summary.histogram",
    "image.per_image_whitening": "image.per_image_standardization",
    "image_summary": "summary.image",
    "inv": "reciprocal",
    "list_diff": "setdiff1d",
    "listdiff": "setdiff1d",
    "merge_all_summaries": "summary.merge_all",
    "merge_summary": "summary.merge",
    "mul": "multiply",
    "neg": "negative",
    "nn.bidirectional_rnn": "nn.static_bidirectional_rnn",
    "nn.deconv2d": "nn.conv2d_transpose",
    "nn.rnn": "nn.static_rnn",
    "nn.rnn_cell.EmbeddingWrapper": "contrib.rnn.EmbeddingWrapper",
    "nn.rnn_cell.InputProjectionWrapper": "contrib.rnn.InputProjectionWrapper",
    "nn.rnn_cell.OutputProjectionWrapper": "contrib.rnn.OutputProjectionWrapper",
    "nn.state_saving_rnn": "nn.static_state_saving_rnn",
    "models.rnn.rnn.bidirectional_rnn": "nn.static_bidirectional_rnn",
    "models.rnn.rnn.rnn": "nn.static_rnn",
    "pack": "stack",
    "python.framework.ops.set_shapes_for_outputs": "python.framework.ops.set_shape_and_handle_data_for_outputs",
    "python.layers.base._Layer": "layers.Layer",
    "python.ops.rnn.bidirectional_rnn": "nn.static_bidirectional_rnn",
    "python.ops.rnn.rnn": "nn.static_rnn",
    "python.ops.rnn_cell_impl._Linear": "contrib.rnn.python.ops.core_rnn_cell._Linear",
    "python.ops.rnn_cell_impl._RNNCell": "nn.rnn_cell.RNNCell",
    "python.ops.rnn_cell_impl._linear": "contrib.rnn.python.ops.core_rnn_cell._linear",
    "python.util.deprecation_wrapper._PER_MODULE_WARNING_LIMIT": "python.util.module_wrapper._PER_MODULE_WARNING_LIMIT",
    "scalar_summary": "summary.scalar",
    "select": "where",
    "sub": "subtract",
    "train.SummaryWriter": "summary.FileWriter",
    "unpack": "unstack",
}

# Arguments in their old order, `old=new` if renamed in 1.15.5; "" if removed.
RENAMED_ARGUMENTS = {
    "audio_summary": "tag=name tensor sample_rate max_outputs collections name=",
    "batch_matmul": "x=a y=b adj_x=adjoint_a adj_y=adjoint_b name",
    "concat_v2": "values axis name",
    "complex_abs": "x name",
    "histogram_summary": "tag=name values collections name=",
    "image_summary": "tag=name tensor max_images=max_outputs collections name=",
    "neg": "x name",
    "pack": "values axis name",
    "scalar_summary": "tags=name values=tensor collections name=",
    "select": "condition t=x e=y name",
    "unpack": "value num axis name",
}

# Functions whose arguments were in a different order; the order is inferred from the arguments passed.
REORDERED_ARGUMENTS = {
    "concat": "tf.concat(values, axis)",
    "image.resize_images": "tf.image.resize_images(images, [height, width])",
    "nn.nce_loss": "labels=..., inputs=...",
    "nn.sampled_softmax_loss": "labels=..., inputs=...",
    "split": "tf.split(value, num_or_size_splits, axis)",
    "reverse": "tf.reverse(tensor, axis), with numbers of axes",
    "nn.sigmoid_cross_entropy_with_logits": "labels=..., logits=...",
    "nn.softmax_cross_entropy_with_logits": "labels=..., logits=...",
    "nn.sparse_softmax_cross_entropy_with_logits": "labels=..., logits=...",
}

# Removed modules below `tensorflow.`, and the modules that now provide their names.
RENAMED_MODULES = {
    "contrib.rnn.core_rnn": "python.ops.rnn",
    "contrib.rnn.core_rnn_cell": "nn.rnn_cell",
    "contrib.rnn.python.ops.core_rnn": "python.ops.rnn",
    "contrib.rnn.python.ops.core_rnn_cell_impl": "python.ops.rnn_cell_impl",
    "models.rnn.rnn": "python.ops.rnn",
    "models.rnn.rnn_cell": "nn.rnn_cell",
    "models.rnn.seq2seq": "contrib.legacy_seq2seq",
    "nn.seq2seq": "contrib.legacy_seq2seq",
    "python.kernel_tests.gradient_checker": "python.ops.gradient_checker",
    "python.ops.seq2seq": "contrib.legacy_seq2seq",
}

# The release that removed an old name, if not 1.0.
REMOVAL_RELEASES = {
    **dict.fromkeys(
        (name for name in RENAMED_SYMBOLS if name.startswith("contrib.estimator.")), "1.14"
    ),
    **dict.fromkeys((name for name in RENAMED_SYMBOLS if name.startswith("contrib.data.")), "1.5"),
    **dict.fromkeys((name for name in RENAMED_SYMBOLS if "core_rnn_cell" in name), "1.2"),
    "python.layers.base._Layer": "1.2",
    "python.ops.rnn_cell_impl._Linear": "1.5",
    "python.ops.rnn_cell_impl._RNNCell": "1.2",
    "python.ops.rnn_cell_impl._linear": "1.5",
    "python.util.deprecation_wrapper._PER_MODULE_WARNING_LIMIT": "1.15",
}

# Removed modules that tfmini reimplements, with their names.
REIMPLEMENTED_MODULES = {
    "examples.tutorials.mnist.mnist": (
        *("IMAGE_PIXELS", "IMAGE_SIZE", "NUM_CLASSES"),
        *("evaluation", "inference", "loss", "training"),
    ),
    "models.rnn.ptb.reader": (
        *("_build_vocab", "_file_to_word_ids", "_read_words"),
        *("ptb_iterator", "ptb_producer", "ptb_raw_data"),
    ),
}
