"""Models whose checkpoints are exchanged: saved by TensorFlow 1.15.5 and restored by tfmini, and vice versa.

A model is a function here that builds variables with distinct values and returns the Saver.

    python -m tests.conformance.checkpoint_exchange write FOLDER  # the reference saves every model into FOLDER/NAME
    python -m tests.conformance.checkpoint_exchange read FOLDER   # restores each: FOLDER/NAME/restored.npz
    python -m tests.conformance.checkpoint_exchange golden        # tests/golden/checkpoints/models/NAME.tar.xz
"""

import os
import re
import shutil
import sys

import numpy as np

from tests.support import goldens

HERE = os.path.dirname(os.path.abspath(__file__))
GOLDEN = goldens.golden_path("checkpoints", "models")


def numbers(*shape):
    return (np.arange(np.prod(shape, dtype=int)) % 251 / 8).astype(np.float32).reshape(shape)


def parts_of(values):
    """An initializer of a partitioned variable, with each part sliced from `values`."""

    def initializer(shape, dtype=None, partition_info=None):
        offset = partition_info.var_offset
        place = tuple(slice(o, o + int(s)) for o, s in zip(offset, shape))
        return np.asarray(values[place])

    return initializer


def dense(tf):
    tf.get_variable("w", initializer=numbers(30, 7))
    tf.get_variable("b", initializer=numbers(7))
    return tf.train.Saver()


def partitioned(tf):
    for name, shape, cut in (("rows", (7, 3), (3, 0)), ("columns", (2, 9), (4, 1))):
        partitioner = tf.fixed_size_partitioner(*cut)
        values = parts_of(numbers(*shape))
        tf.get_variable(name, shape, initializer=values, partitioner=partitioner)
    return tf.train.Saver()


def partitioned_resources(tf):
    with tf.variable_scope("in", use_resource=True, partitioner=tf.fixed_size_partitioner(2)):
        tf.get_variable("a", [5, 2], initializer=parts_of(numbers(5, 2)))
    tf.get_variable("whole", initializer=numbers(3), use_resource=True)
    return tf.train.Saver()


def sharded(tf):
    for number in range(4):
        with tf.device(f"/cpu:{number % 2}"):
            tf.get_variable(f"v{number}", initializer=numbers(3, 5) + number)
    return tf.train.Saver(sharded=True)


def sharded_parts(tf):
    with tf.device(lambda op: "/cpu:1" if "part_1" in op.name else "/cpu:0"):
        partitioner = tf.fixed_size_partitioner(3)
        tf.get_variable("p", [8], initializer=parts_of(numbers(8)), partitioner=partitioner)
        tf.get_variable("q", initializer=numbers(2))
    return tf.train.Saver(sharded=True)


def version_1(tf):
    tf.get_variable("w", initializer=numbers(30, 7))
    tf.get_variable("texts", initializer=tf.constant(["", "x", "\u00fc"]))
    tf.get_variable("count", initializer=tf.constant(-7, tf.int64), use_resource=True)
    tf.get_variable("half", initializer=tf.cast([0.5, -3.0], tf.float16))
    parts = {"partitioner": tf.fixed_size_partitioner(3), "initializer": parts_of(numbers(7, 3))}
    tf.get_variable("rows", [7, 3], **parts)
    return tf.train.Saver(write_version=tf.train.SaverDef.V1)


def version_1_sharded(tf):
    for number in range(4):
        with tf.device(f"/cpu:{number % 2}"):
            tf.get_variable(f"v{number}", initializer=numbers(3, 5) + number)
    return tf.train.Saver(sharded=True, write_version=tf.train.SaverDef.V1)


def dtypes(tf):
    for kind in "bool int8 uint8 int16 uint16 int32 int64 float16 float32 float64".split():
        tf.get_variable(kind, initializer=tf.cast([0, 1, 100], kind))
    tf.get_variable("bfloat16", initializer=tf.cast([0.5, -3.0], tf.bfloat16))
    for kind in "complex64 complex128".split():
        tf.get_variable(kind, initializer=np.array([1 - 2j, 3j], kind))
    tf.get_variable("special", initializer=np.array([np.nan, np.inf, -0.0], np.float32))
    return tf.train.Saver()


def strings(tf):
    texts = ["", "plain", "\u00fcn\u00efcode \u6587", "long " * 1000]
    tf.get_variable("texts", initializer=tf.constant(texts))
    tf.get_variable("bytes", initializer=tf.constant([b"\x00\xff", b"", b"\x01\x00"]))
    tf.get_variable("matrix", initializer=tf.constant([["a", "b"], ["c", ""]]))
    tf.get_variable("scalar", initializer=tf.constant("one"))
    return tf.train.Saver()


def slots(tf):
    w = tf.get_variable("w", initializer=numbers(4, 3))
    loss = tf.reduce_sum(tf.square(w))
    step = tf.train.get_or_create_global_step()
    adam = tf.train.AdamOptimizer(0.1).minimize(loss, step)
    other = tf.train.RMSPropOptimizer(0.1, momentum=0.5).minimize(loss)
    tf.add_to_collection("run", adam)
    tf.add_to_collection("run", other)
    return tf.train.Saver(pad_step_number=True)


def averages(tf):
    w = tf.get_variable("w", initializer=numbers(3))
    average = tf.train.ExponentialMovingAverage(0.5)
    with tf.control_dependencies([w.assign_add(tf.ones([3]))]):
        tf.add_to_collection("run", average.apply([w]))
    return tf.train.Saver()


def names(tf):
    with tf.variable_scope("a"), tf.variable_scope("b.c"), tf.variable_scope("d-e"):
        deep = tf.get_variable("f", initializer=numbers(2))
    tops = [tf.Variable(numbers(2) + i, name="same") for i in range(3)]
    named = {"\u00fcber/\u6587\u5b57": deep, "/": tops[0], "a b\n": tops[1], "x" * 300: tops[2]}
    return tf.train.Saver(named)


def shapes(tf):
    tf.get_variable("scalar", initializer=np.float32(1.5))
    tf.get_variable("none", initializer=np.zeros([0, 3], np.float32))
    tf.get_variable("deep", initializer=numbers(1, 2, 1, 3, 1))
    tf.get_variable("large", initializer=tf.tile(numbers(251), [2000]))
    return tf.train.Saver()


def many(tf):
    for number in range(400):
        tf.get_variable(f"layer_{number}/w", initializer=numbers(2) + number)
    return tf.train.Saver()


def tables(tf):
    table = tf.contrib.lookup.MutableHashTable(tf.string, tf.int64, -1, name="words")
    tf.get_variable("w", initializer=numbers(2))
    keys = tf.constant(["a", "b", "none"])
    tf.add_to_collection("run", table.insert(keys[:2], tf.constant([5, 6], tf.int64)))
    tf.add_to_collection("look", table.lookup(keys))
    return tf.train.Saver()


MODELS = [dense, partitioned, partitioned_resources, sharded, sharded_parts, dtypes, strings]
MODELS += [slots, averages, names, shapes, many, tables, version_1, version_1_sharded]


def config(tf):
    return tf.ConfigProto(device_count={"CPU": 2}, inter_op_parallelism_threads=1)


def values(tf, sess):
    found = {}
    for variable in tf.global_variables():
        is_brain = variable.dtype.base_dtype == tf.bfloat16
        found[variable.op.name.replace("/", ".")] = (
            tf.cast(variable, tf.float32) if is_brain else variable
        )
    for number, tensor in enumerate(tf.get_collection("look")):
        found[f"look{number}"] = tensor
    return sess.run(found)


def write(tf, model, folder):
    """Saves a model; returns its values."""
    with tf.Graph().as_default(), tf.Session(config=config(tf)) as sess:
        saver = model(tf)
        sess.run(tf.global_variables_initializer())
        for operation in tf.get_collection("run"):
            sess.run(operation)
        saver.save(sess, os.path.join(folder, "model"), global_step=3, write_state=False)
        return values(tf, sess)


def name_of(files):
    """The path of a folder's checkpoint: the prefix for version 2, the file or shard pattern for version 1."""
    for name in files:
        if name.endswith(".index"):
            return name[: -len(".index")]
    (name, *_) = [name for name in files if re.fullmatch(r"model-3(-\d{5}-of-\d{5})?", name)]
    return re.sub(r"\d{5}(-of-\d{5})$", r"?????\1", name)


def read(tf, model, folder):
    """The values of a restored model."""
    with tf.Graph().as_default(), tf.Session(config=config(tf)) as sess:
        saver = model(tf)
        saver.restore(sess, os.path.join(folder, name_of(sorted(os.listdir(folder)))))
        return values(tf, sess)


def differences(want, got):
    """The names of values that are not bit-identical."""
    assert set(want) == set(got)
    return [name for name in want if not same(np.asarray(want[name]), np.asarray(got[name]))]


def same(one, other):
    if one.dtype == object or one.dtype.kind == "S":
        return one.tolist() == other.tolist()
    return (
        one.dtype == other.dtype and one.shape == other.shape and one.tobytes() == other.tobytes()
    )


def load(path):
    with np.load(path, allow_pickle=True) as file:
        return {name: file[name] for name in file.files}


def store(path, found):
    kept = {n: np.array(v, object) if isinstance(v, bytes) else v for n, v in found.items()}
    np.savez_compressed(path, **kept)


def path_of_golden(model):
    return os.path.join(GOLDEN, model.__name__ + ".tar.xz")


def main(tf, work, folder=GOLDEN):
    for model in MODELS:
        place = os.path.join(folder, model.__name__)
        os.makedirs(place, exist_ok=True)
        if work == "read":
            store(os.path.join(place, "restored.npz"), read(tf, model, place))
        else:
            store(os.path.join(place, "values.npz"), write(tf, model, place))
        if work == "golden":
            for name in os.listdir(place):
                if name.endswith(".meta"):
                    os.remove(os.path.join(place, name))
            goldens.write_files(path_of_golden(model), goldens.folder_files(place))
            shutil.rmtree(place)


if __name__ == "__main__":
    import tensorflow

    main(tensorflow, *sys.argv[1:])
