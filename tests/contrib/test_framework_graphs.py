"""tf.contrib.framework on graphs: messages are TensorFlow 1.15.5's."""

import pytest

import tfmini as tf

framework = tf.contrib.framework


def test_placeholders_in_order():
    with tf.Graph().as_default() as graph:
        x, y = tf.placeholder(tf.int32, [2]), tf.placeholder(tf.float32)
        tf.constant(1)
    assert framework.get_placeholders(graph) == [x, y]
    with pytest.raises(TypeError, match="^Input graph needs to be a Graph: 3$"):
        framework.get_placeholders(3)


def test_the_graph_of_inputs():
    x = tf.placeholder(tf.int32)
    assert framework.get_graph_from_inputs([x]) is x.graph
    with tf.Graph().as_default():
        assert framework.get_graph_from_inputs([x]) is x.graph
    with pytest.raises(ValueError, match="is not from the passed-in graph.$"):
        framework.get_graph_from_inputs([x], tf.Graph())


def test_the_scope_of_names():
    with tf.Graph().as_default():
        assert framework.get_name_scope() == ""
        with tf.name_scope("outer"), tf.name_scope("inner"):
            assert framework.get_name_scope() == "outer/inner"


def test_sums_of_all_elements():
    with tf.Graph().as_default(), tf.Session() as session:
        one = framework.reduce_sum_n([tf.constant([1.0, 2.0], name="a")])
        total = framework.reduce_sum_n(
            [tf.constant([1.0, 2.0], name="b"), tf.constant([[3.0]], name="c")]
        )
        assert (one.op.name, total.op.name) == ("reduce_sum_n/a/sum", "reduce_sum_n_1")
        assert session.run([one, total]) == [3.0, 6.0]
    with pytest.raises(ValueError, match="^No tensors provided.$"):
        framework.reduce_sum_n([])


def test_whole_scalars():
    assert framework.assert_scalar_int(tf.constant(3)).dtype == tf.int32
    with pytest.raises(
        ValueError, match="^Expected integer type for x:0, received type: <dtype: 'f"
    ):
        framework.assert_scalar_int(tf.placeholder(tf.float32, [], name="x"))
    with pytest.raises(ValueError, match=r"saw shape: \(2,\)\.$"):
        framework.assert_scalar_int(tf.constant([1, 2]))


def test_a_last_dimension_is_removed():
    predictions, labels = framework.remove_squeezable_dimensions(
        tf.zeros([2, 3, 1]), tf.ones([2, 3])
    )
    assert predictions.shape == labels.shape == [2, 3]
    with tf.Session() as session:
        assert session.run([predictions, labels])[1].all()


@pytest.mark.filterwarnings("ignore::DeprecationWarning")
def test_the_global_step_of_a_graph_that_is_not_the_default_one():
    other = tf.Graph()
    assert framework.get_global_step(other) is None
    made = framework.create_global_step(other)
    assert made.graph is other
    assert framework.get_or_create_global_step(other) is framework.get_global_step(other) is made
    assert framework.assert_or_get_global_step(other) is made
    assert (
        framework.assert_or_get_global_step(
            other, step := other.get_tensor_by_name("global_step:0")
        )
        is step
    )
    assert framework.get_or_create_global_step(third := tf.Graph()).graph is third


def test_variables_are_on_the_device_around():
    with tf.device("/cpu:0"):
        made = framework.variable("around", [3])
        model = framework.model_variable("model", [3])
        given = framework.variable("given", [3], device="/cpu:1")
    assert made.device == model.device == "/device:CPU:0"
    assert given.device == "/device:CPU:1"
