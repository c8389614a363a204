"""Low-precision numbers: fake quantization and its gradients, quantized dtypes; dual coordinate ascent."""

import itertools

import numpy as np

from tests.conformance.scenes import unknown, with_gradients

X = np.array([[-7.0, -1.1, 0.0, 0.3], [2.5, 6.0, 7.5, 0.02]], "f")


def fake(tf, stage):
    args, of_vars = tf.fake_quant_with_min_max_args, tf.fake_quant_with_min_max_vars
    channels = tf.fake_quant_with_min_max_vars_per_channel
    ends = [-6.0, -1.0, 0.0, 0.25], [6.0, 2.0, 0.0, 1.0]
    q = tf.quantization
    stage.each(
        {
            "no_range": lambda: args(X, 1.0, 1.0),
            "gradient_shapes": lambda: q.fake_quant_with_min_max_args_gradient(X, unknown(tf)(X.T)),
            "vars_rank_of_max": lambda: of_vars(X, 0.0, [1.0]),
            "vars_fed": lambda: of_vars(X, unknown(tf)([-1.0]), unknown(tf)([1.0])),
            "vars_gradient_shapes": lambda: q.fake_quant_with_min_max_vars_gradient(
                X, unknown(tf)(X.T), -1.0, 2.0
            ),
            "halves": lambda: [args(-0.5, -6.0, -1.0), of_vars(-0.5, -6.0, -1.0)],
            "channels_halves": lambda: channels([-0.5], [-6.0], [-1.0]),
            "vars_bits": lambda: of_vars(X, 0.0, 1.0, num_bits=1),
            "channels_few": lambda: channels(unknown(tf)(X), [0.0], [1.0]),
            "channels_few_of_max": lambda: channels(unknown(tf)(X), ends[0], unknown(tf)([1.0])),
            "channels_of_scalar": lambda: channels(1.0, [0.0], [1.0]),
            "channels_gradient": lambda: q.fake_quant_with_min_max_vars_per_channel_gradient(
                X * 2, X, *ends, 4, True, "own"
            ),
            "channels_gradient_shapes": lambda: q.fake_quant_with_min_max_vars_per_channel_gradient(
                X, unknown(tf)(X.T), *ends
            ),
            "channels_gradient_deep": lambda: q.fake_quant_with_min_max_vars_per_channel_gradient(
                np.zeros([1] * 5, "f"), np.zeros([1] * 5, "f"), [0.0], [1.0]
            ),
        },
        graph="sum",
    )


def quantized(tf, stage):
    kinds = tf.qint8, tf.quint8, tf.qint16, tf.quint16, tf.qint32
    modes = "MIN_COMBINED", "MIN_FIRST", "SCALED"
    raw = tf.raw_ops
    q = tf.quantization.quantize
    x = X / 4

    def both(kind, mode, low, high, rounds="HALF_AWAY_FROM_ZERO", x=x):
        made = q(x, low, high, kind, mode, rounds)
        back = tf.dequantize(made.output, made.output_min, made.output_max, mode)
        return [tf.bitcast(made.output, _plain(tf, kind)), made.output_min, made.output_max, back]

    cases = {}
    for kind, mode in itertools.product(kinds, modes):
        cases[f"{kind.name}_{mode}"] = lambda k=kind, m=mode: [
            both(k, m, -1.0, 2.0),
            both(k, m, 0.5, 1.0),
        ]
    stage.each(
        {
            **cases,
            "even": lambda: both(tf.qint8, "SCALED", -1.0, 1.0, "HALF_TO_EVEN"),
            "even_other": lambda: both(tf.qint8, "MIN_FIRST", -1.0, 1.0, "HALF_TO_EVEN"),
            "halves": lambda: [
                tf.bitcast(
                    q([0.5, 1.5, -0.5, -2.5], -127.0, 127.0, tf.qint8, "SCALED", r)[0], tf.int8
                )
                for r in ("HALF_TO_EVEN", "HALF_AWAY_FROM_ZERO")
            ],
            "same_ends": lambda: both(tf.quint8, "MIN_COMBINED", 0.0, 0.0),
            "wrong_ends": lambda: both(tf.quint8, "MIN_COMBINED", 1.0, 0.0),
            "ends_of_rank": lambda: q(x, [0.0], 1.0, tf.quint8),
            "ends_fed": lambda: q(x, unknown(tf)([0.0]), 1.0, tf.quint8)[1:],
            "old": lambda: [
                tf.quantize_v2(x, -1.0, 1.0, tf.qint8, "SCALED", "own", "HALF_TO_EVEN")[i]
                for i in (1, 2)
            ],
            "defaults": lambda: tf.dequantize(
                q(x, -1.0, 1.0, tf.quint8, name="own")[0], -1.0, 1.0, name="back"
            ),
            "dequantized": lambda: [
                tf.dequantize(
                    tf.bitcast(tf.constant([-128, 0, 127], tf.int8), tf.qint8), low, high, mode
                )
                for mode in modes
                for low, high in ((-2.0, 1.0), (0.0, 3.0), (1.0, 1.0))
            ],
            "dequantized_rank": lambda: tf.dequantize(q(x, 0.0, 1.0, tf.quint8)[0], [0.0], 1.0),
            "empty": lambda: q(np.zeros([0, 2], "f"), 0.0, 1.0, tf.quint8)[1:],
            "below_half": lambda: both(tf.quint8, "SCALED", 0.0, 255.0, x=0.49999997),
            "large": lambda: [both(tf.qint32, m, -128.0, 127.0, x=14636061 / 2**24) for m in modes],
            "wrong_dtype": lambda: q(x, 0.0, 1.0, tf.int8),
            "wrong_mode": lambda: q(x, 0.0, 1.0, tf.qint8, "NONE"),
            "wrong_rounding": lambda: q(x, 0.0, 1.0, tf.qint8, "SCALED", "UP"),
            "no_dtype": lambda: raw.Dequantize(input=x, min_range=0.0, max_range=1.0),
        },
        graph="sum",
    )


def _plain(tf, kind):
    return {
        "qint8": tf.int8,
        "quint8": tf.uint8,
        "qint16": tf.int16,
        "quint16": tf.uint16,
        "qint32": tf.int32,
    }[kind.name]


def through_steps(tf, stage):
    go = tf.quantization.quantize_and_dequantize
    v3 = tf.raw_ops.QuantizeAndDequantizeV3
    slopes = with_gradients(tf)
    c = tf.constant
    stage.each(
        {
            "above": lambda: [go(X, 1.0, 3.0, True, 3, True), go(X, -3.0, -1.0, True, 3, True)],
            "kinds": lambda: [go(X.astype(k), k(0), k(0), num_bits=5) for k in (np.float16, float)],
            "empty": lambda: [
                go(np.zeros([0, 2], "f"), 0.0, 0.0),
                go(np.zeros([0], "f"), 0.0, 1.0, range_given=True),
            ],
            "wrong": lambda: go(X, 1.0, 0.5, range_given=True),
            "bits_signed": lambda: go(X, 0.0, 1.0, num_bits=62),
            "rank": lambda: go(X, [0.0], 1.0),
            "fed": lambda: go(unknown(tf)(X), unknown(tf)(-1.0), unknown(tf)(1.0)),
            "v3": lambda: slopes(
                lambda x: v3(input=x, input_min=-1.0, input_max=3.0, num_bits=4), c(X)
            ),
            "v3_options": lambda: v3(
                input=X,
                input_min=-1.0,
                input_max=3.0,
                num_bits=3,
                signed_input=False,
                range_given=False,
                narrow_range=True,
                name="own",
            ),
            "v3_bits": lambda: v3(input=X, input_min=-1.0, input_max=3.0, num_bits=unknown(tf)(0)),
        },
        graph="sum",
    )


LOSSES = "logistic_loss", "squared_loss", "hinge_loss", "smooth_hinge_loss", "poisson_loss"


def _ascent(tf, kind="SdcaOptimizer", **given):
    """An op on examples without common features, so that their order does not matter."""
    inputs = {
        "sparse_example_indices": [np.array([0, 0, 1], "i8"), np.array([2], "i8")],
        "sparse_feature_indices": [np.array([5, 2, 9], "i8"), np.array([0], "i8")],
        "sparse_feature_values": [np.array([1.0, -2.0, 0.5], "f")],
        "dense_features": [],
        "example_weights": np.array([1.0, 2.0, 0.5], "f"),
        "example_labels": np.array([1.0, 0.0, 1.0], "f"),
        "sparse_indices": [np.array([2, 5, 9], "i8"), np.array([0], "i8")],
        "sparse_weights": [np.array([0.5, -0.25, 1.0], "f"), np.array([0.125], "f")],
        "dense_weights": [],
        "example_state_data": np.array([[0.1, 0, 0, 0], [0.0, 0, 0, 0], [-0.2, 0, 0, 0]], "f"),
        "loss_type": "squared_loss",
        "l1": 0.0,
        "l2": 1.0,
        "num_loss_partitions": 1,
        "num_inner_iterations": 1,
        "adaptative" if kind == "SdcaOptimizer" else "adaptive": False,
    }
    return getattr(tf.raw_ops, kind)(**{**inputs, **given})


def ascents(tf, stage):
    one = np.array([[1.0, -2.0]], "f")
    dense = {
        "sparse_example_indices": [],
        "sparse_feature_indices": [],
        "sparse_feature_values": [],
        "sparse_indices": [],
        "sparse_weights": [],
        "dense_features": [one],
        "dense_weights": [np.array([0.5, 0.25], "f")],
        "example_weights": [2.0],
        "example_labels": [1.0],
        "example_state_data": np.zeros([1, 4], "f"),
    }
    go = lambda **given: lambda: _ascent(tf, **given)  # noqa: E731
    of_dense = lambda **given: go(**{**dense, **given})  # noqa: E731
    cases = {loss: go(loss_type=loss) for loss in LOSSES}
    cases.update({f"{loss}_dense": of_dense(loss_type=loss, l1=0.125, l2=0.5) for loss in LOSSES})
    cases.update(
        {f"{loss}_parts": of_dense(loss_type=loss, num_loss_partitions=4) for loss in LOSSES}
    )
    state = np.array([[0.75, 1, 2, 3]], "f")
    cases.update(
        {f"{loss}_again": of_dense(loss_type=loss, example_state_data=state) for loss in LOSSES}
    )
    cases.update(
        {f"{loss}_label": of_dense(loss_type=loss, example_labels=[-0.5]) for loss in LOSSES}
    )
    cases.update(
        {f"{loss}_other": of_dense(loss_type=loss, example_labels=[0.0]) for loss in LOSSES}
    )
    stage.each(
        {
            **cases,
            "adaptive": of_dense(adaptative=True, loss_type="logistic_loss"),
            "second": of_dense(kind="SdcaOptimizerV2", l1=1.0, adaptive=True),
            "l1": go(l1=0.375, l2=0.5),
            "no_l2": of_dense(l2=0.0),
            "wide": of_dense(
                dense_features=[one, one * 2], dense_weights=[[0.5, 0.25], [1.0, 0.0]]
            ),
            "no_feature": of_dense(dense_features=[], dense_weights=[]),
            "rank": of_dense(dense_features=[unknown(tf)(one[0])]),
            "weights": of_dense(dense_weights=[[1.0]]),
            "state": of_dense(example_state_data=unknown(tf)(np.zeros([2, 4], "f"))),
            "state_rank": of_dense(example_state_data=unknown(tf)(np.zeros([4], "f"))),
            "no_index": go(sparse_feature_indices=[np.array([5, 2, 8], "i8"), np.array([0], "i8")]),
            "index_twice": go(
                sparse_feature_indices=[np.array([5, 5, 9], "i8"), np.array([0], "i8")]
            ),
            "loss": go(loss_type="none"),
            "partitions": go(num_loss_partitions=0),
            "iterations": go(num_inner_iterations=0),
            "prints": lambda: tf.train.sdca_fprint(input=["a", "", "long word " * 9]),
            "prints_of_none": lambda: tf.train.sdca_fprint(input=np.zeros([0], object)),
            "prints_of_matrix": lambda: tf.train.sdca_fprint(input=[["a"]]),
            "prints_fed": lambda: tf.train.sdca_fprint(input=unknown(tf)(np.array("a", object))),
        },
        graph="sum",
    )


def shrunk(tf, stage):
    shrink = tf.train.sdca_shrink_l1
    v = tf.Variable([0.5, -0.25, 2.0, -3.0, 0.0], use_resource=False, name="v")
    w = tf.Variable([[1.0], [-1.0]], use_resource=False, name="w")
    made = shrink([v, w], l1=1.0, l2=2.0, name="own")
    none, negative, infinite = shrink([v], 0.0, 1.0), shrink([w], -1.0, 1.0), shrink([w], 1.0, 0.0)
    stage.say(made.name, made.type)
    with tf.Session() as session:
        stage.attempt(session.run, made)
        session.run(tf.global_variables_initializer())
        for op in (made, none, made, negative, infinite):
            session.run(op)
            stage.say(session.run([v, w]))
    stage.brief_graph()
