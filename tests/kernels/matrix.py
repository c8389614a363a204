"""All kernels compiled for each architecture: `python -m tests.kernels.matrix [ARCHITECTURE ...]` (`ci/kernels`).

It prints a line for a file and architecture with the most registers of a thread, and fails for warnings, values that
do not fit the registers and blocks that have too few. What has compiled is remembered below build/ by its text, its
options and the compiler, so that it is compiled once.
"""

import hashlib
import json
import os
import sys
from collections.abc import Iterable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from tests.cuda_on_cpu import compile_module
from tests.kernels import compilers
from tfmini.backend.gpu import sources

_KEPT = Path(__file__).parents[2] / "build" / "compiled_kernels"


def checked(name: str, architecture: str) -> tuple[int, list[str]]:
    """The most registers of a thread in kernels/NAME.cu, and what is wrong with it."""
    text = sources.text(name)
    version = compilers.version()
    key = "\0".join([text, version, architecture, *sources.OPTIONS, *compilers.ADDED_BY_CUPY])
    kept = _KEPT / f"{name}-{hashlib.sha256(key.encode()).hexdigest()[:24]}.json"
    if kept.exists():
        most, wrong = json.loads(kept.read_text(encoding="utf-8"))
        return most, wrong
    _, log = compilers.compiled(text, architecture)
    module = compile_module(text, sources.OPTIONS)
    found = compilers.registers(log)
    result = max(found.values()), compilers.complaints(log, module.most_threads)
    _KEPT.mkdir(parents=True, exist_ok=True)
    kept.write_text(json.dumps(result), encoding="utf-8")
    return result


def main(architectures: Iterable[str]) -> int:
    """The exit status: 1 if anything is wrong."""
    if not (compilers.nvrtc() or compilers.nvcc()):
        print(
            "ci/kernels: needs NVRTC (pip install 'tfmini[dev]') or nvcc on PATH", file=sys.stderr
        )
        return 1
    print(f"compiled by {compilers.version()}")
    jobs = [(name, a) for a in architectures for name in sources.names()]
    status = 0
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        for (name, architecture), (most, wrong) in zip(jobs, pool.map(checked, *zip(*jobs))):
            print(
                f"{architecture:7} {name:12} {most:4} registers",
                *wrong,
                sep="\n    " if wrong else " ",
            )
            status |= bool(wrong)
    return status


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:] or compilers.ARCHITECTURES))
