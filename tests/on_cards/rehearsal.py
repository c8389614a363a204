"""Stands for Python in `ci/gpu` on a machine without a card: what it runs, it runs on a card of the fake, in small.

python -m tests.on_cards.rehearsal -m tests.on_cards.first probes
"""

import importlib
import os
import sys

from tests.gpus import fake_gpus
from tests.on_cards import convolutions, first
from tfmini._src.programs.cli import device_checks

MODULES = {"tfmini": "tfmini._src.programs.cli"}  # what `python -m` runs of a package


def main():
    os.environ.pop("CUDA_VISIBLE_DEVICES", None)
    device_checks._COPIED = 1 << 16
    device_checks._SIZES = {"float32": 32, "float16": 32}
    first.STEPS = convolutions.STEPS = 6
    convolutions.LARGE.update(batch=2, side=6, depth=4)
    first.SIZES = {"product": 16, "ids": 64, "rows": 50, "units": 4}
    kind, what, *rest = sys.argv[1:]
    with fake_gpus(devices=1):
        if kind == "-c":
            exec(what, {"__name__": "__main__"})
            return
        sys.argv = [what, *rest]
        sys.exit(importlib.import_module(MODULES.get(what, what)).main())


if __name__ == "__main__":
    main()
