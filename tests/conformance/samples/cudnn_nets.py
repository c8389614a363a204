"""cuDNN RNNs, against the equations that NVIDIA documents. Gradients: tests/ops/nn/rnn/test_cudnn_rnn.py."""

import numpy as np

import tfmini as tf
from tests.conformance.samples import Sample
from tests.support.oracles.recurrent_equations import Direction, Net
from tfmini._src.graph.opdef import raw

RANDOM = np.random.RandomState(3)
TIME, BATCH, INPUTS, UNITS = 3, 2, 2, 2
X = RANDOM.randn(TIME, BATCH, INPUTS).astype("f")
H, C = (RANDOM.randn(1, BATCH, UNITS).astype("f") for _ in range(2))
LENGTHS = np.array([3, 1], "i4")
NONE = np.zeros(0, "f")
OPAQUE = np.zeros((), "f"), np.zeros((), "i1")  # kept in inference mode


def buffer(gates):
    """(all parameters in one array, its matrices and biases)."""
    params = (RANDOM.randn(gates * (INPUTS + UNITS + 2) * UNITS) * 0.5).astype("f")
    sizes = [UNITS * INPUTS] * gates + [UNITS * UNITS] * gates + [UNITS] * 2 * gates
    parts = np.split(params, np.cumsum(sizes)[:-1])
    matrices = [part.reshape(UNITS, -1) for part in parts[: 2 * gates]]
    return params, matrices, parts[2 * gates :]


GRU, GRU_MATRICES, GRU_BIASES = buffer(3)
LSTM, LSTM_MATRICES, LSTM_BIASES = buffer(4)


def net(mode, matrices, biases):
    gates = len(matrices) // 2
    weights = Direction(matrices[:gates], matrices[gates:], biases[:gates], biases[gates:])
    return Net(mode, [weights])


def run_lstm(lengths):
    made = net("lstm", LSTM_MATRICES, LSTM_BIASES)
    return made, made.forward(X, H, C, lengths)


def backprop(name, lengths, *more):
    """The gradients of a training run for ones; neither op has a CPU kernel."""

    def grads():
        made, (y, _, _) = run_lstm(lengths)
        *of_inputs, found = made.backward(np.ones_like(y), np.ones_like(H), np.ones_like(C))
        parts = (*found[0].w, *found[0].r, *found[0].b_w, *found[0].b_r)
        return [*of_inputs, np.concatenate([part.reshape(-1) for part in parts])]

    def build(_):
        given = [tf.constant(value) for value in (X, H, C, LSTM, *more)]
        forward = getattr(raw, name.replace("Backprop", ""))(*given)
        ones = [tf.ones_like(output) for output in forward[:3]]
        nodes = getattr(raw, name)(*given, *forward[:3], *ones, *forward[3:])

        def flat(session):
            if all(device.device_type == "CPU" for device in session.list_devices()):
                try:
                    session.run(nodes)
                except tf.errors.InvalidArgumentError as error:
                    assert "No OpKernel was registered" in str(error)
                    return np.concatenate([value.reshape(-1) for value in grads()])
                raise AssertionError("a CPU has run it")
            return np.concatenate([value.reshape(-1) for value in session.run(list(nodes))])

        return [flat]

    expect = np.concatenate([value.reshape(-1) for value in grads()]).astype("f")
    return Sample(name, build=build, expect=expect, tolerance=1e-5)


def of_gru(lengths):
    y, h, _ = net("gru", GRU_MATRICES, GRU_BIASES).forward(X, H, None, lengths)
    return y.astype("f"), h.astype("f"), np.zeros((), "f")


def of_lstm(lengths):
    return tuple(value.astype("f") for value in run_lstm(lengths)[1])


SIZES = [np.array(value, "i4") for value in (1, UNITS, INPUTS)]
WHOLE = np.full(BATCH, TIME)
GIVEN = {"gradient": (), "static": False}
OF_LSTM = {"num_params": 8}
OF_LSTM_2 = {"num_params_weights": 8, "num_params_biases": 8}

SAMPLES = [
    Sample(
        "CudnnRNN", [X, H, C, LSTM], {"is_training": False}, (*of_lstm(WHOLE), OPAQUE[0]), **GIVEN
    ),
    Sample(
        "CudnnRNNV2",
        [X, H, NONE, GRU],
        {"rnn_mode": "gru", "is_training": False},
        (*of_gru(WHOLE), *OPAQUE),
        **GIVEN,
    ),
    Sample(
        "CudnnRNNV3",
        [X, H, C, LSTM, LENGTHS],
        {"is_training": False},
        (*of_lstm(LENGTHS), *OPAQUE),
        **GIVEN,
    ),
    backprop("CudnnRNNBackprop", WHOLE),
    backprop("CudnnRNNBackpropV2", WHOLE),
    backprop("CudnnRNNBackpropV3", LENGTHS, LENGTHS),
    Sample(
        "CudnnRNNParamsSize",
        SIZES,
        {"T": tf.float32, "S": tf.int32, "rnn_mode": "gru"},
        np.array([GRU.size], "i4"),
    ),
    Sample(
        "CudnnRNNParamsToCanonical",
        [*SIZES, LSTM],
        OF_LSTM,
        (*LSTM_MATRICES, *LSTM_BIASES),
        static=False,
    ),
    Sample(
        "CudnnRNNParamsToCanonicalV2",
        [*SIZES, LSTM],
        OF_LSTM_2,
        (*LSTM_MATRICES, *LSTM_BIASES),
        static=False,
    ),
    *(
        Sample(
            f"CudnnRNNCanonicalToParams{v}",
            [*SIZES, LSTM_MATRICES, LSTM_BIASES],
            {},
            LSTM,
            static=False,
        )
        for v in ("", "V2")
    ),
]
