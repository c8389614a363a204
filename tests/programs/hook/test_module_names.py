"""Modules under `tensorflow`: the owners of their objects, and messages about missing names."""

import collections.abc
import importlib
import pickle
import sys
from types import ModuleType

import numpy as np
import pytest

import tfmini as tf
from tests.support import cases
from tfmini._src.nn.rnn import linear, rnn_cell, state_sizes
from tfmini._src.programs.hook import module_names as names, object_lookup

pytestmark = pytest.mark.usefixtures("tensorflow")


def member(full):
    """The object with a dotted name, imported as in a program."""
    parts = full.split(".")
    for end in range(len(parts), 0, -1):
        try:
            result = importlib.import_module(".".join(parts[:end]))
        except ModuleNotFoundError:
            continue
        for part in parts[end:]:
            result = getattr(result, part)
        return result
    raise AssertionError(full)


# TensorFlow 1.15.5's result of `internal is public`.
SAME = [
    ("tensorflow.placeholder", tf.placeholder),
    ("tensorflow.nn.relu", tf.nn.relu),
    ("tensorflow.contrib.rnn.BasicLSTMCell", tf.nn.rnn_cell.BasicLSTMCell),
    (
        "tensorflow.contrib.rnn.python.ops.core_rnn_cell.EmbeddingWrapper",
        tf.contrib.rnn.EmbeddingWrapper,
    ),
    (
        "tensorflow.examples.tutorials.mnist.input_data.read_data_sets",
        tf.contrib.learn.datasets.mnist.read_data_sets,
    ),
    (
        "tensorflow.contrib.learn.python.learn.datasets.base.Datasets",
        tf.contrib.learn.datasets.base.Datasets,
    ),
    ("tensorflow.compat.v1.Session", tf.Session),
    ("tensorflow.compat.v1.nn.relu", tf.nn.relu),
    ("tensorflow_core.python.ops.array_ops.concat", tf.concat),
    ("tensorflow.python.framework.ops.Graph", tf.Graph),
    ("tensorflow.python.framework.ops.RegisterGradient", tf.RegisterGradient),
    ("tensorflow.python.framework.dtypes.float32", tf.float32),
    ("tensorflow.python.framework.errors_impl.OutOfRangeError", tf.errors.OutOfRangeError),
    ("tensorflow.python.framework.tensor_util.constant_value", tf.get_static_value),
    ("tensorflow.python.ops.array_ops.concat", tf.concat),
    ("tensorflow.python.ops.math_ops.greater", tf.greater),
    ("tensorflow.python.ops.nn.relu", tf.nn.relu),
    ("tensorflow.python.ops.nn_ops.relu", tf.nn.relu),
    ("tensorflow.python.ops.rnn_cell.LSTMStateTuple", tf.nn.rnn_cell.LSTMStateTuple),
    ("tensorflow.python.ops.rnn.rnn_cell_impl.BasicLSTMCell", tf.nn.rnn_cell.BasicLSTMCell),
    ("tensorflow.python.ops.standard_ops.cast", tf.cast),
    ("tensorflow.python.ops.variable_scope.get_variable", tf.get_variable),
    ("tensorflow.python.ops.ctc_ops.ctc_loss_dense", tf.nn.ctc_loss_v2),
    ("tensorflow.python.platform.gfile.FastGFile", tf.gfile.FastGFile),
    ("tensorflow.python.pywrap_tensorflow.NewCheckpointReader", tf.train.NewCheckpointReader),
    ("tensorflow.python.training.saver.Saver", tf.train.Saver),
    ("tensorflow.python.training.training.AdamOptimizer", tf.train.AdamOptimizer),
    ("tensorflow.python.util.compat.as_text", tf.compat.as_str),
    ("tensorflow.python.util.nest.map_structure", tf.nest.map_structure),
    ("tensorflow.python.util.nest.is_sequence", tf.contrib.framework.nest.is_sequence),
    ("tensorflow.python.util.deprecation.deprecated", tf.contrib.framework.deprecated),
    ("tensorflow.python.context.executing_eagerly", tf.executing_eagerly),
    ("tensorflow.python.framework.graph_io.write_graph", tf.train.write_graph),
    ("tensorflow.python.framework.graph_util.extract_sub_graph", tf.graph_util.extract_sub_graph),
    ("tensorflow.python.layers.base.Layer", tf.layers.Layer),
    ("tensorflow.python.layers.core.Dense", tf.layers.Dense),
    ("tensorflow.python.ops.functional_ops.scan", tf.scan),
    (
        "tensorflow.python.ops.lookup_ops.index_table_from_file",
        tf.contrib.lookup.index_table_from_file,
    ),
    ("tensorflow.python.ops.rnn.dynamic_rnn", tf.nn.dynamic_rnn),
    ("tensorflow.python.ops.tensor_array_ops.TensorArray", tf.TensorArray),
    ("tensorflow.python.saved_model.builder.SavedModelBuilder", tf.saved_model.Builder),
    ("tensorflow.python.saved_model.loader.load", tf.saved_model.load),
    # Modules imported by others, and names with an underscore.
    ("tensorflow.contrib.slim.layers.conv2d", tf.contrib.layers.conv2d),
    (
        "tensorflow.contrib.slim.initializers.xavier_initializer",
        tf.contrib.layers.xavier_initializer,
    ),
    ("tensorflow.contrib.slim.regularizers.l2_regularizer", tf.contrib.layers.l2_regularizer),
    ("tensorflow.contrib.slim.variables.global_variables", tf.global_variables),
    ("tensorflow.contrib.slim.optimizers.optimize_loss", tf.contrib.layers.optimize_loss),
    ("tensorflow.contrib.slim.init_ops.Constant", tf.constant_initializer),
    ("tensorflow.contrib.slim.nn.relu", tf.nn.relu),
    ("tensorflow.contrib.slim.ops.Graph", tf.Graph),
    ("tensorflow.contrib.slim.summary.scalar", tf.summary.scalar),
    ("tensorflow.contrib.slim.train.AdamOptimizer", tf.train.AdamOptimizer),
    ("tensorflow.contrib.slim.variable_scope.get_variable", tf.get_variable),
    ("tensorflow.contrib.slim.vs.get_variable", tf.get_variable),
    ("tensorflow.contrib.slim.normalization.instance_norm", tf.contrib.layers.instance_norm),
    ("tensorflow.contrib.slim.loss_ops.add_loss", tf.contrib.losses.add_loss),
    ("tensorflow.contrib.slim.contrib_framework.arg_scope", tf.contrib.framework.arg_scope),
    ("tensorflow.contrib.rnn.python.ops.rnn_cell._Linear", linear.Linear),
    ("tensorflow.python.ops.rnn._concat", state_sizes.concat_sizes),
    (
        "tensorflow.contrib.seq2seq.python.ops.decoder._transpose_batch_time",
        state_sizes.swap_batch_and_time,
    ),
    (
        "tensorflow.contrib.seq2seq.python.ops.helper._transpose_batch_time",
        state_sizes.swap_batch_and_time,
    ),
    (
        "tensorflow.contrib.seq2seq.python.ops.attention_wrapper._zero_state_tensors",
        rnn_cell._zero_state_tensors,
    ),
    ("tensorflow.python.keras.backend.np", np),
    ("tensorflow.contrib.slim.collections_abc", collections.abc),
    ("tensorflow.compat.v2.compat.v1.nn.relu", tf.nn.relu),
    ("tensorflow.compat.v2.matmul", tf.matmul),
    ("tensorflow.compat.v2.where", tf.where_v2),
    ("tensorflow.compat.v2.newaxis", None),
    ("tensorflow.core.framework.graph_pb2.GraphDef", tf.GraphDef),
    ("tensorflow.core.protobuf.config_pb2.ConfigProto", tf.ConfigProto),
]


@cases.in_one_test
@pytest.mark.parametrize("name, value", SAME, ids=[name for name, _ in SAME])
def test_internal_name_is_the_public_object(name, value):
    assert member(name) is value


def test_function_shadows_submodule():
    owner = "tensorflow.contrib.framework.python.ops"
    importlib.import_module(f"{owner}.arg_scope")
    assert importlib.import_module(owner).arg_scope is tf.contrib.framework.arg_scope


@pytest.mark.parametrize(
    "name", ["framework.ops", "layers.layers", "summary.summary", "util.compat"]
)
def test_imported_module_shadows_package(name):
    attribute = name.rpartition(".")[2]
    importlib.import_module(
        f"tensorflow.python.{attribute}"
    )  # the package, whose import sets no attribute
    python = importlib.import_module("tensorflow.python")
    assert getattr(python, attribute).__name__ == f"tensorflow.python.{name}"


@pytest.mark.filterwarnings("ignore")
def test_module_dict_contains_its_names(tensorflow):
    assert tensorflow.logging.__dict__["INFO"] == 20
    assert vars(tensorflow.train)["AdamOptimizer"] is tf.train.AdamOptimizer
    assert vars(tensorflow)["nn"] is tensorflow.nn
    framework = vars(importlib.import_module("tensorflow.python.framework.ops"))
    assert framework["Graph"] is tf.Graph


def test_generated_messages_outside_core(tmp_path):
    from tensorflow.python.training.checkpoint_state_pb2 import CheckpointState

    state = CheckpointState(model_checkpoint_path="m-3", all_model_checkpoint_paths=["m-3"])
    (tmp_path / "checkpoint").write_text(str(state))
    result = tf.train.get_checkpoint_state(str(tmp_path))
    assert type(result) is CheckpointState and result.model_checkpoint_path == f"{tmp_path}/m-3"
    for name in (
        "contrib.training.python.training.hparam_pb2.HParamDef",
        "python.framework.cpp_shape_inference_pb2.CppShapeInferenceResult",
    ):
        assert member(f"tensorflow.{name}").DESCRIPTOR.full_name.startswith("tensorflow.")


def test_constants_match_tensorflow():
    from tensorflow.core.framework import types_pb2
    from tensorflow.python.saved_model import constants, tag_constants

    assert tag_constants.SERVING == "serve"
    assert constants.VARIABLES_DIRECTORY == "variables"
    assert types_pb2.DT_FLOAT == 1


def test_raw_ops_accept_positional_arguments():
    from tensorflow.python.ops import gen_math_ops, gen_nn_ops

    product = gen_math_ops.mat_mul([[1.0, 2.0]], [[3.0, 4.0]], False, True, "product")
    grad = gen_nn_ops.relu_grad([1.0, 1.0], features=[-1.0, 2.0])
    with tf.Session() as session:
        values = session.run([product, grad])
    assert product.op.name == "product"
    np.testing.assert_array_equal(values[0], [[11.0]])
    np.testing.assert_array_equal(values[1], [0.0, 1.0])
    with pytest.raises(TypeError, match=r"mat_mul\(\) missing 1 required positional argument: 'b'"):
        gen_math_ops.mat_mul([[1.0]])


def test_registered_gradient_overrides_relu(tensorflow):
    from tensorflow.python.framework import ops
    from tensorflow.python.ops import gen_nn_ops

    @ops.RegisterGradient("Guided")
    def _(op, grad):
        chosen = tensorflow.cast(grad > 0, "float32")
        return chosen * gen_nn_ops.relu_grad(grad, op.outputs[0])

    with tf.Graph().as_default() as graph, tf.Session() as session:
        x = tf.constant([1.0, 2.0, -1.0])
        with graph.gradient_override_map({"Relu": "Guided"}):
            y = tf.nn.relu(x)
        (result,) = tf.gradients(y * [1.0, -1.0, 1.0], x)
        np.testing.assert_array_equal(session.run(result), [1.0, 0.0, 0.0])


@pytest.mark.parametrize(
    "path, name",
    [
        ("nn", "tensorflow._api.v1.nn"),
        ("nn.rnn_cell", "tensorflow._api.v1.nn.rnn_cell"),
        ("keras.activations", "tensorflow.python.keras.api._v1.keras.activations"),
        ("estimator", "tensorflow_estimator.python.estimator.api._v1.estimator"),
        ("contrib.slim", "tensorflow.contrib.slim"),
        ("lite.toco", "tensorflow.lite.toco"),
    ],
)
def test_exported_modules_have_their_own_names(path, name):
    module = importlib.import_module(f"tensorflow.{path}")
    assert module.__name__ == name
    there = importlib.import_module(name)
    assert sorted(vars(there)["_path"].split(".")) == sorted(path.split("."))
    exec(f"from {name} import *", {})


def test_submodules_of_exported_names():
    from tensorflow._api.v1.keras.layers import Dense
    from tensorflow.keras import layers
    from tensorflow.python.keras.api._v1.keras import optimizers

    assert layers.Dense is Dense is tf.keras.layers.Dense
    assert optimizers.schedules.ExponentialDecay is tf.keras.optimizers.schedules.ExponentialDecay
    with pytest.raises(AttributeError, match="module 'tensorflow._api.v1.nn' has no attribute 'x'"):
        importlib.import_module("tensorflow").nn.x  # noqa: B018


def test_star_import_provides_available_names():
    names = {}
    exec("from tensorflow.python.ops.array_ops import *", names)
    assert names["concat"] is tf.concat
    exec("from tensorflow import *", names)
    assert names["Session"] is tf.Session
    assert names["float32"] is tf.float32


def test_star_import_includes_modules_without_all():
    names = {}
    exec("from tensorflow.python.ops.math_ops import *", names)
    assert names["ops"].Graph is tf.Graph
    assert names["np"] is np
    names = {}
    exec("from tensorflow.contrib.layers.python.layers.layers import *", names)
    assert names["conv2d"] is tf.contrib.layers.conv2d
    assert "ops" not in names


def test_missing_private_alias_is_reported():
    from tensorflow.python.ops import image_ops

    with pytest.raises(
        NotImplementedError, match=r"image_ops_impl\._ImageDimensions of TensorFlow"
    ):
        image_ops._ImageDimensions(None, 3)


def test_missing_name_fails_on_use():
    from tensorflow.compiler.tf2xla.python import xla
    from tensorflow.lite.python.interpreter import Interpreter
    from tensorflow.python.ops.stateful_random_ops import Generator

    class Mine(Generator):
        pass

    message = r"tfmini does not implement tf.random.experimental.Generator of TensorFlow 1.15.5; use tf.random"
    with pytest.raises(NotImplementedError, match=message):
        Generator()
    with pytest.raises(NotImplementedError, match=message):
        Mine()
    assert not isinstance(3, Generator)
    with pytest.raises(NotImplementedError, match="tensorflow.compiler.tf2xla.python.xla.add"):
        xla.add(1.0, 2.0)
    with pytest.raises(
        NotImplementedError, match=r"tf\.lite\.Interpreter of TensorFlow 1.15.5; use"
    ):
        Interpreter("model.tflite")


def test_unknown_name_raises_attribute_error(tensorflow):
    with pytest.raises(AttributeError, match="module 'tensorflow' has no attribute 'no_such_name'"):
        tensorflow.no_such_name  # noqa: B018
    with pytest.raises(ImportError, match="cannot import name 'bidirectional_lstm'"):
        from tensorflow.python.ops.rnn import bidirectional_lstm  # noqa: F401
    with pytest.raises(ModuleNotFoundError, match="No module named 'tensorflow.nothing'"):
        importlib.import_module("tensorflow.nothing.below")


def test_internal_packages_are_not_exposed(tensorflow):
    assert not hasattr(tensorflow, "autodiff")
    assert not hasattr(tensorflow, "runtime")


def test_facades_resemble_modules(tensorflow):
    from tensorflow.python.framework import ops

    assert tensorflow.__version__ == tensorflow.VERSION == "1.15.5"
    assert ops.__name__ == "tensorflow.python.framework.ops"
    assert "Graph" in dir(ops)
    assert not hasattr(ops, "__wrapped__")
    assert sys.modules["tensorflow.python.framework"].ops is ops
    assert pickle.loads(pickle.dumps(ops.Graph)) is tf.Graph


def test_every_table_name_can_be_imported():
    """Each name of each module is an object or a stand-in, with all parents importable."""
    count = 0
    for path in names._blocks():
        for name, entry in names.module(path).entries.items():
            if isinstance(entry, names.ImportedModule):
                assert names.is_module(entry.path)
                count += object_lookup.module_named(path, name) is not None
            else:
                count += object_lookup.find(path, name) is not object_lookup.NO_ADDITION
    assert count > 45_000


def test_version_two_decorators_are_transparent(tensorflow):
    @tensorflow.autograph.experimental.do_not_convert
    def doubled(x):
        return x * 2

    @tensorflow.autograph.experimental.do_not_convert()
    def halved(x):
        return x / 2

    assert (doubled(3), halved(3)) == (6, 1.5)


def test_generated_modules_include_raw_ops():
    from tensorflow.python.ops import gen_math_ops

    assert gen_math_ops.MatMul is tf.raw_ops.MatMul
    with pytest.raises(
        AttributeError,
        match="module 'tensorflow.python.ops.gen_math_ops' has no attribute 'Reshape'",
    ):
        gen_math_ops.Reshape  # noqa: B018


def test_contrib_packages_contain_their_modules(tensorflow):
    import tensorflow.contrib.slim as slim

    from tfmini.contrib.slim import utils

    assert slim.utils.convert_collection_to_dict is utils.convert_collection_to_dict


def test_message_modules_have_descriptors(tensorflow):
    from tensorflow.core.framework import tensor_pb2

    assert tensor_pb2._TENSORPROTO is tensor_pb2.TensorProto.DESCRIPTOR
    assert tensor_pb2.DESCRIPTOR.name == "tensorflow/core/framework/tensor.proto"
    assert not hasattr(tensor_pb2, "_NOTHING")


def public_objects(mine, theirs, path, seen):
    """Full names of the objects in the public namespaces under `mine`, the objects, and those under `theirs`."""
    if id(mine) in seen:
        return
    seen.add(id(mine))
    for name in getattr(mine, "__all__", ()):
        if f"{path}.{name}" == "tf.contrib.keras":  # tf.keras, which has more names than before
            continue
        result, other = getattr(mine, name), getattr(theirs, name)
        if isinstance(result, ModuleType):
            if result.__name__.startswith("tfmini."):
                yield from public_objects(result, other, f"{path}.{name}", seen)
        else:
            yield f"{path}.{name}", result, other


def test_public_names_are_the_same_objects():
    tensorflow = importlib.import_module("tensorflow")
    packages = [p for p in dir(tf.contrib) if isinstance(getattr(tf.contrib, p), ModuleType)]
    seen = set()
    pairs = list(public_objects(tf, tensorflow, "tf", seen))
    for package in {*packages} - {"keras"}:
        mine, theirs = getattr(tf.contrib, package), getattr(tensorflow.contrib, package)
        pairs += public_objects(mine, theirs, f"tf.contrib.{package}", seen)
    different = {name for name, mine, other in pairs if mine is not other and mine != other}
    # Names with a pre-1.0 argument order or form in addition to their own.
    assert different == {
        "tf.app.flags.FLAGS",
        "tf.concat",
        "tf.image.resize_images",
        "tf.nn.nce_loss",
        "tf.nn.sampled_softmax_loss",
        "tf.nn.sigmoid_cross_entropy_with_logits",
        "tf.nn.softmax_cross_entropy_with_logits",
        "tf.nn.sparse_softmax_cross_entropy_with_logits",
        "tf.reverse",
        "tf.split",
    }
    assert len(pairs) > 3000


def test_tensor_errors_match_by_class(tensorflow):
    from tensorflow.python.framework import errors_impl

    with pytest.raises(errors_impl.OperatorNotAllowedInGraphError, match="iterating over"):
        list(tensorflow.constant([1.0]))


def test_version_two_functions_follow_version_two(tensorflow):
    from tensorflow.python.ops import embedding_ops, nn_ops

    parts = [tf.constant([[0.0], [1.0], [2.0]]), tf.constant([[3.0], [4.0], [5.0]])]
    ids = tf.SparseTensor([[0, 0], [1, 0]], tf.constant([1, 4], tf.int64), [2, 1])
    labels, logits = tf.constant([[0.5, 0.5]]), tf.constant([[1.0, 2.0]])
    nn = tensorflow.compat.v2.nn
    with tf.Session() as session:
        for result in (nn.embedding_lookup, embedding_ops.embedding_lookup_v2):
            assert session.run(result(parts, [1, 4])).tolist() == [[1.0], [4.0]]
        assert session.run(nn.embedding_lookup_sparse(parts, ids, None)).tolist() == [[1.0], [4.0]]
        for result in (
            nn.softmax_cross_entropy_with_logits,
            nn_ops.softmax_cross_entropy_with_logits_v2,
        ):
            (grad,) = tf.gradients(result(labels, logits), labels)
            np.testing.assert_allclose(session.run(grad), [[1.3132616, 0.3132616]], rtol=1e-6)
