"""CuPy and cuBLAS operations that a stream can capture: `python -m tests.on_gpus.captures`, a line each.

Fails if tfmini's own work is rejected, or returns another result when replayed.
"""

import os
import sys

import numpy as np

from tfmini._src.devices.cuda import cuda_graph
from tfmini._src.devices.cuda.active_gpus import ActiveGpus
from tfmini._src.devices.cuda.concat import join
from tfmini._src.devices.cuda.process_gpus import session_gpus


def captures():
    """Captures some work and launches it twice; yields its name and outcome."""
    (gpu,) = list(session_gpus(None, "").values())[:1]
    xp = gpu.xp
    with ActiveGpus([gpu]):
        nine = [xp.arange(6, dtype="f").reshape(2, 3) + n for n in range(9)]
        square = xp.arange(16, dtype="f").reshape(4, 4)
        work = {
            "concatenate of 9, of CuPy": lambda: xp.concatenate(nine),
            "concatenate of 9, of our own": lambda: join(xp, nine, 0),
            "matmul, of CuPy": lambda: square @ square,
            "product, of our own": lambda: gpu.products.multiply(square, square, False, False),
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


def is_wrong(name, result):
    """Whether tfmini relies on the failing operation."""
    return "ANOTHER" in result or (name.endswith("our own") and result.startswith("refused"))


def main():
    os.environ.setdefault("TF_FORCE_GPU_ALLOW_GROWTH", "true")
    wrong = 0
    for name, result in captures():
        print(f"{name:30} {result}", flush=True)
        wrong += is_wrong(name, result)
    sys.exit(int(wrong > 0))


if __name__ == "__main__":
    main()
