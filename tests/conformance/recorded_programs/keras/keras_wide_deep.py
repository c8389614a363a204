"""LinearModel, and a WideDeepModel under two optimizers."""

from tests.conformance.recorded_programs.keras._keras import data, trained

TOLERANCE = 2e-4  # for trained weights


def build(tf):
    layers, keras = tf.keras.layers, tf.keras
    keras.backend.manual_variable_initialization(True)
    x, y = data(24)
    linear = keras.experimental.LinearModel(
        2, activation="tanh", kernel_regularizer="l2", bias_initializer="ones"
    )
    linear._set_inputs([x, x[:, :2]])
    wide = keras.experimental.LinearModel(use_bias=False, kernel_initializer="zeros")
    deep = keras.Sequential([layers.Dense(4, activation="relu"), layers.Dense(1)])
    model = keras.experimental.WideDeepModel(wide, deep, activation="sigmoid")
    model._set_inputs([x[:, :3], x])
    model.compile(["ftrl", keras.optimizers.SGD(0.1)], "mse", metrics=["mae"])
    model._make_train_function()
    model._make_test_function()
    model._make_predict_function()
    keras.backend.manual_variable_initialization(False)
    facts = {
        "weights": [w.name for w in linear.weights + model.weights],
        "configs": [linear.get_config(), wide.get_config()],
        "layers": [layer.name for layer in model.layers],
    }
    fit = trained(model, [x[:, :3], x], (y > 1).astype("f"))
    return {"facts": facts, "steps": [("training", fit)]}
