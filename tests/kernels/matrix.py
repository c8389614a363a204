"""All kernels compiled for each architecture: `python -m tests.kernels.matrix [--groups] [ARCHITECTURE ...]`.

By each NVRTC that a wheel has brought, else by CuPy's or nvcc. It prints a line for a file and architecture with the
most registers of a thread, and fails for warnings, values that do not fit the registers and blocks that have too few.
With --groups the texts that fused groups of the models of `tests.launches` and of the golden programs make are
compiled too. What has compiled is remembered below build/ by its text, its options and the compiler. (`ci/kernels`)
"""

import hashlib
import json
import os
import sys
from collections.abc import Callable, Iterable, Mapping
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from tests.cuda_on_cpu import compile_module
from tests.kernels import compilers, groups
from tfmini.backend.gpu import sources

_KEPT = Path(__file__).parents[2] / "build" / "compiled_kernels"
_GROUP_THREADS = 512  # of the largest block that a generated kernel is started with

Compile = Callable[[str, str, tuple[str, ...]], tuple[bytes, str]]


def checked(
    name: str, text: str, architecture: str, version: str, compile_text: Compile
) -> tuple[int, list[str]]:
    """The most registers of a thread of a text's kernels, and what is wrong with it."""
    key = "\0".join([text, version, architecture, *sources.OPTIONS, *compilers.ADDED_BY_CUPY])
    kept = _KEPT / f"{name}-{hashlib.sha256(key.encode()).hexdigest()[:24]}.json"
    if kept.exists():
        most, wrong = json.loads(kept.read_text(encoding="utf-8"))
        return most, wrong
    _, log = compile_text(text, architecture, sources.OPTIONS)
    found = compilers.registers(log)
    if name == "group":
        threads = dict.fromkeys(found, _GROUP_THREADS)
    else:
        threads = compile_module(text, sources.OPTIONS).most_threads
    result = max(found.values()), compilers.complaints(log, threads)
    _KEPT.mkdir(parents=True, exist_ok=True)
    kept.write_text(json.dumps(result), encoding="utf-8")
    return result


def found_compilers() -> Mapping[str, Compile]:
    """What compiles, by version."""
    if compilers.wheels():
        return {library.version: library.compiled for library in compilers.wheels()}
    if compilers.nvrtc() or compilers.nvcc():
        return {compilers.version(): compilers.compiled}
    return {}


def main(architectures: Iterable[str], texts: list[tuple[str, str]]) -> int:
    """The exit status: 1 if anything is wrong. texts: the kind of each and the text."""
    found = found_compilers()
    if not found:
        print(
            "ci/kernels: needs NVRTC (pip install 'tfmini[dev]') or nvcc on PATH", file=sys.stderr
        )
        return 1
    status = 0
    for version, compile_text in found.items():
        print(f"compiled by {version}")
        jobs = [
            (name, text, a, version, compile_text) for a in architectures for name, text in texts
        ]
        most: dict[tuple[str, str], list[int]] = {}
        with ThreadPoolExecutor(os.cpu_count()) as pool:
            for (name, _, architecture, *_), (used, wrong) in zip(
                jobs, pool.map(checked, *zip(*jobs))
            ):
                most.setdefault((architecture, name), []).append(used)
                for complaint in wrong:
                    print(f"{architecture:7} {name:12} {complaint}")
                status |= bool(wrong)
        for (architecture, name), used in most.items():
            several = f", the most of {len(used)} texts" if len(used) > 1 else ""
            print(f"{architecture:7} {name:12} {max(used):4} registers{several}")
    return status


def files() -> list[tuple[str, str]]:
    """The files of kernels."""
    return [(name, sources.text(name)) for name in sources.names()]


if __name__ == "__main__":
    given = [word for word in sys.argv[1:] if word != "--groups"]
    wanted = files()
    if "--groups" in sys.argv:
        wanted += [("group", text) for text in groups.joined(groups.texts())]
    sys.exit(main(given or compilers.ARCHITECTURES, wanted))
