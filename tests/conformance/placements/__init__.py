"""Programs whose nodes TensorFlow 1.15.5 has placed, by area.

A case is a function of a module here, `case(tf)`, that builds a graph; the graph of a generator is placed at each
`yield` and at the end. The module's DEVICES specify the machine: {"CPU": n} for the CPUs of one process, {"CPU": 1,
"GPU": n} for a machine with GPUs, a dict of jobs for a cluster (one CPU per task, the session on the last one). The
placement log is recorded, in order, or the error. Runs under TensorFlow 1.15.5 on Python 3.7 and under tfmini.
"""

import inspect
import os
import tempfile

from tests.conformance import bad_input
from tests.support import goldens, snippets

HERE = os.path.dirname(os.path.abspath(__file__))
ABSENT = ("XLA_CPU", "XLA_GPU")  # device types that only TensorFlow has


def soft(case):
    """A case that is placed with allow_soft_placement."""
    case.soft = True
    return case


def path_of_golden(name):
    return goldens.golden_path("placements", name + ".json.xz")


def golden(name):
    return goldens.read(path_of_golden(name))


def needs_gpu_kernels(module):
    """Whether only tensorflow-gpu can place the module's cases."""
    return "GPU" in module.DEVICES


def placed(tf, case, place):
    """The outcome of a case: the lines of the log, or its error. `place(graph)` places."""
    with tf.Graph().as_default() as graph, tempfile.TemporaryFile() as file:
        try:
            with snippets.capture_output((1,), file):
                made = case(tf)
                for _ in made if inspect.isgenerator(made) else ():
                    place(graph)
                place(graph)
        except Exception as error:
            return {"error": described(case, error)}, error
        file.seek(0)
        text = file.read().decode("utf8")
    return {"log": [line for line in text.splitlines() if " (" in line]}, None


def described(case, error):
    row = {"class": type(error).__name__, "text": bad_input.text_of(error)}
    if getattr(error, "op", None) is not None:
        row["node"] = error.op.name
        lines = [frame[1] for frame in error.op.traceback if frame[0].startswith(HERE)]
        row["line"] = lines[-1] - case.__code__.co_firstlineno if lines else None
    return row


def written(tf, module):
    """The record of a module's cases, made with TensorFlow itself."""
    config = tf.ConfigProto(log_device_placement=True)
    target, keep = "", []
    if needs_gpu_kernels(module):
        from tests.conformance.placements import _machine  # noqa: PLC0415  (needs grpc)

        keep, target = _machine.start(tf, module.DEVICES)
    elif "CPU" in module.DEVICES:
        config.device_count.update(module.DEVICES)
    else:
        cluster = tf.train.ClusterSpec(module.DEVICES)
        for job in cluster.jobs:
            for task in range(cluster.num_tasks(job)):
                keep.append(tf.train.Server(cluster, job_name=job, task_index=task))
        target = keep[-1].target
    rows = {}
    for name, case in bad_input.cases(module):
        config.allow_soft_placement = getattr(case, "soft", False)
        rows[name], _ = placed(tf, case, Run(tf, target, config))
    with tf.Session(target, config=config) as session:
        names = [device.name for device in session.list_devices()]
    present = [name for name in names if name.split(":")[-2] not in ABSENT]
    return {"devices": sorted(present), "cases": rows}


class Run:
    """Places a graph by running its first operation, always in one session."""

    def __init__(self, tf, target, config):
        self.tf, self.target, self.config = tf, target, config
        self.session = None

    def __call__(self, graph):
        if self.session is None:
            self.session = self.tf.Session(self.target, graph=graph, config=self.config)
        try:
            self.session.run(graph.get_operations()[0])
        except self.tf.errors.InvalidArgumentError as error:
            if "You must feed a value" not in str(error):  # after placement is complete
                raise
        except self.tf.errors.UnimplementedError:  # of the simulated machine
            pass
