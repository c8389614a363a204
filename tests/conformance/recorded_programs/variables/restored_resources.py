"""Tables, iterators and what Python keeps: saved as objects, and restored."""

import os
import tempfile

import numpy as np


def _objects(tf):
    class Seen(tf.train.experimental.PythonState):
        text = b"first"

        def serialize(self):
            return self.text

        def deserialize(self, string_value):
            self.text = string_value

    table = tf.contrib.lookup.MutableHashTable(tf.string, tf.int64, -1, name="words")
    iterator = tf.data.Dataset.range(10).make_initializable_iterator()
    arrays = tf.contrib.checkpoint.NumpyState()
    arrays.mean = np.array([1.0, 2.0])
    known = {"table": table, "iterator": iterator, "seen": Seen(), "arrays": arrays}
    return tf.train.Checkpoint(**known)


def build(tf):
    checkpoint = _objects(tf)
    words = tf.constant(["a", "b", "c"])
    fill = checkpoint.table.insert(words[:2], tf.constant([1, 2], tf.int64))
    forget = checkpoint.table.remove(words[:1])
    ids, element = checkpoint.table.lookup(words), checkpoint.iterator.get_next()

    def saved_and_restored(session):
        prefix = os.path.join(tempfile.mkdtemp(), "x")
        session.run([fill, checkpoint.iterator.initializer])
        found = [session.run(element) for _ in range(3)]
        path = checkpoint.save(prefix, session)
        session.run(forget)
        found += [session.run([ids, element])]
        checkpoint.seen.text, checkpoint.arrays.mean = b"later", np.zeros([3])
        again = checkpoint.save(prefix, session)
        status = checkpoint.restore(path).assert_consumed()
        session.run(checkpoint.iterator.initializer)
        status.run_restore_ops(session)
        found += [session.run([ids, element]), checkpoint.seen.text, checkpoint.arrays.mean]
        checkpoint.restore(again).assert_consumed().run_restore_ops(session)
        return found + [session.run([ids, element]), checkpoint.seen.text, checkpoint.arrays.mean]

    return {"facts": {}, "steps": [("saved_and_restored", saved_and_restored)]}
