"""Layers and functions of tf.layers and tf.nn, an option a program: what reaches the graph, the training, a value."""

import numpy as np

from tests.conformance.short_programs import rows

LAYERS = """
trained(L.dense(R, 2, ?)) | activation=nn.relu | use_bias=False | kernel_initializer=ONES | bias_initializer=ONES
    | kernel_regularizer=L2 | bias_regularizer=L2 | activity_regularizer=L2 | kernel_constraint=CLIP
    | bias_constraint=CLIP | trainable=False | name="n"
trained(L.conv1d(X3, 2, 3, ?)) | strides=2 | padding="same" | dilation_rate=2 | activation=nn.relu | use_bias=False
    | kernel_initializer=ONES | bias_initializer=ONES | kernel_regularizer=L2 | bias_regularizer=L2
    | activity_regularizer=L2 | kernel_constraint=CLIP | bias_constraint=CLIP | trainable=False | name="n"
trained(L.conv2d(X4, 2, 3, ?)) | strides=2 | padding="same" | dilation_rate=2 | activation=nn.relu | use_bias=False
    | kernel_initializer=ONES | bias_initializer=ONES | kernel_regularizer=L2 | bias_regularizer=L2
    | activity_regularizer=L2 | kernel_constraint=CLIP | bias_constraint=CLIP | trainable=False | name="n"
trained(L.conv3d(X5, 2, 2, ?)) | strides=2 | padding="same" | dilation_rate=2 | activation=nn.relu | use_bias=False
    | kernel_initializer=ONES | bias_initializer=ONES | kernel_regularizer=L2 | bias_regularizer=L2
    | activity_regularizer=L2 | kernel_constraint=CLIP | bias_constraint=CLIP | trainable=False | name="n"
trained(L.conv2d_transpose(X4, 2, 3, ?)) | strides=2 | padding="same" | activation=nn.relu | use_bias=False
    | kernel_initializer=ONES | bias_initializer=ONES | kernel_regularizer=L2 | bias_regularizer=L2
    | activity_regularizer=L2 | kernel_constraint=CLIP | bias_constraint=CLIP | trainable=False | name="n"
trained(L.conv3d_transpose(X5, 2, 2, ?)) | strides=(2, 2, 2) | padding="same" | activation=nn.relu | use_bias=False
    | kernel_initializer=ONES | bias_initializer=ONES | kernel_regularizer=L2 | bias_regularizer=L2
    | activity_regularizer=L2 | kernel_constraint=CLIP | bias_constraint=CLIP | trainable=False | name="n"
trained(L.separable_conv1d(X3, 2, 3, ?)) | strides=2 | padding="same" | dilation_rate=2 | depth_multiplier=2
    | activation=nn.relu | use_bias=False | depthwise_initializer=ONES | pointwise_initializer=ONES
    | bias_initializer=ONES | depthwise_regularizer=L2 | pointwise_regularizer=L2 | bias_regularizer=L2
    | activity_regularizer=L2 | depthwise_constraint=CLIP | pointwise_constraint=CLIP | bias_constraint=CLIP
    | trainable=False | name="n"
trained(L.separable_conv2d(X4, 2, 3, ?)) | strides=2 | padding="same" | dilation_rate=2 | depth_multiplier=2
    | activation=nn.relu | use_bias=False | depthwise_initializer=ONES | pointwise_initializer=ONES
    | bias_initializer=ONES | depthwise_regularizer=L2 | pointwise_regularizer=L2 | bias_regularizer=L2
    | activity_regularizer=L2 | depthwise_constraint=CLIP | pointwise_constraint=CLIP | bias_constraint=CLIP
    | trainable=False | name="n"
trained(L.batch_normalization(X4, ?)) | axis=1 | momentum=0.5 | epsilon=0.5 | center=False | scale=False
    | beta_initializer=ONES | gamma_initializer=HALF | moving_mean_initializer=ONES | moving_variance_initializer=HALF
    | beta_regularizer=L2 | gamma_regularizer=L2 | beta_constraint=CLIP | gamma_constraint=CLIP | training=True
    | trainable=False | renorm=True, training=True
    | renorm=True, renorm_clipping={"rmax": 1.5, "rmin": 0.5, "dmax": 0.1}, training=True
    | renorm=True, renorm_momentum=0.5, training=True | fused=False, training=True | fused=True, axis=1
    | virtual_batch_size=1, training=True
    | adjustment=lambda s: (tf.ones([1, 1, 1, 4]) * 2, tf.ones([1, 1, 1, 4])), training=True, virtual_batch_size=1
    | name="n"
L.dropout(R, ?) | rate=0.2, training=True | training=True, seed=3 | noise_shape=[1, 3], training=True, seed=3
    | name="n" | rate=0.0, training=True | rate=1.5
L.flatten(X4, ?) | data_format="channels_first" | name="n"
L.max_pooling1d(X3, 2, 1, ?) | padding="same" | data_format="channels_first" | name="n"
L.max_pooling2d(X4, 2, 1, ?) | padding="same" | name="n"
L.max_pooling3d(X5, 2, 1, ?) | padding="same" | name="n"
L.average_pooling1d(X3, 2, 1, ?) | padding="same" | data_format="channels_first" | name="n"
L.average_pooling2d(X4, 2, 1, ?) | padding="same" | name="n"
L.average_pooling3d(X5, 2, 1, ?) | padding="same" | name="n"
vars(L.InputSpec(?)) | dtype="int32" | shape=[1, None] | ndim=2 | max_ndim=3 | min_ndim=1 | axes={1: 2}
    | axes={5: 2}, ndim=2
L.dense(R, 2, ?) | reuse=True | name="a b" | kernel_initializer="none" | kernel_initializer=3
both(lambda r: L.dense(R, 2, name="n", reuse=r))
both(lambda r: L.conv1d(X3, 2, 3, name="n", reuse=r))
both(lambda r: L.conv2d(X4, 2, 3, name="n", reuse=r))
both(lambda r: L.conv3d(X5, 2, 2, name="n", reuse=r))
both(lambda r: L.conv2d_transpose(X4, 2, 3, name="n", reuse=r))
both(lambda r: L.conv3d_transpose(X5, 2, 2, name="n", reuse=r))
both(lambda r: L.separable_conv1d(X3, 2, 3, name="n", reuse=r))
both(lambda r: L.separable_conv2d(X4, 2, 3, name="n", reuse=r))
both(lambda r: L.batch_normalization(X4, name="n", reuse=r))
"""
FUNCTIONS = """
nn.softmax_cross_entropy_with_logits(?) | R, labels=R, logits=R | labels=P, logits=R, dim=0
    | labels=P, logits=R, axis=0, name="n" | labels=P | labels=P, logits=R, dim=0, axis=0
nn.sparse_softmax_cross_entropy_with_logits(?) | R, labels=[0, 1], logits=R | labels=[0, 1], logits=R, name="n"
    | logits=R | labels=[0, 1]
nn.sigmoid_cross_entropy_with_logits(?) | R, labels=R, logits=R | labels=P, logits=R, name="n" | labels=P
nn.weighted_cross_entropy_with_logits(?) | labels=P, logits=R, pos_weight=2.0
    | targets=P, logits=R, pos_weight=0.5, name="n" | labels=P, targets=P, logits=R, pos_weight=1.0
nn.static_bidirectional_rnn(CELL(2), CELL(3), [tf.constant(R)] * 2, ?) | dtype=F
    | initial_state_fw=tf.ones([2, 2]), dtype=F | initial_state_bw=tf.ones([2, 3]), dtype=F
    | dtype=F, sequence_length=[1, 2] | dtype=F, scope="s"
nn.bidirectional_dynamic_rnn(CELL(2), CELL(3), tf.constant(X3), ?) | dtype=F | sequence_length=[1, 6], dtype=F
    | initial_state_fw=tf.ones([2, 2]), dtype=F | initial_state_bw=tf.ones([2, 3]), dtype=F
    | dtype=F, parallel_iterations=3 | dtype=F, swap_memory=True | dtype=F, scope="s"
nn.bidirectional_dynamic_rnn(CELL(2), CELL(3), tf.constant(X3.transpose(1, 0, 2)), dtype=F, time_major=True)
nn.dynamic_rnn(CELL(2), tf.constant(X3), ?) | dtype=F, sequence_length=[1, 6] | initial_state=tf.ones([2, 2])
    | dtype=F, parallel_iterations=1 | dtype=F, swap_memory=True | dtype=F, time_major=True | dtype=F, scope="s"
    | sequence_length=[[1]], dtype=F | dtype=F, sequence_length=[1] | parallel_iterations=0, dtype=F
nn.static_rnn(CELL(2), [tf.constant(R)] * 2, ?) | dtype=F | initial_state=tf.ones([2, 2])
    | dtype=F, sequence_length=[0, 1] | dtype=F, scope="s"
nn.embedding_lookup([R, P], [0, 3, 1], ?) | partition_strategy="div" | partition_strategy="some" | name="n"
    | validate_indices=False | max_norm=0.5
nn.embedding_lookup_sparse(R, SPARSE(), ?) | None | None, "div" | None, name="n" | None, combiner="sum"
    | None, combiner="mean" | None, combiner="sqrtn" | None, combiner="max" | SPARSE(tf.constant([0.5, 2.0]))
    | SPARSE(tf.constant([0.5, 2.0])), combiner="sqrtn" | None, max_norm=0.5 | R
nn.safe_embedding_lookup_sparse([tf.constant(R)], SPARSE(), ?) | sparse_weights=SPARSE(tf.constant([0.0, 2.0]))
    | combiner="sum" | default_id=1 | name="n" | partition_strategy="mod" | max_norm=0.5
nn.fractional_max_pool(X4, [1, 1.5, 1.5, 1], ?) | pseudo_random=True, deterministic=True, seed=1, seed2=2
    | overlapping=True, deterministic=True, seed=1, seed2=2 | deterministic=True, seed=3, seed2=2
    | deterministic=True, seed=1, seed2=5 | deterministic=True, seed=1, seed2=5, name="n"
nn.fractional_avg_pool(X4, [1, 1.5, 1.5, 1], ?) | pseudo_random=True, deterministic=True, seed=1, seed2=2
    | overlapping=True, deterministic=True, seed=1, seed2=2 | deterministic=True, seed=3, seed2=2, name="n"
nn.conv2d(X4, K4, ?) | strides=1, padding="SAME" | strides=[1, 2, 2, 1], padding="VALID"
    | strides=1, padding=[[0, 0], [1, 0], [0, 2], [0, 0]] | strides=1, padding="SAME", use_cudnn_on_gpu=False
    | strides=1, padding="SAME", dilations=2 | padding="SAME" | strides=1, padding="FULL" | strides=0, padding="SAME"
    | strides=1, padding="SAME", name="n" | strides=1, padding="SAME", filters=K4 | strides=1
nn.conv1d(X3, np.ones([2, 4, 3], "f"), ?) | stride=2, padding="SAME" | stride=1, padding="VALID", dilations=2
    | stride=1, padding="SAME", name="n" | stride=2, padding="SAME", use_cudnn_on_gpu=False | padding="SAME"
    | stride=0, padding="SAME" | stride=1, padding="FULL"
nn.conv3d(X5, np.ones([2, 2, 2, 4, 1], "f"), ?) | [1, 1, 1, 1, 1], "SAME" | [1, 2, 2, 2, 1], "VALID"
    | [1, 1, 1, 1, 1], "SAME", name="n" | [1, 1], "SAME" | [0, 1, 1, 1, 1], "SAME"
nn.depthwise_conv2d(X4, np.ones([2, 2, 4, 2], "f"), ?) | [1, 1, 1, 1], "SAME" | [1, 2, 2, 1], "VALID"
    | [1, 1, 1, 1], "VALID", rate=[2, 2] | [1, 1, 1, 1], "SAME", name="n" | [1, 1, 1, 1], "VALID", dilations=[2, 1]
    | [1, 2, 2, 1], "VALID", rate=[2, 2]
nn.separable_conv2d(X4, np.ones([2, 2, 4, 2], "f"), np.ones([1, 1, 8, 3], "f"), ?) | [1, 1, 1, 1], "SAME"
    | [1, 1, 1, 1], "VALID", rate=[2, 2] | [1, 1, 1, 1], "SAME", name="n" | [1, 1, 1, 1], "VALID", dilations=[2, 2]
nn.conv2d_transpose(X4, np.ones([2, 2, 3, 4], "f"), ?) | [2, 6, 6, 3], 1 | output_shape=[2, 12, 12, 3], strides=2
    | output_shape=[2, 7, 7, 3], strides=1, padding="VALID" | output_shape=[2, 6, 6, 3], strides=1, name="n"
    | output_shape=[2, 6, 6], strides=1
nn.pool(X4, [2, 2], ?) | "MAX", "SAME" | "AVG", "SAME" | "MAX", "VALID", [2, 1] | "MAX", "VALID", strides=[1, 2]
    | "MAX", "VALID", name="n" | "SUM", "VALID" | "MAX", "SOME" | "MAX", "VALID", [2, 1], [2, 2]
nn.max_pool(X4, ?) | 2, 1, "SAME" | [1, 2, 2, 1], [1, 2, 2, 1], "VALID" | 2, 1, "VALID", name="n" | 2, 1, "SOME"
    | 0, 1, "VALID" | 2, 0, "VALID" | 9, 1, "VALID" | input=X4, ksize=2, strides=1, padding="SAME"
nn.avg_pool(X4, ?) | 2, 1, "SAME" | [1, 2, 2, 1], [1, 2, 2, 1], "VALID" | 2, 1, "VALID", name="n" | 2, 1, "SOME"
    | 0, 1, "VALID"
nn.max_pool_with_argmax(X4, 2, 2, "SAME", ?) | include_batch_in_index=True | output_dtype=tf.int32 | Targmax=tf.int32
    | name="n"
nn.lrn(X4, ?) | depth_radius=1 | bias=2 | alpha=0.5 | beta=0.2 | name="n" | depth_radius=0
nn.l2_normalize(R, ?) | 1 | axis=0 | axis=[0, 1] | 1, epsilon=4.0 | 1, name="n" | dim=1 | 1, dim=1
nn.moments(tf.constant(R), ?) | [0] | [0, 1] | [1], keep_dims=True | [1], keepdims=True | [0], name="n" | [], None
    | [0], shift=[1.0, 2.0, 3.0]
nn.weighted_moments(R, ?) | [0], P | [0], P, name="n" | [1], P, keep_dims=True | [1], P, keepdims=True
nn.batch_normalization(R, ?) | 0.5, 2.0, None, None, 0.1 | 0.5, 2.0, 1.0, None, 0.1 | 0.5, 2.0, None, 3.0, 0.1
    | 0.5, 2.0, 1.0, 3.0, 0.1, name="n"
nn.fused_batch_norm(X4, np.ones(4, "f"), np.ones(4, "f"), ?) | epsilon=0.5 | name="n" | is_training=False
    | mean=np.ones(4, "f")
nn.dropout(R, ?) | keep_prob=0.5, seed=1 | rate=0.5, seed=1 | 0.5, [1, 3], 1 | rate=0.5, seed=1, name="n" | rate=-0.1
    | keep_prob=2.0 | rate="a"
nn.top_k(R, ?) | 1 | 2 | k=2, sorted=False | 0 | -1 | name="n"
nn.in_top_k(R, [0, 1], ?) | 1 | 2 | 0 | -1 | 1, name="n"
nn.log_softmax(R, ?) | 0 | axis=-2 | dim=0 | name="n" | axis=5
nn.softmax(R, ?) | 0 | axis=-2 | dim=0 | name="n" | axis=5
nn.leaky_relu(R, ?) | 0.5 | alpha=2.0 | name="n"
nn.relu6(R, name="n")
nn.crelu(R, ?) | axis=0 | name="n"
nn.space_to_depth(X4, ?) | 2 | 3, name="n" | 2, data_format="NHWC" | 1 | 4
nn.depth_to_space(X4, ?) | 2 | 2, name="n" | 3 | 1
nn.bias_add(R, np.ones(3, "f"), ?) | name="n" | data_format="NHWC" | data_format="some"
nn.sampled_softmax_loss(P, R[0, :2], [[0], [1]], R, 1, 2, ?) | seed=1 | num_true=1, seed=1
    | seed=1, partition_strategy="div" | seed=1, remove_accidental_hits=False | seed=1, name="n"
nn.nce_loss(P, R[0, :2], [[0], [1]], R, 1, 2, ?)
    | remove_accidental_hits=True, sampled_values=([1], [[0.5], [0.5]], [0.5])
    | sampled_values=([1], [[0.5], [0.5]], [0.5]), partition_strategy="div"
    | sampled_values=([1], [[0.5], [0.5]], [0.5]), name="n"
nn.log_uniform_candidate_sampler([[0], [1]], 1, 2, ?) | True, 5, seed=1 | False, 5, seed=1 | True, 5, seed=2, name="n"
nn.uniform_candidate_sampler([[0], [1]], 1, 2, ?) | True, 5, seed=1 | False, 5, seed=1 | True, 5, seed=2, name="n"
nn.learned_unigram_candidate_sampler([[0], [1]], 1, 2, ?) | True, 5, seed=1 | False, 5, seed=1
    | True, 5, seed=2, name="n"
nn.fixed_unigram_candidate_sampler([[0], [1]], 1, 2, ?) | True, 3, unigrams=[1.0, 2.0, 3.0], seed=1
    | True, 3, unigrams=[1.0, 2.0, 3.0], distortion=0.1, seed=1
    | True, 3, unigrams=[1.0, 2.0], num_reserved_ids=1, seed=1 | True, 3, unigrams=[1.0, 2.0, 3.0], name="n", seed=1
    | True, 3, seed=1
nn.all_candidate_sampler([[0], [1]], 1, 2, ?) | True, seed=1 | False, name="n"
nn.ctc_loss(tf.SparseTensor([[0, 0], [1, 0]], [1, 0], [2, 1]), X3[:, :, :3].transpose(1, 0, 2), [6, 5], ?)
    | preprocess_collapse_repeated=True | ctc_merge_repeated=False | time_major=True
    | ignore_longer_outputs_than_inputs=True
nn.ctc_greedy_decoder(X3[:, :, :3].transpose(1, 0, 2), [6, 5], ?) | merge_repeated=False | merge_repeated=True
nn.ctc_beam_search_decoder(X3[:, :, :3].transpose(1, 0, 2), [6, 5], ?) | beam_width=2 | top_paths=2
    | merge_repeated=False
nn.raw_rnn(CELL(2), lambda t, o, s, l: (t >= 2, tf.ones([1, 3]), tf.ones([1, 2]), o, None), ?)[1]
    | parallel_iterations=3 | swap_memory=True | scope="s"
nn.xw_plus_b(R, np.ones([3, 2], "f"), np.ones(2, "f"), ?) | name="n" | "m"
nn.relu_layer(R, np.ones([3, 2], "f"), np.ones(2, "f"), ?) | name="n"
nn.dilation2d(X4, np.ones([2, 2, 4], "f"), [1, 1, 1, 1], [1, 2, 2, 1], "SAME", name="n")
nn.with_space_to_batch(X4, [2, 2], "VALID", lambda x, n, p: x * 2, ?) | filter_shape=[1, 1]
    | [1, 1], spatial_dims=[1, 2] | [1, 1], data_format="NHWC"
nn.sufficient_statistics(R, ?) | [0] | [0], shift=1.0 | [0], keep_dims=True | [0], keepdims=True | [0], name="n"
nn.normalize_moments(2.0, R, R, ?) | 1.0 | None, name="n"
nn.scale_regularization_loss(tf.constant(3.0)) if hasattr(nn, "scale_regularization_loss") else 0
nn.compute_accidental_hits([[1], [2]], [1, 3], 1, ?) | seed=4 | name="n"
nn.conv2d_backprop_input([2, 6, 6, 4], K4, X4[..., :2], [1, 1, 1, 1], "SAME", ?) | use_cudnn_on_gpu=False
    | data_format="NHWC" | dilations=[1, 1, 1, 1] | name="n"
nn.conv2d_backprop_filter(X4, [2, 2, 4, 2], X4[..., :2], [1, 1, 1, 1], "SAME", ?) | use_cudnn_on_gpu=False | name="n"
nn.zero_fraction(R, ?) | name="n" | dtype=tf.float32
nn.log_poisson_loss(P, R, ?) | compute_full_loss=True | name="n"
nn.collapse_repeated([[1, 1, 2]], [3], name="n")
nn.ctc_unique_labels([[1, 1, 2]], name="n")
"""
LOSSES = """
losses.?(P, R, 0.5, scope="s", loss_collection="c") | absolute_difference | hinge_loss | huber_loss | log_loss
    | mean_squared_error
losses.?(P, R, loss_collection=None) | absolute_difference | hinge_loss | huber_loss | log_loss | mean_squared_error
    | sigmoid_cross_entropy | softmax_cross_entropy
losses.?(P, R, [[0.0], [2.0]], reduction="none") | absolute_difference | hinge_loss | huber_loss | log_loss
    | mean_squared_error | sigmoid_cross_entropy
losses.?(P, R, reduction="weighted_mean") | absolute_difference | hinge_loss | huber_loss | log_loss
    | mean_squared_error | sigmoid_cross_entropy | softmax_cross_entropy
losses.?(P, R, reduction="some") | absolute_difference | hinge_loss | huber_loss | log_loss | mean_squared_error
    | sigmoid_cross_entropy | softmax_cross_entropy
losses.?(P, R[:1]) | absolute_difference | hinge_loss | huber_loss | log_loss | mean_squared_error
    | sigmoid_cross_entropy | softmax_cross_entropy | mean_pairwise_squared_error
losses.?(None, R) | absolute_difference | hinge_loss | huber_loss | log_loss | mean_squared_error
    | sigmoid_cross_entropy | softmax_cross_entropy | mean_pairwise_squared_error
losses.?(P, None) | absolute_difference | hinge_loss | huber_loss | log_loss | mean_squared_error
    | sigmoid_cross_entropy | softmax_cross_entropy | mean_pairwise_squared_error
losses.huber_loss(P, R, delta=?) | 0.1 | 0.0 | 5
losses.log_loss(P, R, epsilon=?) | 0.1 | 0.0
losses.cosine_distance(P, R, ?) | axis=1 | dim=1 | axis=0, weights=2.0 | axis=1, scope="s"
    | axis=1, loss_collection=None | axis=1, reduction="none" | axis=1, reduction="sum_over_batch_size" | weights=1.0
losses.mean_pairwise_squared_error(P, R, ?) | 2.0 | weights=[1.0, 0.0] | scope="s" | loss_collection=None
    | weights=[1.0, 2.0, 3.0]
losses.sigmoid_cross_entropy(P, R, ?) | 2.0 | label_smoothing=0.2 | scope="s" | loss_collection="c"
losses.softmax_cross_entropy(P, R, ?) | 2.0 | weights=[1.0, 0.0] | label_smoothing=0.2 | scope="s"
    | loss_collection="c" | reduction="sum" | reduction="none"
losses.sparse_softmax_cross_entropy([0, 1], R, ?) | 2.0 | weights=[1.0, 0.0] | scope="s" | loss_collection=None
    | reduction="sum" | reduction="none"
losses.compute_weighted_loss(R, ?) | 2.0 | scope="s" | loss_collection=None | reduction="sum_by_nonzero_weights"
    | reduction="sum_over_nonzero_weights" | weights=[1.0] | weights=[[1.0, 2.0]]
[losses.add_loss(tf.constant(2.0), ?), losses.get_losses()][1] | "c" | loss_collection="losses" | None
[losses.absolute_difference(P, R), losses.get_losses(?)][1] | scope="none" | scope="absolute" | loss_collection="c"
[L.dense(R, 2, kernel_regularizer=L2, name="d"), losses.get_regularization_losses(?)][1] | scope="none" | scope="d"
[L.dense(R, 2, kernel_regularizer=L2, name="d"), losses.get_regularization_loss(?)][1] | scope="none"
    | scope="d", name="n"
[losses.absolute_difference(P, R), losses.get_total_loss(?)][1] | add_regularization_losses=False | name="n"
    | scope="none"
"""


def programs(tf):
    random = np.random.RandomState(1)
    images = random.randn(2, 6, 6, 4).astype("f")
    logits = random.randn(2, 3).astype("f")

    def trained(value):
        loss = tf.add_n([tf.reduce_sum(value), *tf.losses.get_regularization_losses()])
        with tf.control_dependencies([tf.train.GradientDescentOptimizer(0.1).minimize(loss)]):
            return [variable.read_value() for variable in tf.trainable_variables()]

    def both(make):
        return [make(None), make(True)]

    names = {
        "L2": tf.keras.regularizers.l2(0.1),
        "CLIP": tf.keras.constraints.NonNeg(),
        "ONES": tf.ones_initializer(),
        "HALF": tf.constant_initializer(0.5),
        "F": tf.float32,
        "CELL": tf.nn.rnn_cell.BasicRNNCell,
        "SPARSE": lambda values=None: tf.SparseTensor(
            [[0, 0], [1, 1]], tf.constant([1, 0]) if values is None else values, [2, 2]
        ),
    }
    arrays = {"R": logits, "P": abs(logits) / 3, "X3": images[:, 0], "X4": images}
    arrays.update(
        X5=images[:, None, :4] * np.ones([1, 4, 1, 1, 1], "f"), K4=random.randn(2, 2, 4, 2)
    )
    return rows(
        LAYERS + FUNCTIONS + LOSSES,
        tf=tf, np=np, L=tf.layers, nn=tf.nn, losses=tf.losses, trained=trained, both=both, **names, **arrays,
    )  # fmt: skip
