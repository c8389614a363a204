"""Files of each readable kind, and damage to them: for `test_damaged_files`, and for longer runs.

`python -m tests.conformance.damaged_files [COUNT] [SEED] [KIND ...]` tries COUNT changes of each kind
with limited memory, and prints the outcomes.
"""

import collections
import itertools
import random
import resource
import shutil
import signal
import sys
import tempfile
import time
from pathlib import Path

import tfmini as tf
from tests.formats.test_checkpoint_damage import sealed
from tfmini._src.base import proto
from tfmini._src.formats.table import Table
from tfmini._src.ops.files.save_restore_v2 import open_checkpoint
from tfmini._src.programs.cli.inspect import inspect_path
from tfmini._src.programs.cli.reports import as_text
from tfmini._src.train.meta_graph.write_graph import errors_with_path

GOLDEN = Path(__file__).resolve().parents[1] / "golden"
# Expected errors of a damaged file; for graphs, TensorFlow's errors for invalid graphs.
ERRORS = (tf.errors.OpError, ValueError)
GRAPH_ERRORS = (*ERRORS, TypeError, KeyError, OSError, RuntimeError, *proto.parse_errors())


def damaged(data, chance):
    """The bytes with some changed, removed, inserted, doubled or truncated."""
    made = bytearray(data)
    for _ in range(chance.choice([1, 1, 1, 3])):
        place = chance.randrange(len(made) + 1)
        how = chance.randrange(8)
        if how < 2 and place < len(made):
            made[place] ^= 1 << chance.randrange(8)
        elif how < 4 and place < len(made):
            made[place] = chance.randrange(256)
        elif how == 4:
            made[place : place + chance.randrange(9)] = chance.randbytes(chance.randrange(9))
        elif how == 5:  # huge lengths and sizes
            made[place : place + chance.randrange(10)] = b"\xff" * chance.randrange(10) + b"\x7f"
        elif how == 6:
            other = chance.randrange(len(made) + 1)
            made[place:place] = made[other : other + chance.randrange(64)]
        elif chance.random() < 0.3:
            del made[place:]
    return bytes(made)


def damaged_table(data, chance):
    """A table with valid checksums and damaged entries."""
    entries = list(Table(data, "table").items())
    for _ in range(chance.choice([1, 1, 3])):
        i = chance.randrange(len(entries))
        key, value = entries[i]
        entries[i] = (
            (key, damaged(value, chance))
            if chance.random() < 0.8
            else (damaged(key, chance), value)
        )
    return sealed(entries)


EXTREMES = [0, 1, -1, 2, 7, 255, 1 << 20, (1 << 31) - 1, -(1 << 31)]


def _parts(message, found):
    """All set fields in a message, as (message, field)."""
    for field, value in message.ListFields():
        found.append((message, field))
        if field.message_type is None:
            continue
        if not field.is_repeated:
            _parts(value, found)
        elif field.message_type.GetOptions().map_entry:
            if field.message_type.fields_by_name["value"].message_type is not None:
                for _, each in sorted(value.items()):
                    _parts(each, found)
        else:
            for each in value:
                _parts(each, found)
    return found


def _other(field, value, chance):
    """Another value for a non-message field."""
    if isinstance(value, bytes):
        return damaged(value, chance)
    if isinstance(value, str):
        return chance.choice(["", "x", "a/b:0", "^x", value + "_1", value[1:], value[::-1]])
    if isinstance(value, float):
        return chance.choice([0.0, float("nan"), float("inf"), -value])
    if isinstance(value, bool):
        return not value
    wide = [1 << 40, (1 << 62) + 1, -(1 << 62)] if field.cpp_type == field.CPPTYPE_INT64 else []
    return chance.choice([*EXTREMES, *wide, value + 1])


def damaged_message(kind):
    """Changes fields of a message type: replaces, removes, doubles or reorders values."""

    def change(data, chance):
        message = kind.FromString(data)
        for _ in range(chance.choice([1, 1, 2])):
            owner, field = chance.choice(_parts(message, []))
            value = getattr(owner, field.name)
            if chance.random() < 0.15:
                owner.ClearField(field.name)
            elif not field.is_repeated:
                if field.message_type is None:
                    setattr(owner, field.name, _other(field, value, chance))
            elif field.message_type is not None and field.message_type.GetOptions().map_entry:
                del value[chance.choice(sorted(value))]
            else:
                i = chance.randrange(len(value))
                if field.message_type is None and chance.random() < 0.5:
                    value[i] = _other(field, value[i], chance)
                elif chance.random() < 0.5:
                    del value[i]
                else:
                    value.append(value[i])
        return message.SerializeToString()

    return change


class Kind:
    """A kind of file: the folder's contents, the damaged file, the kind of damage, and the reader."""

    def __init__(self, files, target, use, errors=ERRORS, change=damaged):
        self.files = files
        self.target = target
        self.use = use
        self.errors = errors
        self.change = change

    def lay_out(self, folder):
        for name, data in self.files.items():
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            (folder / name).write_bytes(data)

    def inspected(self):
        """The same files, read by `inspect`."""

        def use(folder):
            target = folder / self.target
            as_text(inspect_path(str(folder if target.parent != folder else target)))

        return Kind(self.files, self.target, use, ERRORS, self.change)

    def outcome(self, folder, chance):
        """Damages the file and reads it: returns the error or None, and raises unexpected ones."""
        path = folder / self.target
        path.write_bytes(self.change(self.files[self.target], chance))
        try:
            with tf.Graph().as_default():
                self.use(folder)
        except self.errors as error:
            return error
        return None


def golden(*names):
    return {Path(name).name: (GOLDEN / name).read_bytes() for name in names}


def read_checkpoint(prefix):
    reader = tf.train.NewCheckpointReader(str(prefix))
    reader.debug_string()
    for name in sorted(reader.get_variable_to_shape_map()):
        reader.get_tensor(name)


def load_served(folder):
    with tf.Session() as session:
        tf.saved_model.loader.load(session, ["serve"], str(folder))


def records(compression=""):
    name = "records" + (f".{compression.lower()}" if compression else "")

    def use(folder):
        for _ in tf.python_io.tf_record_iterator(str(folder / name), compression):
            pass

    return Kind(golden(f"records/{name}"), name, use)


def graphs():
    """A graph as meta graph and SavedModel, both binary and as text, and as a frozen graph."""
    with tf.Graph().as_default(), tf.Session() as session:
        v = tf.Variable([0.5, 2.0], name="v")
        x = tf.placeholder(tf.float32, [None, 2], name="x")
        loop = tf.while_loop(lambda i, _: i < 3, lambda i, y: (i + 1, y * v), [0, x])[1]
        y = tf.identity(tf.cond(tf.reduce_sum(x) > 1.0, lambda: loop, lambda: x - v), name="y")
        tf.add_to_collection("texts", tf.constant(["a", "b"]))
        session.run(tf.global_variables_initializer())
        meta_graph = tf.train.export_meta_graph(saver_def=tf.train.Saver().saver_def)
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "served"
            tf.saved_model.simple_save(session, str(path), {"x": x}, {"y": y})
            served = {
                str(f.relative_to(path)): f.read_bytes() for f in path.rglob("*") if f.is_file()
            }
        frozen = tf.graph_util.convert_variables_to_constants(session, meta_graph.graph_def, ["y"])
    message = proto.SavedModel.FromString(served["saved_model.pb"])
    text_files = {name: data for name, data in served.items() if name != "saved_model.pb"}
    text_files["saved_model.pbtxt"] = str(message).encode()

    def import_meta(folder):
        tf.train.import_meta_graph(str(folder / "m.meta"))

    def import_frozen(folder):
        with tf.gfile.GFile(str(folder / "frozen.pb"), "rb") as file, errors_with_path(file.name):
            tf.import_graph_def(tf.GraphDef.FromString(file.read()))

    meta = {"m.meta": meta_graph.SerializeToString()}
    pb = {"frozen.pb": frozen.SerializeToString()}
    by_field = {
        "meta graph by its fields": (meta, "m.meta", import_meta, tf.MetaGraphDef),
        "SavedModel by its fields": (served, "saved_model.pb", load_served, proto.SavedModel),
        "frozen graph by its fields": (pb, "frozen.pb", import_frozen, tf.GraphDef),
    }
    return {
        "meta graph": Kind(meta, "m.meta", import_meta, GRAPH_ERRORS),
        "meta graph as text": Kind(
            {"m.meta": str(meta_graph).encode()}, "m.meta", import_meta, GRAPH_ERRORS
        ),
        "SavedModel": Kind(served, "saved_model.pb", load_served, GRAPH_ERRORS),
        "SavedModel as text": Kind(text_files, "saved_model.pbtxt", load_served, GRAPH_ERRORS),
        "variables of a SavedModel": Kind(served, "variables/variables.index", load_served),
        "frozen graph": Kind(pb, "frozen.pb", import_frozen, GRAPH_ERRORS),
        **{
            name: Kind(files, target, use, GRAPH_ERRORS, damaged_message(message))
            for name, (files, target, use, message) in by_field.items()
        },
    }


def kinds():
    """All kinds by name."""
    bundle = golden("checkpoints/bundle.index", "checkpoints/bundle.data-00000-of-00001")
    old = golden("checkpoints/old")
    state = {
        "checkpoint": b'model_checkpoint_path: "bundle"\nall_model_checkpoint_paths: "bundle"\n'
    }

    def two(folder):
        read_checkpoint(folder / "bundle")

    def one(folder):
        checkpoint = open_checkpoint(str(folder / "old"))
        for name in checkpoint.names:
            checkpoint.read(name)

    def latest(folder):
        prefix = tf.train.latest_checkpoint(str(folder))
        if prefix is not None:
            read_checkpoint(prefix)

    def events(folder):
        for _ in tf.train.summary_iterator(str(folder / "events")):
            pass

    found = {
        "index": Kind(bundle, "bundle.index", two),
        "index with checksums": Kind(bundle, "bundle.index", two, change=damaged_table),
        "shard": Kind(bundle, "bundle.data-00000-of-00001", two),
        "version 1": Kind(old, "old", one),
        "version 1 with checksums": Kind(old, "old", one, change=damaged_table),
        "state": Kind({**bundle, **state}, "checkpoint", latest),
        "records": records(),
        "records in gzip": records("GZIP"),
        "records in zlib": records("ZLIB"),
        "events": Kind(golden("records/events"), "events", events),
        **graphs(),
    }
    for name, kind in list(found.items()):
        if name not in ("shard", "variables of a SavedModel"):
            found[f"{name}, inspected"] = kind.inspected()
    return found


def main(count=1000, seed=0, *names):
    """Tries `count` changes of each kind, in bounded memory and time."""
    tf.logging.set_verbosity(tf.logging.FATAL)
    resource.setrlimit(resource.RLIMIT_AS, (3 << 30, 3 << 30))
    chosen = {name: kind for name, kind in kinds().items() if not names or name in names}
    for name, kind in chosen.items():
        chance, slowest, counts = random.Random(int(seed)), 0.0, collections.Counter()
        folder = Path(tempfile.mkdtemp())
        kind.lay_out(folder)
        for number in range(int(count)):
            start = time.perf_counter()
            signal.alarm(30)
            try:
                error = kind.outcome(folder, chance)
                label = "read" if error is None else type(error).__name__
                if error is not None and folder.name not in str(error):
                    label += " without the file"
                    if counts[label] < 3:
                        print("   ", name, number, type(error).__name__, str(error)[:300])
            except BaseException as error:
                label = f"RAW {type(error).__name__}"
                if counts[label] < 3:
                    print("   ", name, number, repr(error)[:300])
                    shutil.copy(
                        folder / kind.target, f"/tmp/raw-{name.replace(' ', '-')}-{seed}-{number}"
                    )
            signal.alarm(0)
            counts[label] += 1
            slowest = max(slowest, time.perf_counter() - start)
        peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss >> 10
        print(
            f"{name}: {dict(counts.most_common())}, slowest {slowest:.2f} s, peak {peak} MB",
            flush=True,
        )
        shutil.rmtree(folder)


if __name__ == "__main__":
    main(*itertools.chain(sys.argv[1:]))
