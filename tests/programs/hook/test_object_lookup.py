"""Internal classes and functions that programs use, tested by behavior."""

import numpy as np
import pytest
from absl.testing import parameterized

import tfmini as tf

pytestmark = pytest.mark.usefixtures("tensorflow")


def test_fetch_handler_of_run():
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


def test_eager_variable_store():
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


def test_session_manager_ready():
    from tensorflow.python.training.session_manager import _ready

    with tf.Graph().as_default(), tf.Session() as session:
        variable = tf.get_variable("v", [2])
        op = tf.report_uninitialized_variables()
        assert _ready(op, session, "m") == (False, "Variables not initialized: v")
        session.run(variable.initializer)
        assert _ready(op, session, "m") == (True, None)
        assert _ready(None, session, "m") == (True, None)


def test_function_register():
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


def test_json_types():
    from tensorflow.python.util.serialization import get_json_type

    inputs = [np.float32(0.5), np.arange(2), tf.TensorShape([2, None]), tf.Dimension(3), abs, dict]
    assert [get_json_type(g) for g in inputs] == [0.5, [0, 1], [2, None], 3, "abs", "dict"]
    found = get_json_type(tf.keras.regularizers.l2(0.5))
    assert found["class_name"] == "L1L2" and found["config"]["l2"] == 0.5
    with pytest.raises(TypeError, match="Not JSON Serializable"):
        get_json_type(object())


def test_keras_cases_are_parameterized_with_clean_graph():
    from tensorflow.python.keras import keras_parameterized

    class Case(keras_parameterized.TestCase):
        @parameterized.parameters(1, 2)
        def test(self, number):
            assert not tf.keras.backend.get_session().graph.get_operations()
            tf.keras.backend.variable(number)

    for name in ("test0", "test1"):
        result = Case(name).run()
        assert result.wasSuccessful(), result


def test_refused_functions_suggest_replacements():
    from tensorflow.python.compiler.xla import xla
    from tensorflow.python.ops import collective_ops

    with pytest.raises(NotImplementedError, match=r"call computation\(\*inputs\) itself"):
        xla.compile(lambda: 1)
    with pytest.raises(NotImplementedError, match=r"horovod\.tensorflow\.allreduce"):
        collective_ops.all_reduce(1, 2, 0, 0, "Add", "Id")


def test_former_module_paths():
    from tensorflow.python.keras._impl import keras
    from tensorflow.python.keras._impl.keras.layers import Dense
    from tensorflow.python.kernel_tests import gradient_checker

    assert keras.layers.Dense is Dense is tf.keras.layers.Dense
    assert gradient_checker.compute_gradient is tf.test.compute_gradient


def test_decode_raw_fixed_length():
    from tensorflow.python.ops import parsing_ops

    def decoded(values, dtype, **options):
        with tf.Graph().as_default(), tf.Session() as session:
            found = parsing_ops.decode_raw(values, dtype, **options)
            return found.shape.as_list(), session.run(found).tolist()

    assert decoded(["ab"], tf.uint8) == ([1, None], [[97, 98]])
    inputs = ["\1", "\1\2\3\4\5"]
    assert decoded(inputs, tf.int16, fixed_length=4) == ([2, 2], [[1, 0], [513, 1027]])
    assert decoded([], tf.int16, fixed_length=4) == ([0, 2], [])
    with pytest.raises(ValueError, match="evenly divisible by 2 but is 3"):
        parsing_ops.decode_raw(inputs, tf.int16, fixed_length=3)
    with pytest.raises(ValueError, match="must be non-negative but is -2"):
        parsing_ops.decode_raw(inputs, tf.int16, fixed_length=-2)
    with pytest.raises(tf.errors.InvalidArgumentError, match=r"fixed_length \(0\) must be greater"):
        decoded(inputs, tf.int16, fixed_length=0)
    length = tf.placeholder_with_default(3, None)
    odd = parsing_ops.decode_raw(inputs, tf.int16, fixed_length=length)
    with tf.Session() as session, pytest.raises(tf.errors.InvalidArgumentError, match="multiple"):
        session.run(odd)


def test_estimator_package_contents():
    from tensorflow.python.estimator.canned.metric_keys import MetricKeys as passed_on
    from tensorflow_estimator.python.estimator import estimator, run_config
    from tensorflow_estimator.python.estimator.canned import metric_keys, prediction_keys

    assert estimator.Estimator is tf.estimator.Estimator
    assert run_config.TaskType.CHIEF == "chief"
    assert passed_on is metric_keys.MetricKeys
    assert metric_keys.MetricKeys.ACCURACY_AT_THRESHOLD % 0.5 == "accuracy/positive_threshold_0.5"
    assert prediction_keys.PredictionKeys.PROBABILITIES == "probabilities"


def test_feature_column_subclasses():
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


def test_feature_column_versions_accepted_by_layers():
    from tensorflow.python.feature_column import feature_column_v2 as columns

    ids = _ids(tf.feature_column)
    assert columns.is_feature_column_v2([ids, tf.feature_column.numeric_column("x")])
    shared = tf.feature_column.shared_embedding_columns([ids], 2)
    assert not columns.is_feature_column_v2([ids, *shared])
    assert not columns.is_feature_column_v2([ids, tf.contrib.layers.real_valued_column("x")])


@pytest.mark.parametrize(
    "kind, column",
    [
        ("_NumericColumn", lambda f: f.numeric_column("x")),
        ("_BucketizedColumn", lambda f: f.bucketized_column(f.numeric_column("x"), [0.5])),
        ("_HashedCategoricalColumn", lambda f: f.categorical_column_with_hash_bucket("x", 3)),
        ("_IdentityCategoricalColumn", lambda f: f.categorical_column_with_identity("x", 3)),
        (
            "_VocabularyListCategoricalColumn",
            lambda f: f.categorical_column_with_vocabulary_list("x", ["a"]),
        ),
        (
            "_VocabularyFileCategoricalColumn",
            lambda f: f.categorical_column_with_vocabulary_file("x", "f", 2),
        ),
        ("_CrossedColumn", lambda f: f.crossed_column(["x", "y"], 3)),
        ("_WeightedCategoricalColumn", lambda f: f.weighted_categorical_column(_ids(f), "w")),
        ("_EmbeddingColumn", lambda f: f.embedding_column(_ids(f), 2)),
        ("_SharedEmbeddingColumn", lambda f: f.shared_embedding_columns([_ids(f)], 2)[0]),
        ("_IndicatorColumn", lambda f: f.indicator_column(_ids(f))),
        (
            "_SequenceCategoricalColumn",
            lambda f: f.sequence_categorical_column_with_identity("x", 3),
        ),
    ],
)
def test_old_feature_column_names(kind, column):
    from tensorflow.python.feature_column import feature_column

    assert type(column(tf.feature_column)) is getattr(feature_column, kind)


def _ids(columns):
    return columns.categorical_column_with_identity("x", 3)


def test_old_head_protocol():
    from tensorflow.python.estimator.canned import head

    class Squares(head._Head):
        name, logits_dimension = "squares", 1

        def create_loss(self, features, mode, logits, labels):
            return tf.reduce_mean((logits - labels) ** 2)

        def _create_tpu_estimator_spec(
            self, features, mode, logits, labels, optimizer, train_op_fn, regularization_losses
        ):
            assert (optimizer, regularization_losses) == (None, None)
            loss = self.create_loss(features, mode, logits, labels)
            return tf.contrib.tpu.TPUEstimatorSpec(mode, loss=loss, train_op=train_op_fn(loss))

    logits = tf.constant([[1.0], [2.0]])
    spec = Squares().create_estimator_spec(
        {}, "train", logits, logits + 2.0, train_op_fn=lambda _: tf.no_op(name="step")
    )
    assert type(spec) is tf.estimator.EstimatorSpec and spec.train_op.name == "step"
    with tf.Session() as session:
        assert session.run(spec.loss) == 4.0
    bare = head._Head()
    for call in (
        lambda: bare.name,
        lambda: bare.logits_dimension,
        lambda: bare.create_loss({}, "eval", logits, None),
    ):
        with pytest.raises(NotImplementedError, match="Calling an abstract method"):
            call()
    with pytest.raises(
        NotImplementedError, match="TPUEstimatorSpec not available for this model head"
    ):
        bare.create_estimator_spec({}, "eval", logits)
    assert head._regression_head(label_dimension=3).logits_dimension == 3
    assert head._multi_class_head_with_softmax_cross_entropy_loss(4).logits_dimension == 4
    assert head._binary_logistic_head_with_sigmoid_cross_entropy_loss(name="b").name == "b"


def test_checkpoint_paths_and_steps(tmp_path):
    from tensorflow.core.protobuf.saver_pb2 import SaverDef
    from tensorflow.python.estimator.estimator import (
        _load_global_step_from_checkpoint_dir as load_step,
    )
    from tensorflow.python.training.checkpoint_management import (
        _prefix_to_checkpoint_path as path_of,
    )

    assert path_of("a/b-3", SaverDef.V2) == "a/b-3.index"
    assert path_of("a/b-3", SaverDef.V1) == "a/b-3"
    folder = str(tmp_path)
    assert load_step(folder) == 0
    for name, value in (("other", 5), ("global_step", 7)):
        with tf.Graph().as_default(), tf.Session() as session:
            step = tf.Variable(value, name=name)
            session.run(step.initializer)
            tf.train.Saver([step]).save(session, str(tmp_path / name))
        assert load_step(folder) == (7 if name == "global_step" else 0)


def test_gradient_and_weight_helpers():
    from tensorflow.python.ops import math_ops, weights_broadcast_ops
    from tensorflow.python.training.device_setter import _RoundRobinStrategy
    from tensorflow.python.training.optimizer import _deduplicate_indexed_slices

    sums, places = _deduplicate_indexed_slices(tf.constant([1.0, 2.0, 4.0]), tf.constant([5, 3, 5]))
    with tf.Session() as session:
        assert [x.tolist() for x in session.run([sums, places])] == [[5.0, 2.0], [5, 3]]
        assert session.run(math_ops.reduced_shape([2, 3, 4], [1])).tolist() == [2, 1, 4]
    assert weights_broadcast_ops.assert_broadcastable(1.0, tf.zeros([2])).type == "NoOp"
    turns = _RoundRobinStrategy(2)
    assert [turns(None) for _ in range(3)] == [0, 1, 0]


def test_experimental_strategies():
    experimental = tf.compat.v2.distribute.experimental
    assert (
        experimental.ParameterServerStrategy is tf.distribute.experimental.ParameterServerStrategy
    )
    assert experimental.CentralStorageStrategy is tf.distribute.experimental.CentralStorageStrategy
    assert (
        experimental.MultiWorkerMirroredStrategy
        is tf.distribute.experimental.MultiWorkerMirroredStrategy
    )


def test_tpu_shard_count():
    from tensorflow.python.tpu import tpu_function

    context = tpu_function.get_tpu_context()
    assert context.number_of_shards is None
    with tpu_function.tpu_shard_context(8):
        assert tpu_function.get_tpu_context().number_of_shards == 8
        with (
            pytest.raises(NotImplementedError, match="cannot be nested"),
            tpu_function.tpu_shard_context(2),
        ):
            pass
    with pytest.raises(ZeroDivisionError, match="by zero"), tpu_function.tpu_shard_context(2):
        1 / 0  # noqa: B018
    assert context.number_of_shards is None


def test_optimizer_weights_of_keras_model(tmp_path, keras_session):
    h5py = pytest.importorskip("h5py")
    from tensorflow.python.keras import backend
    from tensorflow.python.keras.saving import hdf5_format

    model = tf.keras.Sequential([tf.keras.layers.Dense(1, input_shape=(2,))])
    model.compile(tf.keras.optimizers.SGD(0.1, momentum=0.9), "mse")
    model.train_on_batch(np.ones([1, 2]), np.ones([1, 1]))
    beside = tf.Variable(3.0)
    backend.track_variable(beside)
    assert backend.get_value(beside) == 3.0
    model.save(str(tmp_path / "m.h5"))
    with h5py.File(tmp_path / "m.h5", "r") as file:
        found = [np.asarray(x) for x in hdf5_format.load_optimizer_weights_from_hdf5_group(file)]
    for one, other in zip(found, model.optimizer.get_weights(), strict=True):
        np.testing.assert_array_equal(one, other)
