"""Times on a GPU: host time until a step is submitted, and wall time until it completes."""

import os
import time
from statistics import median

WARM_UP = 20  # steps
ROUNDS = 5


def host_and_wall(step, synchronize, seconds=1.0, rounds=None):
    """Seconds per step, medians of `rounds` (ROUNDS): {"host": until the calls return, "wall": until the GPU is done}.

    The rounds, each of consecutive steps, take `seconds` in total, or BENCH_SECONDS times as long if that is set. Only
    the end of a round synchronizes, so "host" is close to "wall" if the GPU is faster than the host, and less if it is
    slower.
    """
    rounds = rounds or ROUNDS
    seconds *= float(os.environ.get("BENCH_SECONDS") or 1.0)
    for _ in range(WARM_UP):
        step()
    synchronize()
    begin = time.perf_counter()
    step()
    synchronize()
    count = max(1, int(seconds / rounds / max(1e-6, time.perf_counter() - begin)))
    host, wall = [], []
    for _ in range(rounds):
        begin = time.perf_counter()
        for _ in range(count):
            step()
        host.append((time.perf_counter() - begin) / count)
        synchronize()
        wall.append((time.perf_counter() - begin) / count)
    return {"host": median(host), "wall": median(wall)}
