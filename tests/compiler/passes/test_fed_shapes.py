"""fed_shapes: a plan for fixed feed shapes folds everything that follows from them."""

import numpy as np
import pytest

import tfmini as tf
from tests.executor.programs import kinds, placement
from tfmini._src.compiler.pipeline import Target, lower
from tfmini._src.session import compile_step


@pytest.fixture(autouse=True)
def graph():
    with tf.Graph().as_default() as new_graph:
        yield new_graph


def lowered_for(shapes, *fetches, feeds):
    places = placement()
    places.update(tf.get_default_graph())
    return lower(fetches, feeds, (), Target(places, {}, shapes=shapes))


def regression():
    x, y = tf.placeholder(tf.float32, [None, 5]), tf.placeholder(tf.float32, [None, 3])
    w, b = tf.Variable(tf.ones([5, 3])), tf.Variable(tf.zeros([3]))
    losses = tf.nn.softmax_cross_entropy_with_logits_v2(labels=y, logits=tf.matmul(x, w) + b)
    return x, y, tf.gradients(tf.reduce_mean(losses), [w, b])


def random_batch(batch):
    random = np.random.RandomState(batch)
    return random.rand(batch, 5).astype("f"), np.eye(3, dtype="f")[random.randint(0, 3, batch)]


def test_shape_queries_become_constants():
    x, y, slopes = regression()
    of_any, of_four = (
        kinds(lowered_for(shapes, *slopes, feeds=[x, y])) for shapes in ((), ((4, 5), (4, 3)))
    )
    asks = {"Shape", "Reshape", "Prod", "FloorDiv", "Tile", "BroadcastGradientArgs"}
    assert asks & set(of_any) and not asks & set(of_four)
    assert len(of_four) < len(of_any)


def test_value_dependent_shapes_are_kept():
    x = tf.placeholder(tf.float32, [None])
    sizes = tf.placeholder(tf.int32, [None])
    kept = tf.boolean_mask(x, x > 0)
    fetches = tf.shape(kept), tf.reshape(x, sizes)
    ops = kinds(lowered_for(((4,), (2,)), *fetches, feeds=[x, sizes]))
    assert "Shape" in ops and "Reshape" in ops


def test_unused_variable_shape_still_fails():
    v = tf.Variable(tf.ones([3]))
    size = tf.raw_ops.Shape(input=v.read_value())
    refused = pytest.raises(tf.errors.FailedPreconditionError, match="uninitialized value Variable")
    with tf.Session() as session, refused:
        session.run(size)


def test_frequent_shapes_get_specialized_plan(monkeypatch):
    monkeypatch.setattr(compile_step, "_MIN_RUNS", 2)
    x, y, slopes = regression()
    batches = {batch: random_batch(batch) for batch in (4, 7, 1)}
    with tf.Session() as session:
        session.run(tf.global_variables_initializer())
        first = {b: session.run(slopes, {x: f, y: g}) for b, (f, g) in batches.items()}
        (plan,) = [p for p, _ in session._steps.values() if p.by_shapes]
        for _ in range(len(plan.program.nodes)):
            for batch, (features, classes) in batches.items():
                again = session.run(slopes, {x: features, y: classes})
                for found, expected in zip(again, first[batch]):
                    np.testing.assert_allclose(found, expected, rtol=1e-5, atol=1e-7)
        assert {type(made) for made in plan.by_shapes.values()} == {type(plan)}
        with pytest.raises(tf.errors.InvalidArgumentError, match="must be broadcastable"):
            session.run(slopes, {x: batches[4][0], y: batches[7][1]})


def test_shape_counters_are_bounded():
    x = tf.placeholder(tf.float32, [None])
    y = tf.zeros_like(x) + tf.cast(tf.size(x), tf.float32)
    with tf.Session() as session:
        for size in range(30):
            assert session.run(y, {x: np.zeros(size)}).tolist() == [size] * size
        (plan,) = [p for p, _ in session._steps.values()]
        assert len(plan.by_shapes) <= compile_step._MAX_SHAPES


def test_strings_and_scalars_are_not_specialized():
    x, name = tf.placeholder(tf.float32, [None]), tf.placeholder(tf.string, [])
    y = tf.string_join([name, tf.as_string(tf.size(x))])
    z = tf.shape(x) + tf.placeholder_with_default(1, [])
    with tf.Session() as session:
        for _ in range(40):
            assert session.run(y, {x: [1.0, 2.0], name: "a"}) == b"a2"
            assert session.run(z, {x: [1.0, 2.0]}).tolist() == [3]


def test_random_stream_continues_in_specialized_plan(monkeypatch):
    x = tf.placeholder(tf.float32, [None])
    y = tf.random_uniform(tf.shape(x), seed=3) + tf.nn.dropout(x, rate=0.5, seed=4)
    drawn = []
    for fewest in (2, 1000):
        monkeypatch.setattr(compile_step, "_MIN_RUNS", fewest)
        with tf.Session() as session:
            drawn.append([session.run(y, {x: np.ones(9)}) for _ in range(80)])
    np.testing.assert_array_equal(*drawn)
