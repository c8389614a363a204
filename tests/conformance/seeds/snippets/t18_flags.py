import sys

import tfmini as tf

flags = tf.app.flags
flags.DEFINE_float("learning_rate", 0.01, "Initial learning rate.")
flags.DEFINE_integer("max_steps", 2000, "Number of steps to run trainer.")
flags.DEFINE_string("data_dir", "/tmp/data", "Directory to put the training data.")
flags.DEFINE_boolean("fake_data", False, "If true, uses fake data.")
flags.DEFINE_bool("log", True, "Whether to log.")
flags.DEFINE_enum("kind", "b", ["a", "b"], "Which.")
tf.flags.DEFINE_list("layers", ["16", "32"], "Sizes.")
tf.flags.DEFINE_multi_integer("gpu", [0], "Cards.")
FLAGS = tf.flags.FLAGS

try:
    flags.DEFINE_integer("wrong", "many", "A default of the wrong kind.")
except Exception as error:
    print(type(error).__name__, str(error))
try:
    flags.DEFINE_integer("max_steps", 1, "Twice.")
except Exception as error:
    print(type(error).__name__)

sys.argv = [
    *("train.py", "--learning_rate=0.5", "--max_steps", "10", "--fake_data", "--nolog"),
    *("--layers=8,4", "--gpu=1", "--gpu=2", "--kind=a", "positional", "--unknown=3"),
]


def main(argv):
    print(argv[1:])
    names = ("learning_rate", "max_steps", "data_dir", "fake_data", "log", "kind", "layers", "gpu")
    print([(name, getattr(FLAGS, name)) for name in names])
    print(FLAGS.flag_values_dict()["max_steps"], "max_steps" in FLAGS, FLAGS["max_steps"].help)
    FLAGS.max_steps = 7
    print(FLAGS.max_steps)
    help_text = FLAGS.get_help()
    print([line.strip() for line in help_text.splitlines() if "steps" in line or "Cards" in line])
    try:
        print(FLAGS.nothing)
    except AttributeError as error:
        print(type(error).__name__, error)
    return 3


try:
    tf.app.run(main)
except SystemExit as end:
    print("status", end.code)
