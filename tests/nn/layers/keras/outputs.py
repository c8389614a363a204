"""The output of a single layer, in the Keras session."""

import tfmini as tf


def outputs(layer, *inputs, training=None, **call):
    """The output of a layer, after checking its computed shape and its configuration's round trip."""
    tensors = [tf.constant(x) for x in inputs]
    arguments = tensors[0] if len(tensors) == 1 else tensors
    shapes = [x.shape for x in tensors]
    if training is not None:
        call["training"] = training
    result = layer(arguments, **call)
    shape = layer.compute_output_shape(shapes[0] if len(shapes) == 1 else shapes)
    assert tf.TensorShape(shape).as_list() == result.shape.as_list()
    restored = type(layer).from_config(layer.get_config())
    assert restored.get_config() == layer.get_config() or "function" in layer.get_config()
    session = tf.keras.backend.get_session()
    session.run([v.initializer for v in layer.weights])
    return session.run(result)
