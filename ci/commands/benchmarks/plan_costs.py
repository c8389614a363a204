"""Measures the cost of allocations and feeds in a step, which planning ahead could save.

    python -m ci.commands.benchmarks.plan_costs              page faults of a training step, feed conversions
    python -m ci.commands.benchmarks.plan_costs mlp lenet    only these models

CPU time is of the calling thread for feeds, of the process for steps: other load hardly affects it.
"""

import resource
import sys
import time

import numpy as np

import ci.commands.benchmarks.worker  # noqa: F401  it registers the workloads
import tfmini as tf
from ci.commands.benchmarks.memories import MODELS
from ci.commands.benchmarks.workloads import STEADY

# Feeds: the shape of a batch, float32 unless its name ends in "ids".
FEEDS = {
    "digits": (128, 784),
    "small images": (64, 32, 32, 3),
    "large images": (32, 224, 224, 3),
    "ids": (128, 80),
}


def faults(name, seconds=2.0):
    """Minor page faults, and user and system CPU milliseconds, of one step."""
    with tf.Graph().as_default():
        step = STEADY[name](tf)
        for _ in range(8):
            step.run()
        count, before, begin = 0, resource.getrusage(resource.RUSAGE_SELF), time.perf_counter()
        while time.perf_counter() - begin < seconds:
            step.run()
            count += 1
        after = resource.getrusage(resource.RUSAGE_SELF)
    spent = [(after[n] - before[n]) / count for n in range(2)]
    return (after.ru_minflt - before.ru_minflt) / count, *(1e3 * part for part in spent)


def least(call, times):
    """CPU microseconds of the calling thread, the minimum of some rounds."""
    rounds = []
    for _ in range(7):
        begin = time.thread_time()
        for _ in range(times):
            call()
        rounds.append((time.thread_time() - begin) / times)
    return 1e6 * min(rounds)


def conversions(name):
    """The time of `run` for a fed batch in each common form, by form."""
    is_ids = name.endswith("ids")
    batch = np.random.RandomState(0).rand(*FEEDS[name]) * 100
    batch = batch.astype("i" if is_ids else "f")
    forms = {"as it is": batch, "64 bits": batch.astype("q" if is_ids else "d")}
    if not is_ids:
        forms["uint8"] = batch.astype("B")
    if batch.size < 1_000_000:
        forms["lists"] = batch.tolist()
    with tf.Graph().as_default(), tf.Session() as session:
        fed = tf.placeholder(tf.int32 if is_ids else tf.float32, [None, *FEEDS[name][1:]])
        size = tf.shape(fed)[0]
        return {
            form: least(
                lambda value=value: session.run(size, {fed: value}), 2 if form == "lists" else 20
            )
            for form, value in forms.items()
        }


def main():
    for name in sys.argv[1:] or MODELS:
        count, user, system = faults(name)
        print(
            f"{name:18} {count:8.1f} faults a step, {user:8.2f} ms and {system:6.2f} ms", flush=True
        )
    for name in FEEDS:
        spent = ", ".join(f"{form} {taken:.0f} us" for form, taken in conversions(name).items())
        print(f"{name:18} {spent}", flush=True)


if __name__ == "__main__":
    main()
