"""`python -m tests.support.hostile COUNT SEED`: runs the cases; exits with status 1 on an unexpected error."""

import collections
import faulthandler
import resource
import sys
import traceback

import numpy as np

import tfmini as tf
from tests.support.hostile.entries import ENTRIES, THRESHOLDS
from tests.support.hostile.makers import MAKERS
from tests.support.hostile.mutations import Meddler, mutate
from tfmini._src.devices.host.native import library

_LIMIT = 60  # seconds per case
_MEMORY = 1 << 29
_EXPECTED = (tf.errors.OpError, ValueError, TypeError)


def run_op(rng, meddler):
    """Runs an op with valid or mutated input in a session; returns the outcome."""
    name, inputs, attrs = MAKERS[int(rng.integers(len(MAKERS)))](rng)
    is_valid = rng.random() < 0.4
    if not is_valid:
        inputs, attrs = mutate(rng, inputs, attrs)
    meddler.targets = [] if is_valid else [np.asarray(a) for a in inputs.values()]
    with tf.Graph().as_default(), tf.Session() as session:
        try:
            fed = {k: tf.placeholder(np.asarray(v).dtype) for k, v in inputs.items()}
            result = getattr(tf.raw_ops, name)(**fed, **attrs)
            feeds = {fed[k]: v for k, v in inputs.items()}
            for _ in range(1 if is_valid else 2):
                session.run(result, feeds)
        except _EXPECTED as error:
            if is_valid or isinstance(error, tf.errors.InternalError):
                raise RuntimeError(f"{name} {_describe(inputs)} {attrs}") from error
            return "refused"
        finally:
            meddler.targets = []
    return "valid" if is_valid else "computed"


def _describe(inputs):
    return {k: (np.shape(v), np.asarray(v).dtype.name) for k, v in inputs.items()}


def run_entry(rng, meddler):
    """Runs a native entry point with concurrently modified ids; returns the outcome."""
    targets, call = ENTRIES[int(rng.integers(len(ENTRIES)))](rng)
    meddler.targets = targets
    for _ in range(4):
        call()
    meddler.targets = []
    return "entry"


def limit_memory():
    """Limits memory to slightly more than the current use, so that huge allocations fail; sanitizer builds use
    options.
    """
    if library.build_name() != "sanitized":
        with open("/proc/self/statm") as file:
            now = int(file.read().split()[0]) * resource.getpagesize()
        resource.setrlimit(resource.RLIMIT_AS, (now + _MEMORY, resource.RLIM_INFINITY))


def main(count, seed):
    faulthandler.enable()
    limit_memory()
    for module, name in THRESHOLDS:
        setattr(module, name, 1)
    sys.setswitchinterval(1e-4)
    meddler = Meddler(seed)
    meddler.start()
    outcomes, failures = collections.Counter(), 0
    for i in range(count):
        faulthandler.dump_traceback_later(_LIMIT, exit=True)
        rng = np.random.default_rng([seed, i])
        try:
            outcomes[(run_entry if rng.random() < 0.25 else run_op)(rng, meddler)] += 1
        except Exception:
            failures += 1
            print(f"case {i} of seed {seed}:")
            traceback.print_exc(limit=-3, file=sys.stdout)
        faulthandler.cancel_dump_traceback_later()
    meddler.stop()
    print(f"{count} cases of seed {seed} on the build '{library.build_name()}': {dict(outcomes)},")
    print(f"{failures} that end as no program expects")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main(int(sys.argv[1]), int(sys.argv[2])))
