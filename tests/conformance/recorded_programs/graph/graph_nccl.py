"""Reductions over GPUs built by nccl_ops, with gradients; without GPUs they have no kernels."""

import importlib

REPLAYABLE = False


def build(tf):
    in_tensorflow = tf.__name__ == "tensorflow"
    package = "tensorflow.python.ops" if in_tensorflow else "tfmini.compat.python.ops"
    nccl = importlib.import_module(package + ".nccl_ops")
    counting = nccl if in_tensorflow else importlib.import_module("tfmini._src.ops.collective.nccl")
    counting._shared_name_counter = 0

    def placed(count, shape=(2, 3), dtype=tf.float32):
        made = []
        for number in range(count):
            with tf.device(f"/gpu:{number}"):
                made.append(tf.placeholder(dtype, shape))
        return made

    facts = {}

    def refused(label, function, *arguments):
        try:
            function(*arguments)
        except (AttributeError, LookupError, TypeError, ValueError) as error:
            facts[label] = [type(error).__name__, str(error)]
        else:
            facts[label] = "nothing"

    xs = placed(3)
    sums = nccl.all_sum(xs)
    backwards = []
    for number, total in enumerate(sums):
        with tf.device(f"/gpu:{number}"):
            backwards.append(tf.identity(total * 2.0))
    tf.gradients(sums, xs, backwards, colocate_gradients_with_ops=True)
    nccl.all_prod(placed(2, (None, 3), tf.float64))
    nccl.all_min(placed(1, None, tf.int32))
    nccl.all_max(placed(2, [], tf.float16))
    with tf.device("/gpu:1"):
        total = nccl.reduce_sum(xs)
        tf.gradients(total, xs, total * 3.0, colocate_gradients_with_ops=True)
    with tf.device("/gpu:0"):
        facts["shape of a sum"] = str(
            nccl.reduce_sum(placed(1, (None, 2)) + placed(2, (4, 2))).shape
        )
    sent = nccl.broadcast(xs[0])
    read = []
    for number in range(3):
        with tf.device(f"/gpu:{number}"):
            read.append(sent * 2.0)
    with tf.device("/gpu:0"):
        tf.gradients(read, xs[0], [tf.identity(y) for y in read], colocate_gradients_with_ops=True)
    nccl.broadcast(placed(1, None, tf.int64)[0])

    refused("nothing to sum", nccl.all_sum, [])
    refused("None", nccl.all_sum, None)
    refused("nothing to reduce", nccl.reduce_sum, ())
    refused("no device", nccl.all_sum, [tf.constant(1.0)])
    refused("no device to reduce", nccl.reduce_sum, [tf.constant(1.0)])
    refused("no device to send from", nccl.broadcast, tf.constant(1.0))
    refused("a number", nccl.all_sum, [1.0])
    refused("bool", nccl.all_sum, placed(1, (), tf.bool))
    refused("int8", nccl.broadcast, placed(1, (), tf.int8)[0])
    refused("sum elsewhere", nccl.reduce_sum, placed(2))
    largest = nccl.all_max(placed(1))
    refused("gradient of a maximum", tf.gradients, largest, [largest[0].op.inputs[0]])
    refused("gradient from no device", tf.gradients, total, xs)
    refused("gradient of a broadcast without devices", tf.gradients, sent * 2.0, xs[0])
    return {"steps": [], "facts": facts}
