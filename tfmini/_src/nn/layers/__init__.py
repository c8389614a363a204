"""`tf.layers` and `tf.keras.layers`: callables with weights, which are created on the first call.

    base_layer                   `tf.keras.layers.Layer`: one class, which lists its methods in `layer_call`,
                                 `node_history`, `layer_additions`, `weights` and `attribute_tracking`
    base, weight_styles          `tf.layers.Layer`, whose weights come from `tf.get_variable` in its own variable
                                 scope; base class of the cells of recurrent networks
    keras                        the layers of Keras
    dense, conv, dropout ...     layers of `tf.layers`: a Keras layer that is such a `Layer`, and a function that
                                 creates one and calls it (`layer_function`)
    backend                      `tf.keras.backend`: the functions that layers are built on
    activations, constraints,    the string arguments of layers
    initializers, regularizers
    serialization                layers by name, as plain data

Models, which compose and train layers, are in a higher layer, `models/keras/`. May import ops and variables.
"""
