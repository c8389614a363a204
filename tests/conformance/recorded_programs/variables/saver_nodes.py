"""Saver nodes: both kinds of variables, partitions, tables, dicts, shards, sequential reads, reshaped values."""

import contextlib
import types
import uuid

REPLAYABLE = False  # requires two CPUs


@contextlib.contextmanager
def fixed_identifiers():
    """Replaces the random name of the temporary shard folder."""
    kept = uuid.uuid4
    uuid.uuid4 = lambda: types.SimpleNamespace(hex="0123456789abcdef" * 2)
    try:
        yield
    finally:
        uuid.uuid4 = kept


def build(tf):
    with tf.device("/cpu:0"):
        w = tf.get_variable("w", [3, 2], initializer=tf.ones_initializer())
    r = tf.get_variable("r", [2], use_resource=True, initializer=tf.zeros_initializer())
    with tf.variable_scope("deep/er"):
        p = tf.get_variable(
            "p", [5, 2], partitioner=tf.fixed_size_partitioner(2), initializer=tf.ones_initializer()
        )
        q = tf.get_variable(
            "q",
            [4],
            partitioner=tf.fixed_size_partitioner(2),
            use_resource=True,
            initializer=tf.ones_initializer(),
        )
    n = tf.Variable(3, name="n", dtype=tf.int64)
    free = tf.Variable([1.0, 2.0], validate_shape=False, name="free")
    with tf.device("/cpu:1"):
        far = tf.get_variable("far", [2], initializer=tf.ones_initializer())
    tf.contrib.lookup.MutableHashTable(tf.string, tf.int64, -1, name="words")
    train = tf.train.AdamOptimizer(0.1).minimize(
        tf.reduce_sum(tf.square(w)) + tf.reduce_sum(far) + tf.reduce_sum(r)
    )
    savers = [
        tf.train.Saver(),
        tf.train.Saver([w, r, n], name="some"),
        tf.train.Saver({"renamed": w, "other/name": r, "whole": p}, max_to_keep=None),
        tf.train.Saver(
            [w, free, r], reshape=True, restore_sequentially=True, filename="/tmp/named"
        ),
        tf.train.Saver([w, p], write_version=tf.train.SaverDef.V1, keep_checkpoint_every_n_hours=2),
        tf.train.Saver({"a": w, "b": list(q)}, allow_empty=True),
    ]
    with fixed_identifiers():
        savers.append(tf.train.Saver(sharded=True, max_to_keep=2))
        savers.append(tf.train.Saver(sharded=True, write_version=tf.train.SaverDef.V1))
    with tf.name_scope("outer"):
        late = tf.train.Saver(defer_build=True)
        late.build()
    savers.append(late)
    defs = [saver.as_saver_def() for saver in savers]
    facts = {
        "defs": [str(d) for d in defs],
        "scoped": str(late.to_proto(export_scope="outer")),
        "outside": late.to_proto(export_scope="elsewhere") is None,
        "last": [saver.last_checkpoints for saver in savers],
    }
    steps = [
        ("init", tf.global_variables_initializer()),
        ("train", train),
        ("values", [w, r, n, far, list(p), list(q)]),
    ]
    config = tf.ConfigProto(device_count={"CPU": 2}, inter_op_parallelism_threads=1)
    return {"facts": facts, "steps": steps, "config": config}
