"""Uses that eager mode rejects, with TensorFlow 1.15.5's error classes and texts."""

import numpy as np
import pytest

import tfmini as tf

pytestmark = pytest.mark.usefixtures("eager")

QUEUES = (
    "Input pipelines based on Queues are not supported when eager execution is enabled. Please use tf.data to ingest "
    "data into your model instead."
)
READERS = (
    "Readers are not supported when eager execution is enabled. Instead, please use tf.data to get data into your "
    "model."
)
META = (
    "Exporting/importing meta graphs is not supported when eager execution is enabled. No graph exists when eager "
    "execution is enabled."
)
MERGING = "Merging tf.summary.* ops is not compatible with eager execution. Use tf.contrib.summary instead."
GRADIENTS = (
    "tf.gradients is not supported when eager execution is enabled. Use tf.GradientTape instead."
)
MIXED = "Can't convert Python sequence with mixed types to Tensor."
NONE = (
    "Attempt to convert a value (None) with an unsupported type (<class 'NoneType'>) to a Tensor."
)


def error_of(call):
    """The class and text of a call's error."""
    with pytest.raises(Exception) as caught:
        call()
    return type(caught.value), str(caught.value)


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize(
    "kind, message, call",
    [
        (
            RuntimeError,
            "tf.placeholder() is not compatible with eager execution.",
            lambda: tf.placeholder(tf.float32),
        ),
        (RuntimeError, QUEUES, lambda: tf.train.string_input_producer(["a"])),
        (RuntimeError, QUEUES, lambda: tf.train.input_producer([1, 2])),
        (RuntimeError, QUEUES, lambda: tf.train.range_input_producer(2)),
        (RuntimeError, QUEUES, lambda: tf.train.slice_input_producer([[1]])),
        (ValueError, QUEUES, lambda: tf.train.batch([[1]], 2)),
        (ValueError, QUEUES, lambda: tf.train.shuffle_batch([[1]], 2, 4, 2)),
        (RuntimeError, READERS, tf.TextLineReader),
        (
            RuntimeError,
            "Queues are not compatible with eager execution.",
            tf.train.start_queue_runners,
        ),
        (RuntimeError, GRADIENTS, lambda: tf.gradients(1.0, 2.0)),
        (RuntimeError, MERGING, tf.summary.merge_all),
        (RuntimeError, META, lambda: tf.train.import_meta_graph("x")),
        (
            RuntimeError,
            "tf.metrics.mean is not supported when eager execution is enabled.",
            lambda: tf.metrics.mean([1]),
        ),
    ],
)
def test_graph_only_calls_are_rejected(kind, message, call):
    assert error_of(call) == (kind, message)


@pytest.mark.parametrize(
    "kind, message, value, dtype",
    [
        (TypeError, "Cannot convert 1.5 to EagerTensor of dtype int32", 1.5, tf.int32),
        (TypeError, "Cannot convert [1.5] to EagerTensor of dtype int32", [1.5], tf.int32),
        (TypeError, "Cannot convert 'a' to EagerTensor of dtype float", "a", tf.float32),
        (TypeError, "Cannot convert [1, 2] to EagerTensor of dtype string", [1, 2], tf.string),
        (TypeError, "Cannot convert 1j to EagerTensor of dtype float", 1j, tf.float32),
        (ValueError, NONE, None, None),
        (ValueError, NONE, [None], tf.float32),
        (ValueError, MIXED, [1, None], None),
        (ValueError, MIXED, [1, "a"], None),
        (ValueError, MIXED, [True, 1], None),
        (
            ValueError,
            "Can't convert non-rectangular Python sequence to Tensor.",
            [[1, 2], [3]],
            None,
        ),
        (
            ValueError,
            "Can't convert non-rectangular Python sequence to Tensor.",
            [np.zeros([2, 1]), np.zeros(1)],
            None,
        ),
        (
            ValueError,
            "Can't convert Python sequence with out-of-range integer to Tensor.",
            2**70,
            None,
        ),
        (
            ValueError,
            "Attempt to convert a value ({}) with an unsupported type (<class 'dict'>) to a Tensor.",
            {},
            None,
        ),
        (
            ValueError,
            "Failed to convert a NumPy array to a Tensor (Unsupported object type int).",
            np.array([1], object),
            None,
        ),
    ],
)
def test_unconvertible_values_are_rejected(kind, message, value, dtype):
    assert error_of(lambda: tf.convert_to_tensor(value, dtype)) == (kind, message)


def test_convertible_values():
    assert tf.convert_to_tensor(range(3)).numpy().tolist() == [0, 1, 2]
    assert tf.convert_to_tensor([1.5, True]).numpy().tolist() == [1.5, 1]
    assert tf.convert_to_tensor(2**31, tf.int32).numpy() == -(2**31)


@pytest.mark.parametrize(
    "kind, message, call",
    [
        (
            tf.errors.InvalidArgumentError,
            "cannot compute AddV2 as input #1(zero-based) was expected to be a int32 tensor but is a float tensor "
            "[Op:AddV2] name: add/",
            lambda: tf.constant(1) + tf.constant(1.0),
        ),
        (
            tf.errors.InvalidArgumentError,
            "Matrix size-incompatible: In[0]: [1,1], In[1]: [2,1] [Op:MatMul] name: mm/",
            lambda: tf.matmul([[1.0]], [[1.0], [2.0]], name="mm"),
        ),
        (
            TypeError,
            "Expected tensor with type tf.float32 not tf.int32",
            lambda: tf.constant(tf.constant(1), tf.float32),
        ),
        (
            ValueError,
            "Tensor's shape (3,) is not compatible with supplied shape [4]",
            lambda: tf.constant([1, 2, 3]).set_shape([4]),
        ),
    ],
)
def test_mismatched_tensors_are_rejected(kind, message, call):
    assert error_of(call) == (kind, message)


def test_dtype_without_kernel_is_rejected():
    ones = tf.ones([1, 1, 2])
    calls = (
        lambda: tf.exp(tf.constant(1)),
        lambda: tf.raw_ops.CudnnRNN(input=ones, input_h=ones, input_c=ones, params=ones),
    )
    for op, call in zip(("Exp", "CudnnRNN"), calls):
        kind, message = error_of(call)
        assert kind is tf.errors.NotFoundError
        assert message.startswith(
            f"Could not find valid device for node.\nNode:{{{{node {op}}}}}\nAll kernels registered for"
        )


def test_empty_tensor_is_false():
    assert not tf.constant([])


def test_eager_queues():
    queue = tf.FIFOQueue(3, tf.int32, [[]])
    queue.enqueue_many([[1, 2, 3]])
    assert queue.dequeue().numpy() == 1
    assert queue.dequeue_many(2).numpy().tolist() == [2, 3]
    assert queue.name == "Empty"
    another = tf.FIFOQueue(3, tf.int32, [[]])
    queue.enqueue(4)
    assert (queue.size().numpy(), another.size().numpy()) == (1, 0)
