"""Column configurations: TensorFlow 1.15.5's for the same columns."""

import json

import pytest

import tfmini as tf
from tfmini._src.models.feature_column.dense_features import LinearModelLayer
from tfmini._src.models.feature_column.serialization import (
    deserialize_feature_column,
    deserialize_feature_columns,
    serialize_feature_column,
    serialize_feature_columns,
)

columns = tf.feature_column

NUMBER = {"default_value": None, "dtype": "float32", "normalizer_fn": None}
AGE = {"class_name": "NumericColumn", "config": {**NUMBER, "key": "age", "shape": (1,)}}
CITY = {
    "class_name": "VocabularyListCategoricalColumn",
    "config": {
        "default_value": -1,
        "dtype": "string",
        "key": "city",
        "num_oov_buckets": 0,
        "vocabulary_list": ("a", "b"),
    },
}
SIZE = {
    "class_name": "IdentityCategoricalColumn",
    "config": {"default_value": None, "key": "size", "number_buckets": 3},
}


def _config(name, **config):
    return {"class_name": name, "config": config}


def _columns():
    city = columns.categorical_column_with_vocabulary_list("city", ["a", "b"])
    size = columns.categorical_column_with_identity("size", 3)
    return [
        columns.bucketized_column(columns.numeric_column("age"), [1.0, 2.0]),
        columns.indicator_column(columns.crossed_column([city, size], 5)),
        columns.embedding_column(city, 2),
        columns.indicator_column(columns.weighted_categorical_column(size, "w")),
    ]


EMBEDDING = {
    "combiner": "mean",
    "dimension": 2,
    "max_norm": None,
    "trainable": True,
    "ckpt_to_load_from": None,
    "tensor_name_in_ckpt": None,
}
NORMAL = _config("TruncatedNormal", dtype="float32", mean=0.0, seed=None, stddev=0.7071067811865475)
CONFIGURATIONS = [
    _config("BucketizedColumn", boundaries=(1.0, 2.0), source_column=AGE),
    _config(
        "IndicatorColumn",
        categorical_column=_config(
            "CrossedColumn", hash_bucket_size=5, hash_key=None, keys=(CITY, SIZE)
        ),
    ),
    _config("EmbeddingColumn", categorical_column=CITY, initializer=NORMAL, **EMBEDDING),
    _config(
        "IndicatorColumn",
        categorical_column=_config(
            "WeightedCategoricalColumn",
            categorical_column=SIZE,
            dtype="float32",
            weight_feature_key="w",
        ),
    ),
]


def test_configurations_match_tensorflow():
    assert serialize_feature_columns(_columns()) == CONFIGURATIONS


def test_dense_features_round_trip():
    layer = tf.keras.layers.DenseFeatures(_columns(), name="f", trainable=False)
    config = layer.get_config()
    assert config == {
        "name": "f",
        "trainable": False,
        "dtype": None,
        "feature_columns": CONFIGURATIONS,
    }
    loaded = tf.keras.layers.DenseFeatures.from_config(json.loads(json.dumps(config)))
    assert loaded.get_config() == config
    linear = LinearModelLayer(_columns(), units=2, sparse_combiner="mean")
    loaded = LinearModelLayer.from_config(linear.get_config())
    assert loaded.get_config() == linear.get_config()
    assert (loaded.get_config()["units"], loaded.get_config()["sparse_combiner"]) == (2, "mean")


def test_shared_columns_are_deserialized_once():
    age = columns.numeric_column("age")
    bucketized = columns.bucketized_column(age, [1.0])
    first, second = deserialize_feature_columns(serialize_feature_columns([age, bucketized]))
    assert (first, second) == (age, bucketized)
    assert second.source_column is first
    assert first is not age


def test_functions_are_found_in_custom_objects():
    def halved(x):
        return x / 2

    column = columns.numeric_column("age", normalizer_fn=halved)
    config = serialize_feature_column(column)
    assert config["config"]["normalizer_fn"] == "halved"
    assert deserialize_feature_column(config, {"halved": halved}) == column


@pytest.mark.parametrize(
    ("config", "message"),
    [
        ({}, "^Improper config format: {}$"),
        (_config("Nothing"), "^Unknown feature_column_v2: Nothing$"),
        (_config("NumericColumn", key="a"), "^Invalid config: {'key': 'a'}, expected keys: "),
    ],
)
def test_invalid_configurations(config, message):
    with pytest.raises(ValueError, match=message):
        deserialize_feature_column(config)


def test_only_columns_have_configurations():
    with pytest.raises(ValueError, match="^Instance: 3 is not a FeatureColumn$"):
        serialize_feature_column(3)
    with pytest.raises(
        ValueError, match="^Expected FeatureColumn class, instead found: <class 'int'>$"
    ):
        deserialize_feature_column(_config("int"), {"int": int})
