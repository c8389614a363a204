"""This process as one of two Horovod ranks; the other's arrays are ten times as large."""

import contextlib

import numpy as np

import tfmini as tf
from tfmini._src.distribute.horovod import basics
from tfmini._src.distribute.horovod.host_reductions import HostReductions
from tfmini._src.distribute.horovod.ops import running
from tfmini._src.distribute.horovod.ranks import RankInfo


class BesideTen(HostReductions):
    """Operations of one of two ranks; the other's values are always ten times as large."""

    size = 2

    def __init__(self, rank):
        super().__init__()
        self.rank, self.seen = rank, []

    def _both(self, value):
        pair = [value, (value * 10).astype(value.dtype)]
        return pair if self.rank == 0 else pair[::-1]

    def _rows_of_both(self, value):
        """Row numbers are the same in both when rows are exchanged."""
        return [value, value] if value.dtype.kind == "i" else self._both(value)

    def sum_all(self, name, values, shapes):
        self.seen.append(("sum", name, [(str(v.dtype), v.size) for v in values], list(shapes)))
        return [sum(self._both(value)) for value in values]

    def gather(self, name, value):
        self.seen.append(("gather", name))
        return np.concatenate(self._rows_of_both(value))

    def tell(self, name, text):
        raise AssertionError("nobody tells anything")

    def broadcast(self, name, value, root):
        self.seen.append(("broadcast", name, root))
        return self._both(value)[root]

    def all_to_all(self, name, parts):
        self.seen.append(("all_to_all", name, [len(part) for part in parts]))
        return np.concatenate(self._rows_of_both(parts[self.rank]))

    def adasum(self, name, value):
        self.seen.append(("adasum", name, str(value.dtype)))
        return value * 100

    def join(self):
        self.seen.append(("join",))

    def watch(self, lost):
        raise AssertionError("nobody is lost")

    def fail(self):
        raise AssertionError("nobody fails")

    def close(self):
        self.seen.append(("close",))


@contextlib.contextmanager
def as_rank(rank, monkeypatch):
    monkeypatch.delenv("TFMINI_RANKS", raising=False)
    monkeypatch.setattr(basics, "_places", [RankInfo(rank, ("a:1", "b:1"))])
    result = BesideTen(rank)
    running.append(result)
    with tf.Graph().as_default():
        yield result
    running.clear()


def run(fetches, feeds=None):
    with tf.Session(config=tf.ConfigProto(allow_soft_placement=True)) as session:
        session.run([tf.global_variables_initializer(), tf.local_variables_initializer()])
        return session.run(fetches, feeds)


def shown(values):
    return tf.nest.map_structure(lambda x: x.tolist() if hasattr(x, "tolist") else x, values)
