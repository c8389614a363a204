"""`tf.keras.backend` as used by Keras 2.3, against hand-computed values or numpy."""

import gc
import weakref

import numpy as np
import pytest

import tfmini as tf
from tfmini._src.nn.layers.backend import crossentropy as formulas, function, reachable, rnn
from tfmini.keras import backend as sessions, backend as values

pytestmark = pytest.mark.usefixtures("keras_session")

X = np.arange(1.0, 13.0, dtype=np.float32).reshape(2, 3, 2)
MASK = np.array([[True, False, True], [True, True, False]])


def test_learning_phase_does_not_keep_its_graph():
    with tf.Graph().as_default() as graph:
        assert sessions.learning_phase() is sessions.learning_phase()
    dropped = weakref.ref(graph)
    del graph
    gc.collect()
    assert dropped() is None


def test_functions_feed_update_and_fetch():
    x, total = values.placeholder(ndim=1), values.variable(np.ones(2))
    seen = []
    step = function.function([x], {"y": x * 2.0, "t": total}, [(total, total + x)], fetches=[x + 1])
    step.fetch_callbacks[step.fetches[0]] = seen.append
    assert step([np.array([1, 2])])["y"].tolist() == [2.0, 4.0]
    assert values.batch_get_value([total])[0].tolist() == [2.0, 3.0]
    assert seen[0].tolist() == [2.0, 3.0]
    values.set_value(total, [5, 6])
    assert sessions.get_session().run(total).tolist() == [5.0, 6.0]
    with pytest.raises(ValueError, match='Invalid argument "other"'):
        function.function([x], [x], other=1)


@pytest.mark.parametrize("unroll", [True, False])
@pytest.mark.parametrize("go_backwards", [True, False])
def test_masked_steps_keep_their_state(unroll, go_backwards):
    def step(at, states):
        return at + states[0], [at + states[0]]

    start = tf.constant(np.full((2, 2), 0.5, np.float32))
    last, outputs, states = rnn.rnn(
        step, tf.constant(X), [start], go_backwards, tf.constant(MASK), unroll=unroll
    )
    state, output, all_outputs = np.full((2, 2), 0.5, np.float32), np.zeros((2, 2)), []
    for t in (2, 1, 0) if go_backwards else (0, 1, 2):
        taken = MASK[:, t][:, None]
        output = np.where(taken, X[:, t] + state, output)
        state = np.where(taken, X[:, t] + state, state)
        all_outputs.append(output)
    result = sessions.get_session().run([last, outputs, states[0]])
    np.testing.assert_allclose(result[0], output)
    np.testing.assert_allclose(result[1], np.stack(all_outputs, axis=1))
    np.testing.assert_allclose(result[2], state)


def test_losses_of_logits_and_probabilities():
    logits = np.array([[1.0, 2.0, 0.5], [0.0, -1.0, 3.0]], np.float32)
    share = np.exp(logits) / np.exp(logits).sum(1, keepdims=True)
    expected = -np.log(share[[0, 1], [1, 2]])
    target = np.eye(3, dtype=np.float32)[[1, 2]]
    sigmoid = 1 / (1 + np.exp(-logits))
    each = -(target * np.log(sigmoid) + (1 - target) * np.log(1 - sigmoid))
    created = [
        formulas.categorical_crossentropy(target, logits, from_logits=True),
        formulas.categorical_crossentropy(target, share * 3),
        formulas.categorical_crossentropy(target, tf.nn.softmax(logits)),
        formulas.sparse_categorical_crossentropy([1, 2], share),
        formulas.sparse_categorical_crossentropy([[1, 2]], logits[None], from_logits=True)[0],
        formulas.sparse_categorical_crossentropy([1, 2], share.T, axis=0),
    ]
    binary = [
        formulas.binary_crossentropy(target, tf.sigmoid(logits)),
        formulas.binary_crossentropy(target, sigmoid),
    ]
    with tf.Session() as session:
        for result in session.run(created):
            np.testing.assert_allclose(result, expected, rtol=1e-5)
        for result in session.run(binary):
            np.testing.assert_allclose(result, each, rtol=1e-4)


def test_reachable_tensors_are_found():
    a, b = tf.constant(1.0), tf.constant(2.0)
    c = a + 1.0
    result = reachable.get_reachable_from_inputs([a], [c])
    assert c in result and b not in result
    with pytest.raises(TypeError, match="Expected Operation, Variable, or Tensor"):
        reachable.get_reachable_from_inputs(["a"])


A, B = np.array([1.0, 5.0, -2.0], np.float32), np.array([2.0, 5.0, -3.0], np.float32)
OF_TWO = ("equal", "not_equal", "greater", "greater_equal", "less", "less_equal")


@pytest.mark.parametrize("name", [*OF_TWO, "maximum", "minimum"])
def test_binary_functions(name):
    with tf.Session() as session:
        result = session.run(getattr(values, name)(tf.constant(A), tf.constant(B)))
    np.testing.assert_array_equal(result, getattr(np, name)(A, B))
