"""Layers, models and constraints by name, in a process that has used no other part of Keras."""

import subprocess
import sys

import pytest

import tfmini as tf
from tfmini._src.nn.layers.keras.attention import BaseDenseAttention

PROGRAM = (
    "import tfmini as tf; tf.logging.set_verbosity(tf.logging.ERROR); print(type({}).__name__)"
)

NUMBERS = {
    "key": "a",
    "shape": (1,),
    "default_value": 0.0,
    "dtype": "float32",
    "normalizer_fn": None,
}
SEQUENCE = {"class_name": "SequenceNumericColumn", "config": NUMBERS}


@pytest.mark.parametrize(
    "made, expected",
    [
        ("tf.keras.constraints.get('radial_constraint')", "RadialConstraint"),
        *(
            (
                f"tf.keras.layers.deserialize({{'class_name': '{name}', 'config': {config}}})",
                name,
            )
            for name, config in [
                ("Dense", {"units": 3}),
                ("Sequential", {"name": "empty", "layers": []}),
                ("AddLoss", {"unconditional": True}),
                ("SequenceFeatures", {"feature_columns": [SEQUENCE]}),
                ("Bidirectional", {"layer": {"class_name": "LSTM", "config": {"units": 2}}}),
            ]
        ),
    ],
)
def test_objects_are_found_by_name(made, expected):
    process = subprocess.run(
        [sys.executable, "-c", PROGRAM.format(made)], check=True, capture_output=True, text=True
    )
    assert process.stdout.split() == [expected]


@pytest.mark.parametrize(
    "made",
    [
        lambda softmax: tf.keras.layers.Dense(2, activation=softmax),
        lambda softmax: tf.keras.layers.Conv1D(2, 3, activation=softmax),
        lambda softmax: tf.keras.layers.LocallyConnected1D(2, 3, activation=softmax),
        lambda softmax: tf.keras.layers.GRU(2, activation=softmax),
        tf.keras.layers.Activation,
    ],
)
def test_tensorflow_2_softmax_is_serialized_by_name(made):
    assert made(tf.compat.v2.nn.softmax).get_config()["activation"] == "softmax"


def test_attention_base_class_is_serialized():
    config = tf.keras.layers.serialize(BaseDenseAttention(causal=True, name="base"))
    expected = {"name": "base", "trainable": True, "dtype": None, "causal": True}
    assert config == {"class_name": "BaseDenseAttention", "config": expected}
    assert tf.keras.layers.deserialize(config).causal
    expected = {**expected, "use_scale": False}
    assert tf.keras.layers.Attention(name="base", causal=True).get_config() == expected


def test_layers_load_no_models():
    program = (
        "import sys, tfmini as tf\n"
        "for space in (tf.layers, tf.keras.layers):\n"
        "    layers = [getattr(space, name) for name in dir(space) if name != 'DenseFeatures']\n"
        "print([name for name in sys.modules if name.startswith('tfmini._src.models')])"
    )
    process = subprocess.run(
        [sys.executable, "-c", program], check=True, capture_output=True, text=True
    )
    assert process.stdout.strip() == "[]"
