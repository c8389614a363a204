"""Lists and dicts as attributes of trackable objects; numbers and texts are TensorFlow 1.15.5's."""

import copy
import json
import pickle

import numpy as np
import pytest

import tfmini as tf
from tfmini._src.session.eager.enable import eager_mode
from tfmini._src.variables.data_structures import ListWrapper, _DictWrapper


def _held(**attributes):
    owner = tf.Module()
    for name, value in attributes.items():
        setattr(owner, name, value)
    return owner


def _names(value):
    return [name for name, _ in value._checkpoint_dependencies]


def test_attributes_are_wrapped():
    rows, table = [1, [2.0], {"a": 3}], {"x": [1], 2: "y"}
    owner = _held(rows=rows, table=table, pair=([1], 2))
    assert repr(owner.rows) == "ListWrapper([1, ListWrapper([2.0]), DictWrapper({'a': 3})])"
    assert repr(owner.table) == "DictWrapper({'x': ListWrapper([1]), 2: 'y'})"
    assert str(owner.table) == "{'x': ListWrapper([1]), 2: 'y'}"
    assert type(owner.pair) is tuple and type(owner.pair[0]) is list
    assert isinstance(owner.rows, list) and isinstance(owner.table, dict)
    owner.rows.append(4)
    rows.append(5)
    owner.table["z"] = 6
    assert rows == owner.rows == [1, [2.0], {"a": 3}, 4, 5] and table["z"] == 6
    assert (_names(owner), _names(owner.table)) == (["rows", "table"], ["x"])
    assert type(_held(rows=tf.contrib.checkpoint.NoDependency([1])).rows) is list


def test_variables_and_layers_in_list_are_tracked():
    with tf.Graph().as_default():
        layer = tf.keras.layers.Dense(1)
        layer.build([None, 1])
        trained, retained = tf.Variable(1.0), tf.Variable(2.0, trainable=False)
        rows = _held(rows=[retained, trained, layer]).rows
        assert rows.trainable_weights == [*layer.weights, trained]
        assert rows.non_trainable_weights == [retained]
        assert rows.weights == [*layer.weights, trained, retained]
        rows.trainable = False
        assert rows.trainable_weights == []
        assert rows.non_trainable_weights == rows.weights == [*layer.weights, trained, retained]


def test_wrappers_behave_as_lists_and_dicts():
    rows = ListWrapper([3, 1, 2])
    assert (rows + [4], [0] + rows, rows[1:], rows * 2) == (
        [3, 1, 2, 4],
        [0, 3, 1, 2],
        [1, 2],
        [3, 1, 2] * 2,
    )
    assert (sorted(rows), list(rows), [*rows], rows.index(2), 1 in rows, len(rows)) == (
        [1, 2, 3],
        [3, 1, 2],
        [3, 1, 2],
        2,
        True,
        3,
    )
    np.testing.assert_array_equal(np.array(rows), [3, 1, 2])
    assert json.dumps({"a": rows, "b": _DictWrapper({"c": 1})}) == '{"a": [3, 1, 2], "b": {"c": 1}}'
    table = _DictWrapper({"b": 1, "a": rows})
    assert dict(table) == {**table} == {"b": 1, "a": [3, 1, 2]}
    assert tf.nest.flatten([table, rows]) == [3, 1, 2, 1, 3, 1, 2]
    tf.nest.assert_same_structure([[1, 2, 3], {"b": 1, "a": [1, 2, 3]}], [rows, table])
    for value in (rows, table):
        for other in (copy.copy(value), copy.deepcopy(value), pickle.loads(pickle.dumps(value))):
            assert other == value and other is not value and type(other) is type(value)
        with pytest.raises(TypeError, match="unhashable type"):
            hash(value)
    shared = np.zeros(1)
    for value in (ListWrapper([shared]), _DictWrapper({0: shared})):
        copied, again = copy.deepcopy([value, shared])
        assert copied[0] is again


def _changed(change, rows=(1, 2)):
    value = ListWrapper(list(rows))
    change(value)
    return value


@pytest.mark.parametrize(
    "change",
    [
        lambda rows: rows.pop(),
        lambda rows: rows.insert(0, 1),
        lambda rows: rows.sort(),
        lambda rows: rows.remove(1),
        lambda rows: rows.clear(),
        lambda rows: rows.__delitem__(0),
    ],
)
def test_reordered_lists_are_not_saved(change):
    with pytest.raises(ValueError, match=r"Unable to save .* A list element was replaced"):
        _names(_changed(change))


def test_lists_with_replaced_plain_elements_are_saved():
    assert _names(_changed(lambda rows: rows.__setitem__(0, [3]))) == ["0"]
    assert _names(_changed(lambda rows: rows.__setitem__(slice(1, None), [3, [4]]))) == ["2"]
    with pytest.raises(ValueError, match="A list element was replaced"):
        _names(_changed(lambda rows: rows.__setitem__(-1, 3), [1, [2]]))


class Growing(tf.keras.Model):
    """A model with layers in a list and a dict, created in its first call."""

    def __init__(self):
        super().__init__()
        self.rows, self.table = [], {}

    def call(self, x):
        if not self.rows:
            self.rows.append(tf.keras.layers.Dense(2))
            self.table["last"] = tf.keras.layers.Dense(2)
        return self.table["last"](self.rows[0](x))


def test_layers_tracked_after_restore_are_restored(tmp_path):
    with eager_mode():
        x, first, second = tf.ones([1, 3]), Growing(), Growing()
        expected = first(x).numpy()
        path = tf.train.Checkpoint(model=first).save(str(tmp_path / "c"))
        status = tf.train.Checkpoint(model=second).restore(path)
        np.testing.assert_array_equal(second(x).numpy(), expected)
        status.assert_consumed()
        assert (len(second.layers), len(second.weights)) == (2, 4)


def test_variables_in_containers_round_trip(tmp_path):
    with eager_mode():
        owner = _held(rows=[tf.Variable(1.0), {"a": tf.Variable(2.0)}])
        owner.rows.append(tf.Variable(3.0))
        tf.saved_model.save(owner, str(tmp_path / "m"))
        loaded = tf.compat.v2.saved_model.load(str(tmp_path / "m")).rows
        assert [float(loaded[0].numpy()), float(loaded[1]["a"].numpy())] == [1.0, 2.0]
        assert (type(loaded).__name__, type(loaded[1]).__name__) == ("ListWrapper", "_DictWrapper")
        assert float(loaded[2].numpy()) == 3.0
