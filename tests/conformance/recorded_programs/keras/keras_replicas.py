"""A model replicated on two GPUs, half of the batch each; graph only, without a GPU."""

from collections import namedtuple

_Device = namedtuple("_Device", "name")


def build(tf):
    layers, keras = tf.keras.layers, tf.keras
    keras.backend.manual_variable_initialization(True)
    session = keras.backend.get_session()
    kind = type(session)
    before, start = kind.list_devices, "/job:localhost/replica:0/task:0/device:"
    names = [start + name for name in ("CPU:0", "GPU:0", "GPU:1", "GPU:2")]
    kind.list_devices = lambda self: [_Device(name) for name in names]
    refused = []
    try:
        with tf.device("/cpu:0"):
            first, second = keras.Input((4,), name="first"), keras.Input((3,), name="second")
            hidden = layers.concatenate([layers.Dense(3, "relu")(first), second])
            model = keras.Model([first, second], [layers.Dense(2, name="out")(hidden), hidden])
        parallel = keras.utils.multi_gpu_model(model, 2)
        parallel.compile("sgd", "mse")
        parallel._make_train_function()
        simple = keras.Sequential([layers.Dense(2, input_shape=(5,))])
        others = keras.utils.multi_gpu_model(simple, [2, 0], cpu_merge=False, cpu_relocation=True)
        for gpus in (1, [0], 4):
            try:
                keras.utils.multi_gpu_model(simple, gpus)
            except ValueError as error:
                refused.append(str(error))
    finally:
        kind.list_devices = before
        keras.backend.manual_variable_initialization(False)
    facts = {
        "layers": [layer.name for layer in parallel.layers + others.layers],
        "outputs": [parallel.output_names, others.output_names],
        "weights": [w.name for w in parallel.weights + others.weights],
        "shapes": [str(x.shape) for x in parallel.outputs + others.outputs],
        "refused": refused,
    }
    return {"facts": facts, "steps": []}
