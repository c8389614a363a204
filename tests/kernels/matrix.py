"""Compiles all kernels for each architecture: `python -m tests.kernels.matrix [--groups] [ARCHITECTURE ...]`.

Uses each NVRTC installed as a wheel, else CuPy's or nvcc; one process per core. It prints a line per file and
architecture with the maximum registers of a thread, and fails for warnings, register spills, and blocks that exceed
the register file. With --groups, the sources of fused groups of the models of `tests.support.gpu.launches` and of
the golden programs are compiled too, several per compilation. Results are cached below build/, per source, compiler
and options, so that an interrupted run resumes. (`ci/check kernels`)
"""

import hashlib
import json
import os
import sys
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from concurrent.futures import Executor, ProcessPoolExecutor
from pathlib import Path

from tests.kernels import compilers, groups
from tests.support.cuda_on_cpu import compile_module
from tfmini._src.devices.cuda import kernel_sources
from tfmini._src.devices.cuda.launch import MAX_WIDE_THREADS, THREADS

_KEPT = Path(__file__).parents[2] / "build" / "compiled_kernels"
# Threads of the largest block with which a generated kernel is launched.
_THREADS = {"fused": THREADS, "reduced": MAX_WIDE_THREADS}
_TOGETHER = 30  # groups combined in one program

Compile = Callable[[str, str, tuple[str, ...]], tuple[bytes, str]]
Text = tuple[str, str]  # its kind, a file name or "group", and the text
Result = tuple[int, list[str]]  # the maximum registers per thread, and the problem


def checked(texts: list[Text], architecture: str, version: str) -> list[Result]:
    """The result for each source of one compilation."""
    compile_text = found_compilers()[version]
    name, text = texts[0]
    if len(texts) > 1:
        text = groups.joined([text for _, text in texts])
    _, log = compile_text(text, architecture, kernel_sources.OPTIONS)
    result = compilers.registers(log)
    if name == "group":
        threads = {kernel: _THREADS[kernel.partition("_")[0]] for kernel in result}
    else:
        threads = compile_module(text, kernel_sources.OPTIONS).max_threads
    wrong = compilers.complaints(log, threads)
    wrong += [f"{kernel}: not compiled" for kernel in sorted({*threads} - {*result})]
    if len(texts) > 1 and not wrong:
        return [(result[f"fused_{n}"], []) for n in range(len(texts))]
    if len(texts) > 1:  # individually, to find the culprit
        return [checked([one], architecture, version)[0] for one in texts]
    return [(max(result.values()), wrong)]


class Kept:
    """Cached results of sources, one file per architecture and compiler."""

    def __init__(self, architecture: str, version: str):
        options = "\0".join([*kernel_sources.OPTIONS, *compilers.ADDED_BY_CUPY])
        where = hashlib.sha256(options.encode()).hexdigest()[:8]
        name = f"{version.replace(' ', '-')}-{architecture}-{where}.json"
        self._path = _KEPT / name
        self._known: dict[str, Result] = {}
        if self._path.exists():
            self._known = json.loads(self._path.read_text(encoding="utf-8"))

    def get(self, text: Text) -> Result | None:
        """The cached result of a source, or None."""
        return self._known.get(self._key(text))

    def add(self, texts: list[Text], results: list[Result]) -> None:
        """Stores results immediately."""
        self._known.update(zip(map(self._key, texts), results))
        self._path.parent.mkdir(parents=True, exist_ok=True)
        beside = self._path.with_suffix(".new")
        beside.write_text(json.dumps(self._known), encoding="utf-8")
        beside.replace(self._path)

    @staticmethod
    def _key(text: Text) -> str:
        return f"{text[0]}-{hashlib.sha256(text[1].encode()).hexdigest()[:24]}"


def found_compilers() -> Mapping[str, Compile]:
    """The installed compilers, by version."""
    if compilers.wheels():
        return {library.version: library.compiled for library in compilers.wheels()}
    if compilers.nvrtc() or compilers.nvcc():
        return {compilers.version(): compilers.compiled}
    return {}


def parts(texts: Iterable[Text]) -> Iterator[list[Text]]:
    """Splits sources into compilations; group sources are merged."""
    together: list[Text] = []
    for text in texts:
        if text[0] != "group" or not groups.joins(text[1]):
            yield [text]
            continue
        together.append(text)
        if len(together) == _TOGETHER:
            yield together
            together = []
    if together:
        yield together


def results_of(architecture: str, version: str, texts: list[Text], pool: Executor) -> list[Result]:
    """The result of each source, compiled or cached."""
    kept = Kept(architecture, version)
    started = [
        (part, pool.submit(checked, part, architecture, version))
        for part in parts(text for text in texts if kept.get(text) is None)
    ]
    for part, result in started:
        kept.add(part, result.result())
    return [kept.get(text) or (0, ["not compiled"]) for text in texts]


def main(architectures: Iterable[str], texts: list[Text], pool: Executor | None = None) -> int:
    """The exit status: 1 on any problem. pool: the executor; by default, processes."""
    versions = list(found_compilers())
    if not versions:
        print(
            "ci/check kernels: needs NVRTC (pip install 'tfmini-runtime[dev]') or nvcc on PATH",
            file=sys.stderr,
        )
        return 1
    status = 0
    with pool or ProcessPoolExecutor(os.cpu_count()) as pool:
        for version in versions:
            print(f"compiled by {version}")
            known = compilers.architectures(version)
            for architecture in architectures:
                if known and architecture not in known:
                    print(f"{architecture:7} unknown to {version}")
                    continue
                begin = time.monotonic()
                most: dict[str, list[int]] = {}
                results = results_of(architecture, version, texts, pool)
                for (name, _), (used, wrong) in zip(texts, results):
                    most.setdefault(name, []).append(used)
                    for complaint in wrong:
                        print(f"{architecture:7} {name:12} {complaint}")
                    status |= bool(wrong)
                for name, used in most.items():
                    several = f", the most of {len(used)} texts" if len(used) > 1 else ""
                    print(f"{architecture:7} {name:12} {max(used):4} registers{several}")
                seconds = time.monotonic() - begin
                print(f"{architecture:7} {seconds:.0f} seconds", flush=True)
    return status


def files() -> list[Text]:
    """The kernel files."""
    return [(name, kernel_sources.text(name)) for name in kernel_sources.names()]


if __name__ == "__main__":
    given = [word for word in sys.argv[1:] if word != "--groups"]
    wanted = files()
    if "--groups" in sys.argv:
        made, late = groups.all_texts()
        wanted += [("group", text) for text in made]
        for program in late:
            print(f"{program}: its time ran out, only what it had made by then")
    sys.exit(main(given or compilers.ARCHITECTURES, wanted))
