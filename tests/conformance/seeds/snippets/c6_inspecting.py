import importlib
import os
import tempfile

import numpy as np

import tfmini as tf

PLACES = {"tfmini": "tfmini.compat.python.tools.inspect_checkpoint"}
tools = importlib.import_module(
    PLACES.get(tf.__name__, "tensorflow.python.tools.inspect_checkpoint")
)
show = tools.print_tensors_in_checkpoint_file
os.chdir(tempfile.mkdtemp())
tf.Variable(np.arange(6.0).reshape(2, 3), name="scope/w")
tf.Variable([True, False], name="flags")
tf.Variable(3, name="count")
tf.Variable("text", name="word")
tf.Variable(["a", "bc"], name="words")
tf.get_variable(
    "parts",
    [4, 2],
    partitioner=tf.fixed_size_partitioner(2),
    initializer=tf.ones_initializer(),
)
with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    tf.train.Saver().save(sess, "run/model", global_step=1)
print(tf.contrib.framework.list_variables("run/model-1"))
print(tf.contrib.framework.list_variables("run"), tf.train.list_variables("run/model-1"))
print(
    tf.contrib.framework.load_variable("run", "scope/w"), tf.train.load_variable("run", "count:0")
)
reader = tf.train.NewCheckpointReader("run/model-1")
print(sorted(reader.get_variable_to_shape_map().items()))
print(sorted(reader.get_variable_to_dtype_map().items()))
print(reader.has_tensor("scope/w"), reader.has_tensor("scope"))
for name in ("scope/w", "flags", "count", "word", "words", "parts"):
    value = reader.get_tensor(name)
    print(name, type(value).__name__, value)
print(reader.debug_string())
print(type(tf.contrib.framework.load_checkpoint("run")).__name__)
show("run/model-1", tensor_name="", all_tensors=True)
show("run/model-1", "scope/w", False)
show("run/model-1", None, False, all_tensor_names=True)
show("run/model-1", "", False, count_exclude_pattern="w|parts")
show("run/model-1", "none", False)
show("run/nothing", "", True)


def outcome(function):
    try:
        return function()
    except Exception as error:
        return type(error).__name__, str(error)


print(outcome(lambda: reader.get_tensor("none")))
print(outcome(lambda: tf.train.NewCheckpointReader("run/nothing")))
print(outcome(lambda: tf.train.load_variable("run", "none")))
os.mkdir("empty")
print(outcome(lambda: tf.train.list_variables("empty")))
