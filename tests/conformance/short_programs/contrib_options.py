"""tf.contrib: an option of a function, a layer, a cell a program."""

import numpy as np

from tests.conformance.short_programs import rows

LAYERS = """
trained(C.layers.fully_connected(R, 2, ?)) | activation_fn=None | normalizer_fn=C.layers.layer_norm
    | normalizer_fn=C.layers.batch_norm, normalizer_params={"scale": True} | weights_initializer=ONES
    | weights_regularizer=L2 | biases_initializer=None | biases_initializer=ONES | biases_regularizer=L2
    | variables_collections=["c"] | outputs_collections="o" | trainable=False | scope="s"
trained(C.layers.conv2d(X4, 2, 3, ?)) | stride=2 | padding="VALID" | rate=2 | activation_fn=None
    | normalizer_fn=C.layers.batch_norm | weights_initializer=ONES | weights_regularizer=L2 | biases_initializer=None
    | biases_regularizer=L2 | variables_collections={"weights": ["w"]} | outputs_collections="o" | trainable=False
    | scope="s" | padding="SOME" | data_format="SOME"
trained(C.layers.convolution(X4, 2, 3, ?)) | conv_dims=2 | conv_dims=1 | weights_initializer=ONES | rate=2
trained(C.layers.conv2d_transpose(X4, 2, 3, ?)) | stride=2 | padding="VALID" | activation_fn=None
    | normalizer_fn=C.layers.batch_norm | weights_initializer=ONES | weights_regularizer=L2 | biases_initializer=None
    | biases_regularizer=L2 | variables_collections=["c"] | outputs_collections="o" | trainable=False | scope="s"
trained(C.layers.conv2d_in_plane(A(X4), 3, ?)) | stride=2 | padding="VALID" | activation_fn=None
    | normalizer_fn=C.layers.batch_norm | weights_initializer=ONES | weights_regularizer=L2 | biases_initializer=None
    | biases_regularizer=L2 | trainable=False | scope="s"
trained(C.layers.gdn(A(X4), ?)) | inverse=True | beta_min=0.5 | gamma_init=0.5 | trainable=False
trained(C.layers.unit_norm(A(R), 1, ?)) | epsilon=0.5 | scope="s"
trained(C.layers.separable_conv2d(X4, 2, 3, 1, ?)) | stride=2 | padding="VALID" | rate=2 | activation_fn=None
    | normalizer_fn=C.layers.batch_norm | weights_initializer=ONES | pointwise_initializer=ONES
    | weights_regularizer=L2 | biases_initializer=None | biases_regularizer=L2 | variables_collections=["c"]
    | outputs_collections="o" | trainable=False | scope="s"
trained(C.layers.batch_norm(X4, ?)) | decay=0.5 | center=False | scale=True | epsilon=0.5 | activation_fn=nn.relu
    | param_initializers={"beta": ONES} | param_regularizers={"beta": L2} | updates_collections=None
    | is_training=False | variables_collections=["c"] | outputs_collections="o" | trainable=False
    | batch_weights=[0.5, 1.0], fused=False | fused=False | zero_debias_moving_mean=True, fused=False | scope="s"
    | renorm=True, fused=False | renorm=True, renorm_decay=0.5, fused=False
    | renorm=True, renorm_clipping={"rmax": 2.0}, fused=False
trained(C.layers.layer_norm(X4, ?)) | center=False | scale=False | activation_fn=nn.relu | begin_norm_axis=2
    | begin_params_axis=2 | begin_norm_axis=9 | variables_collections=["c"] | outputs_collections="o" | trainable=False
    | scope="s"
trained(C.layers.group_norm(X4, ?)) | groups=2 | groups=3 | groups=2, channels_axis=1, reduction_axes=[2, 3]
    | groups=2, center=False | groups=2, scale=False | groups=2, epsilon=0.5 | groups=2, activation_fn=nn.relu
    | groups=2, param_initializers={"beta": ONES} | groups=2, mean_close_to_zero=True | groups=2, scope="s"
    | groups=2, reduction_axes=[-1] | groups=2, trainable=False
trained(C.layers.instance_norm(X4, ?)) | center=False | scale=False | epsilon=0.5 | activation_fn=nn.relu
    | param_initializers={"beta": ONES} | data_format="NCHW" | trainable=False | scope="s" | data_format="SOME"
trained(C.layers.gdn(X4, ?)) | activation=nn.relu
trained(C.layers.bias_add(X4, ?)) | activation_fn=nn.relu | initializer=ONES | regularizer=L2 | trainable=False
    | scope="s" | variables_collections=["c"] | outputs_collections="o"
trained(C.layers.legacy_fully_connected(R, 2, ?)) | activation_fn=nn.relu | weight_init=ONES | bias_init=None
    | bias_init=ONES | weight_collections=["c"] | bias_collections=["c"] | output_collections=["o"]
    | weight_regularizer=L2 | bias_regularizer=L2 | trainable=False
C.layers.? | flatten(X4, "o", "s") | max_pool2d(X4, 2, 1) | max_pool2d(X4, 2, padding="SAME")
    | max_pool2d(X4, 2, outputs_collections="o", scope="s") | avg_pool2d(X4, 2, 1)
    | avg_pool2d(X4, 2, padding="SAME", outputs_collections="o", scope="s")
    | avg_pool3d(X4[None], 2, scope="s", outputs_collections="o") | max_pool3d(X4[None], 2, 1, "SAME")
    | dropout(R, 0.2, seed=1) | dropout(R, 0.2, [1, 3], seed=1)
    | dropout(R, is_training=False, outputs_collections="o") | one_hot_encoding([0, 2], 3, 5, -1, "o", "s")
    | repeat(R, 2, C.layers.fully_connected, 3, scope="s") | stack(R, C.layers.fully_connected, [2, 3], scope="s")
    | spatial_softmax(X4, 0.5) | spatial_softmax(X4, name="n", trainable=False) | maxout(R, 1, 1, "s") | maxout(R, 2)
    | images_to_sequence(X4, outputs_collections="o", scope="s") | sequence_to_images(X4[:, 0].transpose(1, 0, 2), 3)
    | sequence_to_images(X4[:, 0].transpose(1, 0, 2), 3, "channels_first")
    | sequence_to_images(X4[:, 0].transpose(1, 0, 2), 3, scope="s", outputs_collections="o")
    | dense_to_sparse([[1, 0, 2]], 0) | dense_to_sparse([[1, 0, 2]], eos_token=2, outputs_collections="o", scope="s")
    | poincare_normalize(R, 0) | poincare_normalize(R, epsilon=0.5, name="n") | l1_regularizer(0.1, "s")(A(R))
    | l2_regularizer(0.1, "s")(A(R)) | l1_l2_regularizer(0.1, 0.2, "s")(A(R)) | l1_l2_regularizer(scale_l1=0.0)(A(R))
    | l1_l2_regularizer(scale_l2=0.0)(A(R)) | l1_regularizer(0.0)(A(R)) | l1_regularizer(-1.0) | l1_regularizer(1)
    | l2_regularizer("a") | sum_regularizer([C.layers.l2_regularizer(0.1)] * 2, "s")(A(R)) | sum_regularizer([])
    | apply_regularization(C.layers.l2_regularizer(0.1), [A(R), A(R)]) | apply_regularization(L2, weights_list=[A(R)])
    | apply_regularization(C.layers.l2_regularizer(0.1), []) | xavier_initializer(False, 1)([3, 2])
    | xavier_initializer(dtype=tf.float64, seed=1)([3, 2]) | variance_scaling_initializer(seed=1)([3, 2])
    | variance_scaling_initializer(1.0, "FAN_OUT", True, 1)([3, 2]) | variance_scaling_initializer(mode="SOME")
    | variance_scaling_initializer(mode="FAN_AVG", seed=1)([3, 2], partition_info=None)
    | summarize_tensors([A(R)], summarizer=lambda t: t * 2) | summarize_tensor(A(R), "t")
    | summarize_collection("c", "a", lambda t: t * 2) | summarize_activations("a", lambda t: t * 2)
    | summarize_activation(A(R)) | safe_embedding_lookup_sparse([A(R)], SPARSE(), sparse_weights=SPARSE(A([0.0, 2.0])))
    | safe_embedding_lookup_sparse([A(R)], SPARSE(), combiner="sum", default_id=1, max_norm=0.5, name="n")
    | scattered_embedding_lookup([A(R[0])], [["a", "b"]], 2) | scattered_embedding_lookup([A(R[0])], ["a"], 2, "n", 9)
    | embedding_lookup_unique(A(R), [0, 1, 0], "div", "n") | bow_encoder([[0, 1]], 3, 2, initializer=ONES)
    | bow_encoder([[0, 1]], 3, 2, sparse_lookup=False, initializer=ONES, regularizer=L2, trainable=False, scope="s")
    | embed_sequence([[0, 1]], 3, 2, initializer=ONES)
    | embed_sequence([[0, 1]], 3, 2, True, ONES, L2, 1.0, False, "s") | embed_sequence([[0, 1]])
trained(C.layers.optimize_loss(W(), STEP(), 0.1, "SGD", ?)) | gradient_noise_scale=0.0
    | gradient_multipliers={"w": 2.0} | gradient_multipliers={"v": 2.0} | clip_gradients=0.1 | clip_gradients="some"
    | clip_gradients=-1.0 | learning_rate_decay_fn=lambda r, s: r * 0.5 | update_ops=[] | variables=[] | name="n"
    | summaries=["loss"] | summaries=["some"] | summaries=[] | colocate_gradients_with_ops=True
    | increment_global_step=False
C.layers.optimize_loss(W(), None, ?) | 0.1, "Some" | 0.1, 3 | "a", "SGD" | -1.0, "SGD" | 0.1, lambda lr: 3
    | None, tf.train.GradientDescentOptimizer
"""
RNN = """
told(C.rnn.?, A(R)) | PhasedLSTMCell(2) | IntersectionRNNCell(3) | IntersectionRNNCell(2, num_in_proj=2)
    | IntersectionRNNCell(3, y_activation=tf.tanh) | NASCell(2) | NASCell(2, 3) | NASCell(2, use_bias=True)
    | UGRNNCell(2) | UGRNNCell(2, ONES, 0.5, tf.sigmoid) | TimeFreqLSTMCell(2, True, 0.1, ONES, 2, 0.5, 2, 1)
    | GridLSTMCell(2, feature_size=3, frequency_skip=1, num_frequency_blocks=[1])
    | GridLSTMCell(2, share_time_frequency_weights=True, feature_size=3, frequency_skip=1, num_frequency_blocks=[1])
    | CoupledInputForgetGateLSTMCell(2)
    | CoupledInputForgetGateLSTMCell(2, True, ONES, 3, 1, 1, 0.5, True, tf.sigmoid, True, 1.0, 0.5)
    | LayerNormBasicLSTMCell(2) | LayerNormBasicLSTMCell(2, 0.5, activation=tf.sigmoid, layer_norm=False)
    | LayerNormBasicLSTMCell(2, norm_gain=0.5, norm_shift=0.1, dropout_keep_prob=0.5, dropout_prob_seed=1)
    | LayerNormLSTMCell(2) | LayerNormLSTMCell(2, True, 0.1, ONES, 3, 0.2, 0.5, tf.sigmoid, True, 0.5, 0.1)
    | WeightNormLSTMCell(2) | WeightNormLSTMCell(2, False, True, 0.1, 3, 0.2, 0.5, tf.sigmoid, ONES) | SRUCell(3)
    | SRUCell(3, tf.sigmoid) | IndRNNCell(2) | IndRNNCell(2, tf.sigmoid) | IndyGRUCell(2, tf.sigmoid, None, ONES, ONES)
    | IndyLSTMCell(2, 0.5, tf.sigmoid, None, ONES, ONES) | HighwayWrapper(BASIC(3))
    | HighwayWrapper(BASIC(3), couple_carry_transform_gates=False) | HighwayWrapper(BASIC(3), carry_bias_init=3.0)
    | ResidualWrapper(BASIC(3), lambda a, b: a * b) | AttentionCellWrapper(BASIC(2), 2, state_is_tuple=True)
    | AttentionCellWrapper(BASIC(2), 2, attn_size=3, state_is_tuple=True)
    | AttentionCellWrapper(BASIC(2), 2, attn_vec_size=3, state_is_tuple=True)
    | AttentionCellWrapper(BASIC(2), 2, input_size=3, state_is_tuple=True)
    | AttentionCellWrapper(BASIC(2), 0, state_is_tuple=True) | InputProjectionWrapper(BASIC(2), 4, tf.tanh)
    | OutputProjectionWrapper(BASIC(2), 4, tf.tanh) | GLSTMCell(4, ONES, number_of_groups=1)
    | LSTMBlockCell(2, 0.5, 0.1, True) | GRUBlockCellV2(2)
told(C.rnn.PhasedLSTMCell(2, ?), (A([[0.5], [0.7]]), A(R))) | use_peepholes=True | leak=0.1 | ratio_on=0.3
    | trainable_ratio_on=False | period_init_min=0.5, period_init_max=0.6 | period_init_max=2.0
C.rnn.static_bidirectional_rnn(BASIC(2), BASIC(3), [A(R)] * 2, ?) | dtype=F | initial_state_bw=tf.ones([2, 3]), dtype=F
C.rnn.stack_bidirectional_dynamic_rnn([BASIC(2)], [BASIC(3)], A(X4[:, 0]), ?) | dtype=F
    | initial_states_fw=[tf.ones([2, 2])], dtype=F | initial_states_bw=[tf.ones([2, 3])], dtype=F
    | sequence_length=[1, 3], dtype=F | parallel_iterations=3, dtype=F | time_major=True, dtype=F | scope="s", dtype=F
    | swap_memory=True, dtype=F
C.seq2seq.? | sequence_loss(A(X4[:, 0]), [[0] * 6] * 2, tf.ones([2, 6]))
    | sequence_loss(A(X4[:, 0]), [[0] * 6] * 2, tf.ones([2, 6]), False)
    | sequence_loss(A(X4[:, 0]), [[0] * 6] * 2, tf.ones([2, 6]), True, False)
    | sequence_loss(A(X4[:, 0]), [[0] * 6] * 2, tf.ones([2, 6]), False, False, sum_over_timesteps=True)
    | sequence_loss(A(X4[:, 0]), [[0] * 6] * 2, tf.ones([2, 6]), False, False, sum_over_batch=True)
    | sequence_loss(A(X4[:, 0]), [[0] * 6] * 2, tf.ones([2, 6]), sum_over_batch=True)
    | sequence_loss(A(X4[:, 0]), [[0] * 6] * 2, tf.ones([2, 6]), softmax_loss_function=lambda labels, logits: tf.cast(labels, tf.float32), name="n")
    | sequence_loss(A(R), [[0]], tf.ones([2, 6])) | safe_cumprod(A(R), exclusive=True, axis=1)
    | monotonic_attention(A(abs(R)), A(abs(R)), "recursive") | monotonic_attention(A(abs(R)), A(abs(R)), "parallel")
    | monotonic_attention(A(abs(R)), A(abs(R)), "hard") | monotonic_attention(A(abs(R)), A(abs(R)), "some")
    | tile_batch(A(R), 2, "n") | hardmax(A(R), "n") | gather_tree([[[0]]], [[[0]]], [1], 3)
C.seq2seq.LuongAttention(2, A(X4[:, 0, :, :2]), ?)(A(R[:, :2]), tf.zeros([2, 6])) | scale=True
    | memory_sequence_length=[2, 6] | probability_fn=tf.nn.sigmoid
    | score_mask_value=-5.0, memory_sequence_length=[2, 6] | name="n"
C.seq2seq.BahdanauAttention(2, A(X4[:, 0]), ?)(A(R), tf.zeros([2, 6])) | normalize=True | memory_sequence_length=[2, 6]
    | probability_fn=tf.nn.sigmoid | score_mask_value=-5.0, memory_sequence_length=[2, 6] | name="n"
C.seq2seq.LuongMonotonicAttention(2, A(X4[:, 0, :, :2]), ?)(A(R[:, :2]), tf.one_hot([0, 0], 6)) | scale=True
    | sigmoid_noise=0.5, sigmoid_noise_seed=1 | score_bias_init=0.5 | mode="recursive" | mode="hard"
    | sigmoid_noise=0.5, sigmoid_noise_seed=4 | name="n"
C.seq2seq.BahdanauMonotonicAttention(2, A(X4[:, 0]), ?)(A(R), tf.one_hot([0, 0], 6)) | normalize=True
    | sigmoid_noise=0.5, sigmoid_noise_seed=1 | score_bias_init=0.5 | mode="recursive" | mode="hard"
    | sigmoid_noise=0.5, sigmoid_noise_seed=4 | name="n"
attended(?) | attention_layer_size=3 | attention_layer_size=[3] | alignment_history=True | cell_input_fn=lambda i, a: i
    | output_attention=False | initial_cell_state=tf.ones([2, 2]) | attention_layer=tf.layers.Dense(3)
    | attention_fn=None | attention_layer_size=3, attention_layer=tf.layers.Dense(3) | name="n"
C.legacy_seq2seq.? | sequence_loss([A(R)], [[0, 1]], [tf.ones([2])])
    | sequence_loss([A(R)], [[0, 1]], [tf.ones([2])], False, True)
    | sequence_loss([A(R)], [[0, 1]], [tf.ones([2])], True, False, name="n")
    | sequence_loss_by_example([A(R)], [[0, 1]], [tf.ones([2])], False)
    | embedding_rnn_decoder([A([0, 1])] * 2, tf.ones([2, 2]), BASIC(2), 3, 2, feed_previous=True, output_projection=(A(np.ones([2, 3], "f")), A(np.ones(3, "f"))), update_embedding_for_previous=False)
    | embedding_rnn_decoder([A([0, 1])] * 2, tf.ones([2, 2]), BASIC(2), 3, 2, scope="s")
    | embedding_attention_decoder([A([0, 1])] * 2, tf.ones([2, 2]), A(X4[:, 0]), BASIC(2), 3, 2, feed_previous=True, output_projection=(A(np.ones([2, 3], "f")), A(np.ones(3, "f"))), update_embedding_for_previous=False)
    | attention_decoder([A(R)] * 2, tf.ones([2, 2]), A(X4[:, 0]), BASIC(2), output_size=3, num_heads=2, initial_state_attention=True)
    | attention_decoder([A(R)] * 2, tf.ones([2, 2]), A(X4[:, 0]), BASIC(2), loop_function=lambda p, i: A(R), scope="s")
    | rnn_decoder([A(R)] * 2, tf.ones([2, 2]), BASIC(2), lambda p, i: A(R), "s")
    | attention_decoder([], tf.ones([2, 2]), A(X4[:, 0]), BASIC(2))
"""  # noqa: E501
REST = """
C.framework.? | assert_or_get_global_step(STEP()) | assert_or_get_global_step(global_step_tensor=STEP())
    | get_or_create_global_step() | filter_variables([V("a"), V("b")], ["a"])
    | filter_variables([V("a"), V("b")], None, ["a"])
    | filter_variables([V("a"), V("b")], include_patterns=["b"], exclude_patterns=["b"])
    | filter_variables([V("ab"), V("b")], ["b"], reg_search=False)
    | [V("a"), C.framework.get_variables_to_restore(include=["a"])][1]
    | [V("a"), V("b"), C.framework.get_variables_to_restore(exclude=["a"])][2]
    | [V("a"), C.framework.get_variables_to_restore(["b"])][1] | [V("a"), C.framework.get_variables("a", "b")][1]
    | [V("a"), C.framework.get_variables(suffix="a")][1] | [V("a"), C.framework.get_unique_variable("a")][1]
    | C.framework.get_unique_variable("a") | [V("a"), C.framework.get_variables_by_name("a", "s")][1]
    | [V("a"), C.framework.get_variables_by_suffix("a")][1] | variable("v", [2], F, ONES, L2, False, ["c"])
    | variable("v", [2], use_resource=True) | model_variable("v", [2], F, ONES, L2, False, ["c"])
    | local_variable(1.0, False, "l") | local_variable(1.0, use_resource=True) | zero_initializer(V("a"))
    | with_shape([2, 3], A(R)) | with_same_shape(A(R), A(R[:1])) | with_shape([3, 3], A(R))
    | assert_same_float_dtype([A(R)], tf.float64) | assert_scalar(A(R), "n") | assert_scalar_int(A(R)) | is_tensor(3)
    | reduce_sum_n([A(R), A(R)], "n") | remove_squeezable_dimensions(A([[1]]), A([1]))
    | sort([3, 1], direction="DESCENDING") | sort(R, 0) | argsort([3, 1], -1, "DESCENDING", True, "n")
    | argsort([3, 1], direction="SOME") | nest.flatten(3)
placed(C.framework.VariableDeviceChooser(?)) | 2 | num_tasks=2 | 2, "worker" | 2, device_type="GPU", device_index=1
    | num_tasks=0 | 2, "w", "GPU", 1, 3
C.losses.metric_learning.? | npairs_loss([0, 1], A(R), A(R)) | npairs_loss([0, 1], A(R), A(R), 0.5, True)
    | npairs_loss_multilabel([SPARSE(), SPARSE()], A(R), A(R), 0.5) | contrastive_loss([0, 1], A(R), A(R), 2.0)
    | triplet_semihard_loss([0, 1], A(R), 2.0) | lifted_struct_loss([0, 1], A(R), 2.0)
    | npairs_loss([0, 1], A(R), A(R), print_losses=True)
C.metrics.? | streaming_auc([0.2, 0.7], [0, 1], num_thresholds=5, curve="PR")
    | streaming_auc([0.2, 0.7], [0, 1], curve="SOME") | streaming_sparse_recall_at_k(A(R), [[0], [1]], 2, class_id=1)
    | streaming_sparse_precision_at_k(A(R), [[0], [1]], 2, class_id=1, weights=[1.0, 0.5])
    | streaming_specificity_at_sensitivity([0.2, 0.7], [0, 1], 0.5, num_thresholds=5)
    | accuracy([1, 0], [1, 1], [0.5, 1.0]) | confusion_matrix([0, 1], [1, 1], 3, tf.int64, "n", [2, 3])
    | set_size(SPARSE(), False) | set_intersection([[1, 2]], [[2, 3]], False)
    | set_difference([[1, 2]], [[2, 3]], False) | set_difference([[1, 2]], [[2, 3]])
    | set_union([[1, 2]], [[2, 3]], False) | count([1, 2], [0.5, 1.0], ["m"], ["u"], "n")
    | cohen_kappa([0, 1], [1, 1], 2, [0.5, 1.0]) | f1_score([0, 1], [0.2, 0.7], [0.5, 1.0], num_thresholds=5)
    | precision_at_recall([0, 1], [0.2, 0.7], 0.5, num_thresholds=5)
    | auc_with_confidence_intervals([0, 1], [0.2, 0.7], alpha=0.9)
    | auc_with_confidence_intervals([0, 1], [0.2, 0.7], logit_transformation=False, weights=[0.5, 1.0])
    | aggregate_metrics() | streaming_false_positive_rate([1, 0], [1, 1], [0.5, 1.0])
updated(C.metrics.?) | streaming_accuracy([1, 0], [1, 1], [0.5, 1.0], ["m"], ["u"], "n")
    | streaming_mean([1.0, 2.0], [0.5, 1.0], ["m"], ["u"], "n") | streaming_precision([1, 0], [1, 1], [0.5, 1.0])
    | streaming_recall([1, 0], [1, 1], [0.5, 1.0]) | streaming_recall_at_k(A(R), [0, 1], 1)
    | streaming_percentage_less([1.0, 2.0], 1.5, [0.5, 1.0])
    | streaming_pearson_correlation([1.0, 2.0], [2.0, 5.0], [0.5, 1.0])
    | streaming_covariance([1.0, 2.0], [2.0, 5.0], [0.5, 1.0])
    | streaming_curve_points([0, 1], [0.2, 0.7], num_thresholds=3, curve="PR")
    | streaming_root_mean_squared_error([1.0], [2.0], [0.5]) | streaming_mean_cosine_distance(A(R), A(R), 1)
    | recall_at_precision([0, 1], [0.2, 0.7], 0.5, num_thresholds=5)
C.training.? | create_train_op(W(), tf.train.GradientDescentOptimizer(0.1), STEP(), variables_to_train=[])
    | clip_gradient_norms([(A(R), V("v")), (None, V("w"))], 0.1) | multiply_gradients([(A(R), V("v"))], {})
    | multiply_gradients([], {"v": 2.0}) | HParams(a=1, b=[1.0]).parse("a=3,b=[2,3]").values() | HParams(a=1).to_json()
    | HParams(a=1, b=2).to_json(2) | HParams(a=1, b=2).to_json(separators=(";", "="))
    | HParams(b=1, a=2).to_json(sort_keys=True) | HParams(a=1).parse("b=1") | HParams(a=1).parse("a=x")
    | HParams(a=1).override_from_dict({"a": 2}).a | HParams(a=1).override_from_dict({"b": 2})
    | HParams(a=1).get("b", 3) | HParams(a=1).get("a", "x") | HParams(a=1).set_hparam("a", [1])
    | HParams(a=1).add_hparam("a", 2) | HParams(a=1).del_hparam("a") | parse_values("a=1,b[1]=2", {"a": int, "b": int})
    | parse_values("a=1,a=2", {"a": int})
built(C.training.?) | create_train_op(W(), tf.train.GradientDescentOptimizer(0.1), STEP())
    | create_train_op(W(), tf.train.GradientDescentOptimizer(0.1), STEP(), transform_grads_fn=lambda gs: [(g * 2, v) for g, v in gs])
    | create_train_op(W(), tf.train.GradientDescentOptimizer(0.1), STEP(), summarize_gradients=True)
    | create_train_op(W(), tf.train.GradientDescentOptimizer(0.1), None)
    | create_train_op(W(), tf.train.GradientDescentOptimizer(0.1), STEP(), check_numerics=False)
    | create_train_op(W(), tf.train.GradientDescentOptimizer(0.1), STEP(), gate_gradients=0, aggregation_method=1, colocate_gradients_with_ops=True)
    | create_train_op(W(), tf.train.GradientDescentOptimizer(0.1), STEP(), update_ops=[])
built(C.training.?) | bucket(A(1), [A(1)], 2, 1, dynamic_pad=True)
    | bucket_by_sequence_length(3, [A(1)], 2, [2, 4], allow_smaller_final_batch=True, keep_input=True)
    | stratified_sample([A(1)], 0, [0.5, 0.5], 2, init_probs=[0.3, 0.7], threads_per_queue=2, queue_capacity=8)
    | stratified_sample([A(1)], 0, [0.5, 0.6], 2)
    | rejection_sample([A(1)], lambda x: 0.5, 2, queue_threads=2, prebatch_capacity=4, prebatch_threads=2, name="n")
    | weighted_resample([A([1, 2])], A([0.5, 0.5]), 1.0, mean_decay=0.5, seed=1)
    | weighted_resample([A([1, 2])], A([0.5, 0.5]), 1.0, "s", seed=1)
    | resample_at_rate([A([1, 2])], [0.5, 0.5], "s", 1)
C.opt.? | clip_gradients_by_global_norm([(A(R), V("v"))], 0.1)
    | clip_gradients_by_global_norm([(A(R), V("v"))], clip_norm=3.0)
built(gone(C.opt.?)) | AdamWOptimizer(0.1, 0.2, 0.3, 0.4, 0.5)
    | MomentumWOptimizer(0.1, 0.2, 0.3, True, use_nesterov=True)
gone(C.opt.?) | AdaMaxOptimizer(0.1, 0.2, 0.3, 0.4) | NadamOptimizer(0.1, 0.2, 0.3, 0.4)
    | LazyAdamOptimizer(0.1, 0.2, 0.3, 0.4) | PowerSignOptimizer(0.1, 2.0, 0.5)
    | PowerSignOptimizer(0.1, sign_decay_fn=lambda s: 0.5) | AddSignOptimizer(0.1, 2.0, 0.5)
    | AddSignOptimizer(0.1, sign_decay_fn=lambda s: 0.5) | RegAdagradOptimizer(0.1, 0.2) | AdamGSOptimizer(beta1=0.5)
    | LARSOptimizer(0.1, 0.2, 0.3, 0.4) | GGTOptimizer(0.1, 0.2, window=2, eps=0.5, svd_eps=1e-3, sigma_eps=0.5)
    | VariableClippingOptimizer(SGD(), {}, True, True) | MovingAverageOptimizer(SGD(), average_decay=0.5)
    | MovingAverageOptimizer(SGD(), 0.5, 3, False) | MultitaskOptimizerWrapper(SGD()) | LazyAdamGSOptimizer(0.1)
C.mixed_precision.ExponentialUpdateLossScaleManager(?).get_loss_scale() | 4.0, 2 | 4.0, 2, 3
    | 4.0, 2, 3, incr_ratio=3.0 | 4.0, 2, 3, decr_ratio=0.9
scaled(C.mixed_precision.ExponentialUpdateLossScaleManager(?)) | 4.0, 1 | 4.0, 1, 1 | 4.0, 1, 1, incr_ratio=3.0
    | 4.0, 1, 1, decr_ratio=0.5 | 4.0, 2, 2
C.image.? | rotate(A(X4), 0.5) | rotate(A(X4), 0.5, "BILINEAR", "n") | transform(A(X4), [1.0, 0, 1, 0, 1, 0, 0, 0])
    | transform(A(X4), [1.0, 0, 1, 0, 1, 0, 0, 0], output_shape=[3, 3])
    | transform(A(X4), [1.0, 0, 0.5, 0, 1, 0, 0, 0], "BILINEAR") | translate(A(X4), [1.0, 2.0], "BILINEAR", "n")
    | angles_to_projective_transforms(0.5, 3, 4, "n") | adjust_hsv_in_yiq(A(X4[..., :3]), 0.1, 2.0, 3.0)
    | random_hsv_in_yiq(A(X4[..., :3]), 0.1, 0.5, 2.0, 0.5, 2.0, 1) | connected_components(A(R > 0))
    | dense_image_warp(A(X4), A(X4[..., :2]), "n")
    | interpolate_spline(A(X4[:, 0, :, :2]), A(X4[:, 1, :, :1]), A(X4[:, 2, :, :2]), 2, 0.1, "n")
    | sparse_image_warp(A(X4), A(X4[:, 0, :3, :2]), A(X4[:, 1, :3, :2]), interpolation_order=1, regularization_weight=0.1)
    | bipartite_match(A(abs(R)), 2, 1, "n")
built(C.metrics.?) | auc_using_histogram([True, False], [0.2, 0.4], [0.0, 1.0], 5)
    | auc_using_histogram([True, False], [0.2, 0.4], [0.0, 1.0], 5, check_shape=False, name="n")
built(trained(C.layers.gdn(A(X4), reparam_offset=0.1)))
C.crf.? | crf_log_likelihood(A(X4[:, 0]), [[0] * 6] * 2, [6, 3])
    | crf_log_likelihood(A(X4[:, 0]), [[0] * 6] * 2, [6, 3], transition_params=np.ones([4, 4], "f"))
    | crf_decode(A(X4[:, 0]), np.ones([4, 4], "f"), [6, 3]) | viterbi_decode(X4[0, 0], np.ones([4, 4]))
    | crf_binary_score([[0] * 6] * 2, [6, 3], np.ones([4, 4], "f"))
C.solvers.? | lanczos.lanczos_bidiag(OPERATOR(), 2, orthogonalize=False)
    | lanczos.lanczos_bidiag(OPERATOR(), 2, starting_vector=A(R[0]), name="n")
    | linear_equations.conjugate_gradient(OPERATOR(), A(R[0]), tol=0.1, max_iter=2, name="n")
    | least_squares.cgls(OPERATOR(), A(R[0]), 0.1, 3, "n")
C.slim.? | utils.last_dimension(tf.TensorShape([2, 3]), min_rank=2)
    | utils.last_dimension(tf.TensorShape([2, 3]), min_rank=3)
    | utils.channel_dimension(tf.TensorShape([2, 3, 4, 5]), "NCHW", 3)
    | utils.channel_dimension(tf.TensorShape([2]), "NHWC", min_rank=3)
    | utils.first_dimension(tf.TensorShape([2, 3]), 3) | utils.two_element_tuple((1, 2))
    | utils.n_positive_integers(2, 3) | utils.n_positive_integers(2, [1, -1]) | utils.constant_value(A(True))
    | utils.append_tensor_alias(A(R), "a").alias | utils.gather_tensors_aliases([A(R)])
    | model_analyzer.analyze_vars([V("a")], print_info=True)
    | model_analyzer.analyze_ops(tf.get_default_graph(), print_info=True)
C.distributions.? | matrix_diag_transform(A(R[:, :2][None, :2]), transform=tf.nn.softplus, name="n")
    | matrix_diag_transform(A(R[:, :2][None, :2])) | bijectors.Softplus(hinge_softness=2.0).forward(A(R))
    | bijectors.Softplus(hinge_softness=0.0).forward(A(R)) | bijectors.ScaleTriL(diag_shift=0.5).forward(A(R))
    | bijectors.ScaleTriL(diag_bijector=None).forward(A(R))
    | bijectors.Reshape([3, 1], event_shape_in=[3]).forward(A(R)) | bijectors.Reshape([3, 1], [4]).forward(A(R))
    | bijectors.Kumaraswamy(2.0, 3.0).forward(A(abs(R) / 9))
    | bijectors.Kumaraswamy(concentration1=2.0).forward(A(abs(R) / 9))
    | bijectors.Kumaraswamy(concentration0=2.0).forward(A(abs(R) / 9)) | bijectors.Chain().forward(A(R))
    | bijectors.Chain([C.distributions.bijectors.Exp()]).forward(A(R)) | Kumaraswamy(2.0, 3.0).prob([0.3])
    | Kumaraswamy(concentration1=2.0).prob([0.3]) | Kumaraswamy(concentration0=2.0).prob([0.3])
    | Kumaraswamy().sample(sample_shape=[2], seed=1)
    | MultivariateNormalFullCovariance(None, [[2.0, 0.1], [0.1, 1.0]]).mean()
    | MultivariateNormalFullCovariance(covariance_matrix=[[2.0, 0.1], [0.1, 1.0]]).covariance()
    | MultivariateNormalFullCovariance().covariance()
    | bijectors.Inline(forward_fn=tf.exp, inverse_fn=tf.log, inverse_log_det_jacobian_fn=lambda y: -tf.log(y), forward_min_event_ndims=0).inverse_log_det_jacobian(A(abs(R)), 0)
    | bijectors.Inline(forward_fn=tf.exp, forward_log_det_jacobian_fn=lambda x: x, forward_min_event_ndims=0).forward_log_det_jacobian(A(R), 0)
    | bijectors.Inline(forward_event_shape_fn=lambda s: s, forward_min_event_ndims=0).forward_event_shape(tf.TensorShape([2]))
    | bijectors.Inline(inverse_event_shape_fn=lambda s: s, forward_min_event_ndims=0).inverse_event_shape(tf.TensorShape([2]))
    | bijectors.Inline(forward_event_shape_tensor_fn=lambda s: s, forward_min_event_ndims=0).forward_event_shape_tensor([2])
    | bijectors.Inline(inverse_event_shape_tensor_fn=lambda s: s, forward_min_event_ndims=0).inverse_event_shape_tensor([2])
"""  # noqa: E501


def programs(tf):
    C = tf.contrib
    random = np.random.RandomState(1)

    def trained(value):
        loss = tf.add_n([tf.reduce_sum(value), *tf.losses.get_regularization_losses()])
        if not tf.trainable_variables():
            return value
        with tf.control_dependencies([tf.train.GradientDescentOptimizer(0.1).minimize(loss)]):
            return [v.read_value() for v in tf.trainable_variables()]

    def told(cell, value):
        """What a cell makes of its zeros."""
        return cell(value, cell.zero_state(2, tf.float32))

    def attended(**options):
        attention = C.seq2seq.LuongAttention(2, tf.constant(arrays["X4"][:, 0, :, :2]))
        cell = C.seq2seq.AttentionWrapper(tf.nn.rnn_cell.BasicRNNCell(2), attention, **options)
        given, state = cell(tf.constant(arrays["R"]), cell.zero_state(2, tf.float32))
        return [given, state.attention, state.alignments, state.cell_state]

    def gone(optimizer):
        """A variable after two steps."""
        w = tf.get_variable("w", initializer=[1.0, -2.0])
        first = optimizer.minimize(tf.reduce_sum(w * w), global_step=step())
        with tf.control_dependencies([first]):
            return w.read_value()

    def step():
        return tf.train.get_or_create_global_step()

    def scaled(manager):
        with tf.control_dependencies([manager.update_loss_scale(tf.constant(True))]):
            better = tf.identity(manager.get_loss_scale())
        with tf.control_dependencies([better]):
            with tf.control_dependencies([manager.update_loss_scale(tf.constant(False))]):
                return [better, tf.identity(manager.get_loss_scale())]

    def updated(metric):
        return metric[1]

    def placed(chooser):
        found = []
        for number in range(3):
            with tf.device(chooser):
                found.append(tf.Variable(1.0, name=f"v{number}").device)
        return found

    arrays = {"R": random.randn(2, 3).astype("f"), "X4": random.randn(2, 6, 6, 4).astype("f")}
    names = {
        "L2": tf.keras.regularizers.l2(0.1),
        "ONES": tf.ones_initializer(),
        "BASIC": tf.nn.rnn_cell.BasicRNNCell,
        "SPARSE": lambda values=None: tf.SparseTensor(
            [[0, 0], [1, 1]], tf.constant([1, 0]) if values is None else values, [2, 2]
        ),
        "W": lambda: tf.reduce_sum(tf.square(tf.get_variable("w", initializer=[1.0, 2.0]))),
        "V": lambda name: tf.get_variable(name, initializer=1.0),
        "STEP": step,
        "SGD": lambda: tf.train.GradientDescentOptimizer(0.1),
        "OPERATOR": lambda: C.solvers.util.create_operator(
            tf.constant(np.diag([1.0, 2.0, 3.0]).astype("f"))
        ),
    }
    return rows(
        LAYERS + RNN + REST,
        tf=tf, np=np, C=C, nn=tf.nn, A=tf.constant, F=tf.float32, trained=trained, told=told, updated=updated,
        attended=attended, gone=gone, scaled=scaled, placed=placed, **arrays, **names,
    )  # fmt: skip
