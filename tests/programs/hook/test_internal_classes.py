"""Internal classes and functions that programs take: each by what it does."""

import numpy as np
import pytest
from absl.testing import parameterized

import tfmini as tf

pytestmark = pytest.mark.usefixtures("tensorflow")


def test_the_steps_of_a_run():
    from tensorflow.python.client.session import _FetchHandler

    with tf.Graph().as_default() as graph, tf.Session() as session:
        a, b = tf.constant(2.0), tf.constant(3.0)
        product, nothing = a * b, tf.no_op()
        handler = _FetchHandler(graph, {"p": product, "n": nothing, "l": [a, product]}, {a: 7.0})
        assert handler.fetches() == [product]
        assert handler.targets() == [nothing]
        values = session.run(handler.fetches())
        expected = {"p": 6.0, "n": None, "l": [7.0, 6.0]}
        assert handler.build_results(session, values) == expected
    with pytest.raises(ValueError, match="not an element of this graph"):
        _FetchHandler(tf.Graph(), product, {})


def test_a_container_of_variables():
    from tensorflow.python.ops.variable_scope import EagerVariableStore

    container = EagerVariableStore()
    with tf.Graph().as_default():
        outside = tf.get_variable("v", [3])
        with container.as_default():
            kernel = tf.get_variable("w", [2])
            step = tf.get_variable("s", [], trainable=False)
        with container.as_default(), tf.variable_scope("", reuse=True):
            assert tf.get_variable("w", [2]) is kernel
        with tf.variable_scope("", reuse=True):
            assert tf.get_variable("v", [3]) is outside
            with pytest.raises(ValueError, match="Variable w does not exist"):
                tf.get_variable("w", [2])
    assert container.variables() == [step, kernel]
    assert container.trainable_variables() == [kernel]
    assert container.non_trainable_variables() == [step]
    with pytest.raises(NotImplementedError, match=r"use tf\.train\.Saver"):
        container.copy()


def test_whether_a_model_is_ready():
    from tensorflow.python.training.session_manager import _ready

    with tf.Graph().as_default(), tf.Session() as session:
        variable = tf.get_variable("v", [2])
        op = tf.report_uninitialized_variables()
        assert _ready(op, session, "m") == (False, "Variables not initialized: v")
        session.run(variable.initializer)
        assert _ready(op, session, "m") == (True, None)
        assert _ready(None, session, "m") == (True, None)


def test_a_function_is_registered():
    from tensorflow.python.eager import function

    @function.defun
    def square(x):
        return x * x

    with tf.Graph().as_default() as graph:
        found = function.register(square, tf.constant(3.0))
        names = [f.signature.name for f in graph.as_graph_def().library.function]
        assert found.name.decode() in names
        assert [op.type for op in graph.get_operations()] == ["Const"]
    with pytest.raises(ValueError, match="Only defun function"):
        function.register(abs, 1)


def test_objects_as_json():
    from tensorflow.python.util.serialization import get_json_type

    given = [np.float32(0.5), np.arange(2), tf.TensorShape([2, None]), tf.Dimension(3), abs, dict]
    assert [get_json_type(g) for g in given] == [0.5, [0, 1], [2, None], 3, "abs", "dict"]
    found = get_json_type(tf.keras.regularizers.l2(0.5))
    assert found["class_name"] == "L1L2" and found["config"]["l2"] == 0.5
    with pytest.raises(TypeError, match="Not JSON Serializable"):
        get_json_type(object())


def test_cases_of_keras_have_parameters_and_a_clean_graph():
    from tensorflow.python.keras import keras_parameterized

    class Case(keras_parameterized.TestCase):
        @parameterized.parameters(1, 2)
        def test(self, number):
            assert not tf.keras.backend.get_session().graph.get_operations()
            tf.keras.backend.variable(number)

    for name in ("test0", "test1"):
        result = Case(name).run()
        assert result.wasSuccessful(), result


def test_what_is_refused_says_what_to_use():
    from tensorflow.python.compiler.xla import xla
    from tensorflow.python.ops import collective_ops

    with pytest.raises(NotImplementedError, match=r"call computation\(\*inputs\) itself"):
        xla.compile(lambda: 1)
    with pytest.raises(NotImplementedError, match=r"horovod\.tensorflow\.allreduce"):
        collective_ops.all_reduce(1, 2, 0, 0, "Add", "Id")


def test_old_places_of_modules():
    from tensorflow.python.keras._impl import keras
    from tensorflow.python.keras._impl.keras.layers import Dense
    from tensorflow.python.kernel_tests import gradient_checker

    assert keras.layers.Dense is Dense is tf.keras.layers.Dense
    assert gradient_checker.compute_gradient is tf.test.compute_gradient


def test_bytes_of_a_fixed_length():
    from tensorflow.python.ops import parsing_ops

    def decoded(values, dtype, **options):
        with tf.Graph().as_default(), tf.Session() as session:
            found = parsing_ops.decode_raw(values, dtype, **options)
            return found.shape.as_list(), session.run(found).tolist()

    assert decoded(["ab"], tf.uint8) == ([1, None], [[97, 98]])
    given = ["\1", "\1\2\3\4\5"]
    assert decoded(given, tf.int16, fixed_length=4) == ([2, 2], [[1, 0], [513, 1027]])
    assert decoded([], tf.int16, fixed_length=4) == ([0, 2], [])
    with pytest.raises(ValueError, match="evenly divisible by 2 but is 3"):
        parsing_ops.decode_raw(given, tf.int16, fixed_length=3)
    with pytest.raises(ValueError, match="must be non-negative but is -2"):
        parsing_ops.decode_raw(given, tf.int16, fixed_length=-2)
    with pytest.raises(tf.errors.InvalidArgumentError, match=r"fixed_length \(0\) must be greater"):
        decoded(given, tf.int16, fixed_length=0)
    length = tf.placeholder_with_default(3, None)
    odd = parsing_ops.decode_raw(given, tf.int16, fixed_length=length)
    with tf.Session() as session, pytest.raises(tf.errors.InvalidArgumentError, match="multiple"):
        session.run(odd)


def test_what_the_package_of_estimators_holds():
    from tensorflow.python.estimator.canned.metric_keys import MetricKeys as passed_on
    from tensorflow_estimator.python.estimator import estimator, run_config
    from tensorflow_estimator.python.estimator.canned import metric_keys, prediction_keys

    assert estimator.Estimator is tf.estimator.Estimator
    assert run_config.TaskType.CHIEF == "chief"
    assert passed_on is metric_keys.MetricKeys
    assert metric_keys.MetricKeys.ACCURACY_AT_THRESHOLD % 0.5 == "accuracy/positive_threshold_0.5"
    assert prediction_keys.PredictionKeys.PROBABILITIES == "probabilities"


def test_classes_of_feature_columns():
    from tensorflow.python.feature_column import feature_column_v2 as columns

    class Doubled(columns.DenseColumn):
        name = "doubled"
        parse_example_spec = {"x": tf.FixedLenFeature([1], tf.float32)}
        variable_shape = tf.TensorShape([1])

        def transform_feature(self, transformation_cache, state_manager):
            return 2.0 * transformation_cache.get("x", state_manager)

        def get_dense_tensor(self, transformation_cache, state_manager):
            return transformation_cache.get(self, state_manager)

    with tf.Graph().as_default(), tf.Session() as session:
        features = {"x": tf.constant([[1.0], [3.0]])}
        rows = tf.feature_column.input_layer(features, [Doubled()])
        assert session.run(rows).tolist() == [[2.0], [6.0]]
        cache = columns.FeatureTransformationCache(features)
        assert session.run(cache.get(Doubled(), None)).tolist() == [[2.0], [6.0]]
    assert isinstance(tf.feature_column.numeric_column("x"), columns.NumericColumn)
