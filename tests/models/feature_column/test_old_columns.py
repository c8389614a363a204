"""User-defined columns with the protocol before 1.13, as in TensorFlow 1.15.5."""

import collections

import pytest

import tfmini as tf
from tfmini._src.models.feature_column import base_columns, old_columns
from tfmini._src.models.feature_column.linear_model import ScopedLinearModel
from tfmini._src.models.feature_column.parse_example_spec import make_parse_example_spec_v2
from tfmini._src.models.feature_column.state_manager import LayerState, StateManager

columns = tf.feature_column
SPEC = tf.FixedLenFeature((1,), tf.float32)


class Doubled(old_columns.DenseColumn):
    calls = 0
    name = "doubled"
    _parse_example_spec = {"x": SPEC}
    _variable_shape = variable_shape = tf.TensorShape([1])

    def _transform_feature(self, inputs):
        self.calls += 1
        return inputs.get("x") * 2

    def _get_dense_tensor(self, inputs, weight_collections=None, trainable=None):
        self.given = trainable, "mine" in weight_collections
        return inputs.get(self)


class DenseAndIds(old_columns.DenseColumn, old_columns.CategoricalColumn):
    name = "both"
    _parse_example_spec = _variable_shape = None
    _num_buckets = 4

    def _transform_feature(self, inputs):
        return inputs.get("ids")

    def _get_dense_tensor(self, inputs, weight_collections=None, trainable=None):
        raise ValueError("not for weights")

    def _get_sparse_tensors(self, inputs, weight_collections=None, trainable=None):
        return self.IdWeightPair(inputs.get(self), None)


class Only(old_columns.FeatureColumn, collections.namedtuple("Only", ["spec"])):
    @property
    def _parse_example_spec(self):
        return self.spec

    def _transform_feature(self, inputs):
        return None


def test_dense_column():
    column, other = Doubled(), columns.numeric_column("x")
    with tf.Graph().as_default(), tf.Session() as session:
        features = {"x": [[1.0], [3.0]]}
        layer = columns.input_layer(features, [other, column], ["mine"], trainable=False)
        assert session.run(layer).tolist() == [[2, 1], [6, 3]]
    assert (column.calls, column.given) == (1, (False, True))
    assert columns.make_parse_example_spec([column, other])["x"] == SPEC
    assert not column.is_second
    with pytest.raises(ValueError, match="Items of feature_columns must be a FeatureColumn"):
        tf.keras.layers.DenseFeatures([column])


def test_ids_precede_numbers():
    column = DenseAndIds()
    with tf.Graph().as_default(), tf.Session() as session:
        ids = tf.SparseTensor([[0, 0], [1, 0], [1, 1]], tf.constant([2, 0, 3], tf.int64), [2, 2])
        model = ScopedLinearModel([column])
        result = model({"ids": ids})
        weights, bias = tf.global_variables()
        session.run([weights.initializer, bias.initializer])
        session.run(weights.assign([[1.0], [10.0], [100.0], [1000.0]]))
        assert session.run(result).tolist() == [[100], [1001]]


def test_cache_errors_name_required_type():
    cache = old_columns.LazyBuilder({"a": [[2]]})
    with pytest.raises(TypeError, match='"key" must be either a "str" or "_FeatureColumn".'):
        cache.get(object())
    unnamed = type("Unnamed", (Only,), {"name": "unnamed"})(())
    with pytest.raises(ValueError, match="Column unnamed is not supported"):
        cache.get(unnamed)


def test_parse_spec_of_columns():
    assert columns.make_parse_example_spec([Only({"a": SPEC})]) == {"a": SPEC}
    with pytest.raises(ValueError, match="All feature_columns must be FeatureColumn instances"):
        make_parse_example_spec_v2([Only({"a": SPEC})])
    assert "x" in make_parse_example_spec_v2([columns.numeric_column("x")])


def test_column_with_both_protocols():
    class Both(Doubled, base_columns.DenseColumn):
        def transform_feature(self, cache, state):
            return cache.get("x") * 3

        def get_dense_tensor(self, cache, state):
            return cache.get(self, state)

    with tf.Graph().as_default(), tf.Session() as session:
        layer = tf.keras.layers.DenseFeatures([Both()])
        assert session.run(layer({"x": [[1.0], [3.0]]})).tolist() == [[3], [9]]


def test_column_parents():
    number = columns.numeric_column("x")
    buckets = columns.bucketized_column(number, [0.0])
    ids = columns.categorical_column_with_identity("ids", 3)
    weighted = columns.weighted_categorical_column(ids, "w")
    assert (number.parents, buckets.parents) == (["x"], [number])
    assert weighted.parents == [ids, "w"]
    assert columns.crossed_column([buckets, "ids"], 5).parents == [buckets, "ids"]
    assert columns.indicator_column(weighted).parents == [weighted]
    pair = base_columns.CategoricalColumn.IdWeightPair(1, 2)
    assert (pair.id_tensor, pair.weight_tensor) == (1, 2)


@pytest.mark.parametrize(
    "method, inputs",
    [
        *(("create_variable", (None, "w", [])), ("add_variable", (None, None))),
        *(("add_resource", (None, "t", None)), ("get_resource", (None, "t"))),
    ],
)
def test_abstract_state_manager_methods(method, inputs):
    assert issubclass(LayerState, StateManager)
    with pytest.raises(NotImplementedError, match=f"StateManager.{method}"):
        getattr(StateManager(), method)(*inputs)
    with pytest.raises(NotImplementedError, match=r"StateManager\.get_var$"):
        StateManager().get_variable(None, "w")


def test_state_without_layer_holds_resources():
    """tensorflow_hub creates one at import."""
    state = LayerState(layer=None, trainable=False)
    state.add_resource("COLUMN", "RESOURCE", True)
    assert state.get_resource("COLUMN", "RESOURCE") is True
    with pytest.raises(ValueError, match="Resource does not exist"):
        state.get_resource("COLUMN", "OTHER")


def test_second_state_keeps_layer_tables():
    layer = tf.keras.layers.Layer()
    LayerState(layer, True).add_resource("COLUMN", "RESOURCE", "table")
    LayerState(layer, True)
    assert layer._resources == ["table"]
