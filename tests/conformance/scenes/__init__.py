"""Scenes: short multi-step programs. Everything that they return, log, raise, write and leave behind, in order, is
compared with TensorFlow's recording.

A scene is a function of `tf` and a Stage in one of these files, whose names begin with the test folder's. It runs in
its own graph and folders, also under TensorFlow 1.15.5 on Python 3.7: `ci/record FILE` records a file with it.
Expected errors belong in `attempt` or `failing`: a scene itself must not raise.
`python -m tests.conformance.scenes FILE [SCENE]` prints a scene's output, with either Python.
"""

import contextlib
import functools
import glob
import importlib
import logging
import math
import os
import random
import re
import tempfile
import warnings
import zlib

import numpy as np

from tests.conformance.short_programs import IN_NO_ORDER
from tests.support import goldens, recorded
from tests.support.programs import recording, traced_names
from tests.support.programs.wording import of_any_python, scrub

TOLERANCE = 1e-5

# Dropped log messages: warnings issued once per process, and messages of only one implementation.
_ASIDE = re.compile(
    "deprecated|serializing|to_proto|It seems that global step|NVIDIA|should_trigger|Starting evaluation|"
    "The extra `onednn`|built by an older tfmini|CUDA failed to initialize:|"
    r"Finished evaluation|^\n|^=====|Unresolved object in checkpoint:|A checkpoint was restored|"
    "all_model_checkpoint_paths|already exists; retrying|Discrepancy between|could not be transformed|From .*:|"
    "Reduce to .* then broadcast|batch_all_reduce:|Efficient allreduce|Some requested devices|"  # the first ten
    "of the watched tensor|on a persistent tape inside its context"
)
_SCALAR = re.compile(r"np\.\w+\(([^()]*)\)")  # as shown by NumPy 2
_CLASS = re.compile(r"<class '(?:\w+\.)+(\w+)'>")
_OF_CALLS = {"_gradient_op_type", "config_proto"}  # of traced functions
_DERIVED = re.compile(r"_\d+(?=_(?:rewritten|grad))")
_BACKWARD = re.compile(r"(?<=__backward_)(.+)_\d+(?=#)")  # contains its function's number
_FLOAT = re.compile(r"(?<![\w.])-?\d+(?:\.\d+(?:e[-+]?\d+)?|e[-+]?\d+)(?![\w.])")
_FUNCTION = re.compile(r"(?<=function_node )(\S+?)_\d+}}")
_NUMBER = re.compile(
    r"(?<=Barrier )_\d+_|(?<=localhost/)_\d+_|'_\d+_"
)  # of an unnamed queue: the number of queues in the process
_OBJECT = re.compile(r"<[\w.]+\.(\w+) object at 0x\w+>")
# Folders: incomplete checkpoints, incomplete and complete exports, Estimators without a model_dir.
_FOLDER = re.compile(r"_temp_[0-9a-f]{32}|temp-(?:b')?\d{10}'?|(?<=/)\d{10}(?=/)|/tmp/tmp\w{8}")
_STRATEGY = re.compile(r"<_?(\w+?)(?:Distribution)?Strategy(?:V1)?>")
_SEVERAL = re.compile(r"2 root error\(s\) found\.\n\s*\(0\) [\w ]+: ")  # whichever replica is first
_IDENTITY = re.compile(
    r"(?<=[( ]id=)\d+|(?<=__inference_<lambda>_)\d+|[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}"
)
_SECONDS = re.compile(r"\(\d+\.\d+ sec(/step)?\)|(?<=/sec: )\S+|0x[0-9a-f]+")


def _numbered(named):
    """A function's name without its number, and the number."""
    plain = _BACKWARD.sub(r"\1", _DERIVED.sub("#", named.name))
    name, number = re.match(r"(.*?)(?:_(\d+))?$", plain).groups()
    return name, int(number or 0)


def shown(value):
    """A value as one line: dtype, shape and elements of arrays, names of nodes and tensors."""
    if isinstance(value, (np.ndarray, np.generic)):
        if value.dtype.kind in "OSUV":
            return shown(value.tolist())
        numbers = shown(value.tolist())
        return numbers if value.dtype == np.float32 else f"{value.dtype.name} {numbers}"
    if isinstance(value, float):
        text = f"{value:.6g}"
        return text if re.search(r"[.en]", text) else text + ".0"
    if isinstance(value, complex):
        return f"({shown(value.real)}, {shown(value.imag)} i)"
    if type(value).__name__ == "EagerTensor":
        return shown(value.numpy()) if value.dtype.is_numpy_compatible else str(value.dtype)
    if isinstance(value, dict):
        return "{" + ", ".join(f"{shown(k)}: {shown(value[k])}" for k in value) + "}"
    if hasattr(value, "_fields"):
        rows = ", ".join(f"{k}={shown(getattr(value, k))}" for k in value._fields)
        return f"{type(value).__name__}({rows})"
    if isinstance(value, (list, tuple)):
        return ("[%s]" if isinstance(value, list) else "(%s)") % ", ".join(map(shown, value))
    return str(value)


def _in_parts(value):
    if type(value).__name__ == "IndexedSlices":
        return ("slices", value.values, value.indices, value.dense_shape)
    if isinstance(value, (list, tuple)) and not hasattr(value, "_fields"):
        return type(value)(map(_in_parts, value))
    return value


def eager_mode(tf):
    """Context for eager mode."""
    package = "tensorflow" if tf.__name__ == "tensorflow" else "tfmini.compat"
    return importlib.import_module(package + ".python.eager.context").eager_mode()


def unknown(tf, ranked=False):
    """A function that converts a value to a tensor of unknown static shape, or of known rank only."""

    def fed(x):
        x = x if hasattr(x, "dtype") else np.array(x, "i" if np.array(x).dtype == int else None)
        return tf.placeholder_with_default(x, [None] * x.ndim if ranked else None)

    return fed


def with_gradients(tf):
    """Wraps a function to return (its value, the gradients of its fourth power)."""

    def run(function, *inputs):
        result = function(*inputs)
        powers = [tf.real(y * tf.conj(y)) ** 2 for y in tf.nest.flatten(result)]
        return result, tf.gradients(powers, list(inputs))

    return run


def made_node(tf, kind, inputs, dtypes, **attrs):
    """The outputs of a node whose op type has no public function of its own."""
    attrs = {
        k: tf.AttrValue(**{"s" if isinstance(v, bytes) else "type": v}) for k, v in attrs.items()
    }
    inputs = [tf.convert_to_tensor(x) for x in inputs]
    node = tf.get_default_graph().create_op(kind, inputs, dtypes, attrs=attrs)
    return node.outputs[0] if len(dtypes) == 1 else list(node.outputs)


def in_own_graph(scene):
    """Runs the scene in a separate graph, whose nodes are not recorded at the end."""

    @functools.wraps(scene)
    def inside(tf, stage):
        with tf.Graph().as_default():
            scene(tf, stage)

    return inside


class Stage(logging.Handler):
    """Runs a scene and records `say` calls and log messages."""

    def __init__(self, tf, folder):
        super().__init__()
        self.tf, self.folder, self.lines = tf, folder, []

    def emit(self, record):
        if not _ASIDE.search(record.getMessage()):
            self.say(record.levelname, record.getMessage())

    def say(self, *words):
        text = " ".join(map(shown, words)).replace(self.folder, "FOLDER")
        text = text.replace(os.path.dirname(__file__), "SCENES")
        text = _FUNCTION.sub(r"\1}}", _FOLDER.sub("_temp", text))
        text = _NUMBER.sub("'_0_", _OBJECT.sub(r"<\1>", text))
        text = _STRATEGY.sub(r"<\1Strategy>", text)
        text = _CLASS.sub(r"\1", _SCALAR.sub(r"\1", text))
        text = _IDENTITY.sub("N", text)
        self.lines.append(scrub(_SECONDS.sub("N", text.split("\n")[0])).strip())

    def attempt(self, function, *args, **kwargs):
        """Records what a call returns or raises."""
        with self.failing():
            self.say("->", function(*args, **kwargs))

    def ending(self, function):
        """Records what a call returns or raises, including interrupts."""
        with self.failing():
            try:
                self.say("->", function())
            except (KeyboardInterrupt, SystemExit) as error:
                self.say("!!", type(error).__name__, error.args)

    def attempts(self, *functions):
        """Records what each function returns or raises."""
        for function in functions:
            self.attempt(function)

    @contextlib.contextmanager
    def failing(self):
        """Context that records and suppresses an exception."""
        try:
            yield
        except Exception as error:
            text = _SEVERAL.sub("", getattr(error, "message", None) or str(error))
            if text.startswith(
                "in converted code:"
            ):  # AutoGraph's error, with TensorFlow's at its end
                text = re.findall(r"^ +\w+Error: (.*)", text, re.MULTILINE)[-1]
            node = getattr(getattr(error, "op", None), "name", "")
            if "IteratorGetNext" in node:  # TensorFlow looks for the function's node
                node = ""
            self.say("!!", type(error).__name__, text.split("\n")[0], *[f"({node})"] * bool(node))

    def nodes(self):
        """Records the names of all nodes in the graph."""
        names = [op.name for op in self.tf.get_default_graph().get_operations()]
        self.say(*[name for name in names if not name.startswith(IN_NO_ORDER)])

    def brief_graph(self, names=True):
        """Records the names of all nodes, and the checksum of the output of `graph`."""
        before = len(self.lines)
        self.graph()
        lines, self.lines[before:] = self.lines[before:], []
        if names:
            self.nodes()
        self.say(len(lines), zlib.crc32("\n".join(lines).encode()))

    def graph(self):
        """Records the whole graph: each node's name, type, inputs and attrs, and the same for its functions."""
        definition = self.tf.get_default_graph().as_graph_def()
        traced_names.normalize(definition)
        for node in definition.node:
            if not node.name.startswith(IN_NO_ORDER):
                self._node(node)
        # Functions are numbered per process, and TensorFlow keeps them unordered.
        for function in sorted(definition.library.function, key=lambda f: _numbered(f.signature)):
            name = _numbered(function.signature)[0]
            if "#" in name:  # as traced, with different nodes
                continue
            self.say("function", name, sorted(function.ret.values()))
            for node in function.node_def:
                self._node(node)

    def _node(self, node):
        attrs = []
        for name, value in sorted(node.attr.items()):
            if name in _OF_CALLS:
                continue
            if value.HasField("tensor"):
                text = str(self.tf.make_ndarray(value.tensor).tolist())
            elif value.HasField("func"):
                text = _numbered(value.func)[0]
            elif value.list.func:
                text = " ".join(_numbered(function)[0] for function in value.list.func)
            elif value.HasField("s"):
                text = str(value.s)
            else:
                text = value.SerializeToString().hex()
            text = text.replace(self.folder, "FOLDER")
            attrs.append(name + "=" + (text if len(text) < 100 else str(zlib.crc32(text.encode()))))
        self.say(node.name, node.op, *node.input, *attrs)

    def each(self, cases, graph=True, **feeds):
        """Records what each function of a dict returns, with tensor values, and optionally its graph; each has its own.

        `graph` is "sum" for large graphs: only the node count and a checksum are recorded.
        Feeds are keyed by placeholder names.
        """
        tf = self.tf
        for name, function in cases.items():
            with tf.Graph().as_default() as its, tf.Session() as session:
                tf.set_random_seed(1)
                self.say(name)
                with self.failing():
                    made = function()
                    leaves = [x for x in tf.nest.flatten(made) if hasattr(x, "graph")]
                    self.say([str(x.shape) for x in leaves if isinstance(x, tf.Tensor)])
                    for key in ("global_variables", "local_variables", "tables"):
                        session.run(getattr(tf, key + "_initializer")())
                    present = {n.name for n in its.as_graph_def().node}
                    feed = {n + ":0": feeds[n] for n in feeds if n in present}
                    self.say(session.run(made, feed) if leaves else made)
                if graph:
                    self.brief_graph(names=graph != "sum")

    def each_eagerly(self, cases):
        """Records what each function of a dict returns in eager mode: values, and the parts of slices."""
        for name, function in cases.items():
            with self.tf.Graph().as_default(), eager_mode(self.tf):
                self.tf.set_random_seed(1)
                self.say(name)
                self.attempt(lambda: _in_parts(function()))  # noqa: B023  called here

    def files(self, folder=None):
        """Records the existing files."""
        folder = folder or self.folder
        names = sorted({re.sub(r"out\.tfevents.*", "", n) for n in os.listdir(folder)})
        self.say("files:", *names)

    def left(self, graph=None):
        """Records the final graph: nodes with a checksum, collections, and state."""
        with (graph or self.tf.get_default_graph()).as_default() as graph:
            self.brief_graph()
            for key, items in recording.collection_items(graph).items():
                self.say(key, *items)
            self.say(*["finalized"] * graph.finalized, graph.seed, graph.get_name_scope() or "-")

    def events(self, folder=None, but=()):
        """Records the contents of event files, except for summaries that threads write at arbitrary times."""
        self.tf.summary.FileWriterCache.clear()
        for path in sorted(glob.glob((folder or self.folder) + "/*tfevents*")):
            for event in self.tf.train.summary_iterator(path):
                kind = event.WhichOneof("what")
                tags = [value.tag for value in event.summary.value]
                if tags and set(tags) <= set(but):
                    continue
                self.say("event", kind, event.step, tags, event.session_log.status)


def model(tf):
    """(training op, loss) of a small model; every step halves the square root of the loss.

    The step counter is incremented after hooks have read it, to make the order deterministic.
    """
    step = tf.train.get_or_create_global_step()
    tf.train.StopAtStepHook(1).begin()  # creates the values that hooks read
    w = tf.Variable([1.0, 2.0], name="w")
    loss = tf.reduce_sum(w * w, name="loss")
    tf.summary.scalar("loss_seen", loss)
    with tf.control_dependencies(tf.get_collection("global_step_read_op_cache")):
        return tf.train.GradientDescentOptimizer(0.25).minimize(loss, global_step=step), loss


def files():
    """The names of the files of scenes."""
    return recording.names_in("conformance/scenes")


def scenes(file):
    """A file's scene functions, by name."""
    found = vars(importlib.import_module("tests.conformance.scenes." + file))
    return {
        name: function
        for name, function in found.items()
        if getattr(function, "__module__", None) == "tests.conformance.scenes." + file
        and name[0] != "_"
        if callable(function) and not isinstance(function, type)
    }


@contextlib.contextmanager
def quiet():
    """Context without Python warnings, such as the one for an unclosed FileWriter."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        yield


def _named(function):
    """A scene's file and name."""
    file = function.__module__.rpartition(".")[2]
    names = [name for name, known in scenes(file).items() if known is function]
    return f"{file} {names[0]}"


def forget_what_was_logged(tf):
    """Resets the limits of messages that are logged once or a few times per process."""
    if tf.__name__ == "tensorflow":
        counted = "tensorflow.python.platform.tf_logging", "_log_counter_per_token"
        once = "tensorflow.python.util.deprecation", "_PRINTED_WARNING"
    else:
        counted = "tfmini._src.base.logs", "_counts"
        once = "tfmini._src.base.names.deprecation", "_warned"
    for module, name in (counted, once):
        getattr(importlib.import_module(module), name).clear()


@contextlib.contextmanager
def _elsewhere():
    """Context in an empty folder, for files that a scene writes by default."""
    before = os.getcwd()
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        try:
            yield
        finally:
            os.chdir(before)


def lines_of(tf, function):
    """The output lines of a scene, which must finish."""
    forget_what_was_logged(tf)
    logger = logging.getLogger("tensorflow")
    level, handlers, propagates = logger.level, logger.handlers, logger.propagate
    with tempfile.TemporaryDirectory() as folder, _elsewhere(), tf.Graph().as_default(), quiet():
        stage = Stage(tf, folder)
        logger.handlers, logger.propagate = [stage], False
        logger.setLevel(logging.INFO)
        tf.set_random_seed(1)
        np.random.seed(1)  # Keras draws seeds from it
        random.seed(1)
        try:
            function(tf, stage)
        except Exception as error:
            raise RuntimeError(
                f"the scene {_named(function)} raised {type(error).__name__}, and what stands behind that did not run: "
                "an error that is meant goes into stage.attempt or stage.failing"
            ) from error
        finally:
            tf.summary.FileWriterCache.clear()
            logger.setLevel(level)
            logger.handlers, logger.propagate = handlers, propagates
        stage.left()
    return stage.lines


def _near(found, wanted):
    """Whether two lines are equal up to the last digits of floats."""
    found, wanted = of_any_python(found), of_any_python(wanted)
    if _FLOAT.sub("", found) != _FLOAT.sub("", wanted):
        return False
    pairs = zip(_FLOAT.findall(found), _FLOAT.findall(wanted))
    return all(
        math.isclose(float(a), float(b), rel_tol=TOLERANCE, abs_tol=TOLERANCE) for a, b in pairs
    )


def check(tf, scene):
    """Fails unless the output of a scene, given as "FILE-NAME", equals the recording."""
    function, wanted = with_record(scene)
    compare(lines_of(tf, function), wanted)


def compare(found, wanted):
    """Fails unless lines are equal up to the last digits of floats."""
    near = [b if _near(a, b) else a for a, b in zip(found, wanted)]
    near += found[len(near) :]
    recorded.same("\n".join(near), "\n".join(wanted))


def path_of_golden(file):
    return goldens.golden_path("scenes", file + ".json.xz")


def write(tf, file):
    """Writes a file's recording: the lines of each scene."""
    record = {name: lines_of(tf, function) for name, function in scenes(file).items()}
    goldens.write(path_of_golden(file), record, sort_keys=True)


def names(room):
    """A folder's scenes, "FILE-NAME" each, from the recordings; scene code is loaded only when it runs."""
    chosen = [file for file in files() if file.startswith(room + "_")]
    return [f"{file}-{name}" for file in chosen for name in goldens.read(path_of_golden(file))]


def with_record(scene):
    """The function of a scene, given as "FILE-NAME", and its recorded lines."""
    file, _, name = scene.partition("-")
    functions, records = _of_file(file)
    differing = functions.keys() ^ records.keys()
    assert not differing, (
        f"{file}: scenes without a record, or records without a scene: {differing}"
    )
    return functions[name], records[name]


@functools.lru_cache(1)  # scenes of one file run sequentially
def _of_file(file):
    return scenes(file), goldens.read(path_of_golden(file))
