"""`input_layer`, its class, and the dense column layer: their variables, and rejected features."""

import pytest

import tfmini as tf
from tfmini._src.models.feature_column.input_layer import InputLayer

columns = tf.feature_column


def embedding():
    kind = columns.categorical_column_with_identity("kind", 3)
    return columns.embedding_column(kind, 2, initializer=tf.ones_initializer())


@pytest.mark.parametrize("trainable", [True, False])
@pytest.mark.parametrize("is_class", [True, False])
def test_variables_and_their_collections(trainable, is_class):
    features = {"kind": [[2]], "age": [[3.0]]}
    inputs = [columns.numeric_column("age"), embedding()]
    with tf.Graph().as_default(), tf.Session() as session:
        if is_class:
            layer = InputLayer(inputs, ["mine"], trainable, "layer", create_scope_now=False)
            result, repeated = layer(features), layer(features)
        else:
            result = repeated = columns.input_layer(features, inputs, ["mine"], trainable)
        (variable,) = tf.global_variables()
        assert tf.get_collection("mine") == tf.get_collection("model_variables") == [variable]
        assert tf.trainable_variables() == [variable] * trainable
        assert variable.name.startswith("layer/" if is_class else "input_layer/")
        session.run(variable.initializer)
        assert session.run([result, repeated])[1].tolist() == [[3, 1, 1]]
