"""Pruned networks: trained by slim's loop, stripped of pruning nodes, read from a checkpoint."""

import numpy as np
import pytest

import tfmini as tf


def network():
    """A network on fixed numbers, and the op that masks half of its weights."""
    pruning = tf.contrib.model_pruning
    x = tf.constant(np.random.RandomState(1).rand(4, 6).astype(np.float32))
    y = pruning.masked_fully_connected(x, 4, activation_fn=None, scope="layer")
    step = tf.train.get_or_create_global_step()
    masker = pruning.Pruning(global_step=step, sparsity=tf.constant(0.5))
    return tf.identity(y, name="y"), step, masker


def test_masks_are_updated_during_training():
    y, step, masker = network()
    learning = tf.contrib.slim.learning
    loss = tf.reduce_sum(tf.square(y - 1.0))
    optimizer = tf.train.GradientDescentOptimizer(0.01)
    train = learning.create_train_op(loss, optimizer, global_step=step)
    (share,) = tf.contrib.model_pruning.get_weight_sparsity()
    shares = []

    def train_step(session, *rest):
        shares.append(session.run(share))
        return learning.train_step(session, *rest)

    update = masker.mask_update_op()
    last = tf.contrib.model_pruning.train(train, None, update, train_step, number_of_steps=3)
    assert np.isfinite(last)
    assert shares == [0.0, 0.5, 0.5]


def test_strip_pruning_vars(tmp_path):
    y, _, masker = network()
    saver = tf.train.Saver()
    update = masker.mask_update_op()
    with tf.Session() as session:
        session.run(tf.global_variables_initializer())
        session.run(update)
        expected = session.run(y)
        assert session.run(tf.contrib.model_pruning.get_weight_sparsity()) == [0.5]
        saver.save(session, str(tmp_path / "model"), global_step=1)
    with tf.Graph().as_default():
        frozen = tf.contrib.model_pruning.graph_def_from_checkpoint(str(tmp_path), ["y"])
    stripped = tf.contrib.model_pruning.strip_pruning_vars_fn(frozen, ["y"])
    names = {node.name: node.op for node in stripped.node}
    assert names["layer/weights/masked_weight"] == "Const"
    assert "layer/mask" in {node.name for node in frozen.node} - set(names)
    with tf.Graph().as_default(), tf.Session() as session:
        (result,) = tf.import_graph_def(stripped, return_elements=["y:0"])
        np.testing.assert_allclose(session.run(result), expected, rtol=1e-6)
    with pytest.raises(ValueError, match="Could not find a checkpoint at"):
        tf.contrib.model_pruning.graph_def_from_checkpoint(str(tmp_path / "none"), ["y"])


def test_invalid_hyperparameters():
    pruning = tf.contrib.model_pruning
    network()
    step = tf.train.get_global_step()

    def masker(**settings):
        hparams = pruning.get_pruning_hparams()
        for name, value in settings.items():
            setattr(hparams, name, value)
        return pruning.Pruning(hparams, step)

    with pytest.raises(ValueError, match="Expected 2 values for block dim for layer"):
        masker(block_dims_map=["layer:4"])
    with pytest.raises(ValueError, match="Weight sparsity can not exceed 1.0"):
        masker(weight_sparsity_map=["layer:1.5"])
    with pytest.raises(ValueError, match="Multiple matches in weight_sparsity_map"):
        masker(weight_sparsity_map=["layer:0.5", "lay:0.25"]).mask_update_op()
    with pytest.raises(ValueError, match="Unknown pooling function for block sparsity: MIN"):
        masker(block_height=2, block_pooling_function="MIN").mask_update_op()


def test_weight_sparsity(caplog):
    caplog.set_level("INFO", "tensorflow")
    with tf.Graph().as_default() as graph:
        tf.constant([0.0, 1.0, 2.0, 3.0], name="a/masked_weight")
        stripped = tf.contrib.model_pruning.strip_pruning_vars_fn(
            graph.as_graph_def(), ["a/masked_weight"]
        )
    assert [node.op for node in stripped.node] == ["Const"]
    assert "a/masked_weight has 4 values, 25.00% zeros" in caplog.text
