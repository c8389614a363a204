"""The first minutes on a card: what no fake can tell, each with a line.

    python -m tests.on_cards.first probes     what CuPy and cuBLAS let a stream capture
    python -m tests.on_cards.first times      milliseconds of a step of some models, with graphs and without, and what a
                                              step of two of them does

`ci/gpu --first` runs both, between other things.
"""

import contextlib
import io
import logging
import os
import re
import sys
import time

import numpy as np

import tfmini as tf
from tests import launches
from tfmini._src.compiler.program import debug
from tfmini._src.devices.gpu import cuda_graph
from tfmini._src.devices.gpu.active_gpus import ActiveGpus
from tfmini._src.devices.gpu.concat import join
from tfmini._src.devices.gpu.process_gpus import session_gpus

SIZES = {"product": 8192, "ids": 65536, "rows": 100_000, "units": 64}
STEPS = 30


def probes():
    """Captures some work and launches it twice; yields its name and what became of it."""
    (gpu,) = list(session_gpus(None, "").values())[:1]
    xp = gpu.xp
    with ActiveGpus([gpu]):
        nine = [xp.arange(6, dtype="f").reshape(2, 3) + n for n in range(9)]
        square = xp.arange(16, dtype="f").reshape(4, 4)
        work = {
            "concatenate of 9, of CuPy": lambda: xp.concatenate(nine),
            "concatenate of 9, of our own": lambda: join(xp, nine, 0),
            "matmul, of CuPy": lambda: square @ square,
            "product, of our own": lambda: gpu.product(square, square, False, False),
            "argsort": lambda: xp.argsort(square[0]),
            "sum": lambda: square.sum(),
            "sum of rows": lambda: square.sum(1),
            "cumsum": lambda: xp.cumsum(square[0]),
        }
        for name, made in work.items():
            want = xp.asnumpy(made())
            memory = cuda_graph.Memory(gpu, 1 << 20)
            try:
                graph, result = cuda_graph.record(gpu, memory, made)
            except Exception as error:
                yield name, f"refused: {type(error).__name__}: {error}".splitlines()[0]
                continue
            for _ in range(2):
                gpu.launch(graph, memory)
            same = np.array_equal(xp.asnumpy(result), want)
            yield name, "captured, the same result" if same else "captured, ANOTHER RESULT"


def half_product():
    """A product of large matrices of half precision."""
    side = SIZES["product"]
    a = tf.get_variable("a", initializer=tf.random_normal([side, side], dtype=tf.float16))
    return [tf.matmul(a, a).op], {}


def embedding_gradient():
    """Rows of a table, of which half are the row of the padding."""
    ids = np.random.RandomState(0).randint(1, SIZES["rows"], SIZES["ids"])
    ids[::2] = 0
    table = tf.get_variable("table", [SIZES["rows"], SIZES["units"]])
    loss = tf.reduce_sum(tf.square(tf.nn.embedding_lookup(table, tf.constant(ids))))
    gradient = tf.convert_to_tensor(tf.gradients(loss, table)[0])
    return [table.assign_sub(gradient * 1e-3).op], {}


MODELS = (
    launches.mlp,
    launches.dynamic_lstm,
    launches.lenet,
    launches.resnet_20,
    half_product,
    embedding_gradient,
)


def milliseconds(model):
    """Of a step, the median of some; what is captured has been by then."""
    with tf.Graph().as_default(), tf.Session() as session:
        tf.set_random_seed(1)
        fetches, feed = model()
        session.run(tf.global_variables_initializer())
        times = []
        for _ in range(STEPS):
            begin = time.perf_counter()
            session.run(fetches, feed)
            for gpu in session_gpus(None, "").values():
                gpu.compute.synchronize()
            times.append(1e3 * (time.perf_counter() - begin))
        return float(np.median(times[STEPS // 2 :]))


def told(model):
    """The log of `TFMINI_DEBUG=gpu` of a step, node by node and once it is captured."""
    before, debug.FLAGS = debug.FLAGS, frozenset({"gpu"})
    said = io.StringIO()
    try:
        with contextlib.redirect_stderr(said), tf.Graph().as_default(), tf.Session() as session:
            fetches, feed = model()
            session.run(tf.global_variables_initializer())
            for _ in range(5):
                session.run(fetches, feed)
    finally:
        debug.FLAGS = before
    runs = re.split(r"(?=<tfmini plan)", said.getvalue())
    return runs[-4] + runs[-1]  # the second and the last


def main():
    logging.getLogger("tensorflow").setLevel(logging.ERROR)
    os.environ.setdefault("TF_FORCE_GPU_ALLOW_GROWTH", "true")
    if sys.argv[1:] == ["probes"]:
        for name, result in probes():
            print(f"{name:30} {result}", flush=True)
        return
    for model in MODELS:
        found = []
        for switch in ("0", "1"):
            os.environ["TFMINI_CUDA_GRAPHS"] = switch
            found.append(milliseconds(model))
        print(f"{model.__name__:20} {found[0]:8.3f} ms, with graphs {found[1]:8.3f} ms", flush=True)
    for model in (launches.mlp, launches.dynamic_lstm):
        print(f"{model.__name__}:\n{told(model)}", flush=True)


if __name__ == "__main__":
    main()
