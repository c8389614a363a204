"""Pruning of small weights during training: layers, cells, blocks, partitions, summaries."""

import numpy as np

TOLERANCE = 1e-4  # float32 networks and their gradients


def build(tf):
    pruning = tf.contrib.model_pruning
    random = np.random.RandomState(5)
    images = tf.constant(random.rand(2, 6, 6, 3).astype(np.float32), name="images")
    tf.set_random_seed(7)
    step = tf.train.get_or_create_global_step()
    y = pruning.masked_conv2d(images, 4, 3, stride=2, scope="first", outputs_collections="outputs",
                              variables_collections={"weights": ["mine"]})  # fmt: skip
    y = pruning.masked_conv2d(
        y, 4, [1, 1], activation_fn=None, biases_initializer=None, scope="plain"
    )
    flat = tf.reshape(y, [2, 36])
    y = pruning.masked_fully_connected(flat, 6, scope="dense")
    three = pruning.masked_fully_connected(tf.reshape(flat, [2, 9, 4]), 2, scope="three")
    weights = tf.get_variable("weights", [6, 5], initializer=tf.glorot_uniform_initializer())
    y = tf.matmul(y, pruning.apply_mask(weights, "own"))
    sequences = tf.constant(random.rand(2, 3, 4).astype(np.float32))
    basic = pruning.MaskedBasicLSTMCell(3, name="basic")
    peeping = pruning.MaskedLSTMCell(3, use_peepholes=True, cell_clip=2.0)
    outputs, _ = tf.nn.dynamic_rnn(basic, sequences, dtype=tf.float32, scope="basic")
    others, _ = tf.nn.dynamic_rnn(peeping, sequences, dtype=tf.float32, scope="peeping")
    loss = tf.reduce_sum(tf.square(y)) + tf.reduce_sum(outputs) + tf.reduce_sum(others)
    loss += tf.reduce_sum(three)
    slopes = tf.gradients(loss, pruning.get_weights())
    settings = pruning.get_pruning_hparams().parse(
        "initial_sparsity=0.25,target_sparsity=0.75,sparsity_function_end_step=2,"
        "pruning_frequency=1,threshold_decay=0.5,end_pruning_step=3")  # fmt: skip
    settings.weight_sparsity_map = ["first:0.5"]
    settings.block_dims_map = ["dense:4x2"]
    masked = pruning.Pruning(settings, global_step=step)
    update = masked.conditional_mask_update_op()
    masked.add_pruning_summaries()
    masks, thresholds = pruning.get_masks(), pruning.get_thresholds()
    after = [masks, thresholds, pruning.get_weight_sparsity()]
    with tf.variable_scope("cut", partitioner=tf.fixed_size_partitioner(2)):
        parts = tf.get_variable("parts", [5, 4], initializer=tf.glorot_uniform_initializer())
    with tf.variable_scope("cut_mask", partitioner=tf.fixed_size_partitioner(2)) as scope:
        of_parts = tf.matmul(y, pruning.apply_mask(parts, scope))
    blocks = pruning.get_pruning_hparams().parse("name=blocks,block_height=2,block_width=3")
    blocks.use_tpu = True
    blocks.block_pooling_function = "MAX"
    always = pruning.Pruning(blocks, step, sparsity=tf.constant(0.5)).mask_update_op()
    errors = []
    for text in ("target_sparsity=1.0", "begin_pruning_step=5,end_pruning_step=3",
                 "sparsity_function_begin_step=200", "begin_pruning_step=-1"):  # fmt: skip
        try:
            pruning.Pruning(pruning.get_pruning_hparams().parse(text), step)
        except ValueError as error:
            errors.append(str(error))
    return {
        "facts": {
            "errors": errors,
            "masks": [mask.name for mask in masks],
            "masked": [each.name for each in pruning.get_masked_weights()],
            "settings": str(sorted(settings.values().items())),
            "trained": [v.name for v in tf.trainable_variables()],
        },
        "steps": [
            ("initialize", tf.global_variables_initializer()),
            ("outputs", [y, three, outputs, others, loss]),
            ("slopes", slopes),
            ("update", update),
            ("after", after),
            ("next", step.assign_add(2)),
            ("again", update),
            ("afterwards", after),
            ("blocks", always),
            ("of blocks", [after, of_parts]),
        ],
    }
