"""Objects for object-based checkpoints, each created by a function of `tf`; TensorFlow's content is recorded."""

import os
import re
import shutil
import tempfile

from tests.support import goldens
from tests.train.object_checkpoint import (
    cases_attributes,
    cases_keras,
    cases_layers,
    cases_resources,
)
from tests.train.object_checkpoint.held_values import module_of

RECORD = goldens.golden_path("trackables.json.xz")

CASES = {
    name: value
    for module in (cases_attributes, cases_keras, cases_layers, cases_resources)
    for name, value in vars(module).items()
    if name[0] != "_" and getattr(value, "__module__", None) == module.__name__
}


def described(tf, case):
    """The content of a case's checkpoint: a line for each object of its graph, and for each key of the file."""
    folder = tempfile.mkdtemp()
    try:
        with tf.Graph().as_default(), tf.Session() as session:
            root = CASES[case](tf)
            if isinstance(root, list):
                root = module_of(tf, all=root)
            session.run([tf.global_variables_initializer(), tf.local_variables_initializer()])
            kinds = ("MakeIterator", "LookupTableImportV2")
            session.run([op for op in session.graph.get_operations() if op.type in kinds])
            try:
                path = tf.train.Checkpoint(root=root).write(os.path.join(folder, "x"))
            except Exception as error:
                text = "{}: {}".format(type(error).__name__, str(error).split("\n")[0])
                return [re.sub(r"<[\w.]+ object.*?>", "<object>", text)]
            reader = tf.train.NewCheckpointReader(path)
            message = tf.contrib.checkpoint.object_metadata(path)
            keys = reader.get_variable_to_shape_map()
            return _lines(message) + sorted("{} {}".format(*item) for item in keys.items())
    finally:
        shutil.rmtree(folder)


def _lines(message):
    found = []
    for number, node in enumerate(message.nodes):
        children = " ".join(f"{c.local_name}={c.node_id}" for c in node.children)
        attributes = " ".join(
            f"{a.name}:{a.checkpoint_key}:{a.full_name}:{a.optional_restore:d}"
            for a in node.attributes
        )
        slots = " ".join(
            f"{s.slot_name}({s.original_variable_node_id})={s.slot_variable_node_id}"
            for s in node.slot_variables
        )
        found.append(f"{number}: {children} | {attributes} | {slots}")
    return found
