"""`TFMINI_DEBUG=gpu` logs of a step, node by node and captured.

`python -m ci.commands.benchmarks.gpu_step_logs`: for ResNet-20 and the dynamic LSTM, at the sizes of `ci/bench gpu`.
"""

import contextlib
import io
import logging
import re

import tfmini as tf
from ci.commands.benchmarks import gpu_lstms, gpu_networks
from tfmini._src.compiler.program import debug

STEPS = 5
MODELS = {
    "ResNet-20, NHWC": lambda tf: gpu_networks.tfmini_step(tf, "resnet_20", "NHWC"),
    "dynamic LSTM": gpu_lstms.dynamic_step,
}


def capture_logs(build):
    """The logs of the second step and of the last."""
    before, debug.FLAGS = debug.FLAGS, frozenset({"gpu"})
    said = io.StringIO()
    try:
        with contextlib.redirect_stderr(said), tf.Graph().as_default(), tf.Session() as session:
            step = build(tf)
            session.run(tf.global_variables_initializer())
            for _ in range(STEPS):
                session.run(step)
    finally:
        debug.FLAGS = before
    runs = re.split(r"(?=<tfmini plan)", said.getvalue())
    return runs[1 - STEPS] + runs[-1]


def main():
    logging.getLogger("tensorflow").setLevel(logging.ERROR)
    for name, build in MODELS.items():
        text = capture_logs(build)
        print(f"{name}:\n{text}\n{name}: {text.count(chr(10))} lines", flush=True)


if __name__ == "__main__":
    main()
