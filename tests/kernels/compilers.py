"""NVIDIA's compilers, if installed: nvcc on PATH, NVRTC through CuPy or from a separate wheel."""

import ctypes
import multiprocessing
import re
import shutil
import site
import subprocess
import sys
import tempfile
from concurrent.futures import ProcessPoolExecutor
from functools import cache
from pathlib import Path

from tfmini._src.devices.cuda.kernel_sources import OPTIONS

# Turing, Ampere, Ada, Hopper and Blackwell, in data centres, desktops and small computers.
ARCHITECTURES = (
    *("sm_75", "sm_80", "sm_86", "sm_87", "sm_89", "sm_90"),
    *("sm_100", "sm_103", "sm_110", "sm_120", "sm_121"),
)
# Options that cupy/cuda/compiler.py adds for a RawModule. The first flushes denormal floats to zero.
ADDED_BY_CUPY = ("-ftz=true", "--device-as-default-execution-space")
_REGISTERS = 65536  # of a multiprocessor, shared by its threads


def nvrtc():
    """CuPy's NVRTC bindings, or None if CuPy or the library is missing."""
    try:
        from cupy_backends.cuda.libs import nvrtc as found  # noqa: PLC0415

        found.getVersion()
    except (ImportError, RuntimeError):
        return None
    return found


class Nvrtc:
    """NVRTC from a wheel (nvidia-cuda-nvrtc, nvidia-cuda-nvrtc-cu12), without CuPy or a driver."""

    def __init__(self, path: Path):
        self._library = ctypes.CDLL(str(path))
        major, minor = ctypes.c_int(), ctypes.c_int()
        self._library.nvrtcVersion(ctypes.byref(major), ctypes.byref(minor))
        self.version = f"NVRTC {major.value}.{minor.value}"

    def architectures(self) -> list[str]:
        """The supported architectures."""
        count = ctypes.c_int()
        self._library.nvrtcGetNumSupportedArchs(ctypes.byref(count))
        numbers = (ctypes.c_int * count.value)()
        self._library.nvrtcGetSupportedArchs(numbers)
        return [f"sm_{value}" for value in numbers]

    def compiled(self, text: str, architecture: str, options: tuple[str, ...]) -> tuple[bytes, str]:
        """Like the module's function `compiled`."""
        library, program = self._library, ctypes.c_void_p()
        code = text.encode()
        library.nvrtcCreateProgram(ctypes.byref(program), code, b"kernels.cu", 0, None, None)
        flags = [f"-arch={architecture}", "--ptxas-options=-v", *options, *ADDED_BY_CUPY]
        array = (ctypes.c_char_p * len(flags))(*(option.encode() for option in flags))
        failed = library.nvrtcCompileProgram(program, len(flags), array)
        log = self._got("ProgramLog", program).rstrip(b"\0").decode()
        try:
            if failed:
                raise RuntimeError(log)
            return self._got("CUBIN", program), log
        finally:
            library.nvrtcDestroyProgram(ctypes.byref(program))

    def _got(self, what: str, program: ctypes.c_void_p) -> bytes:
        size = ctypes.c_size_t()
        getattr(self._library, f"nvrtcGet{what}Size")(program, ctypes.byref(size))
        result = ctypes.create_string_buffer(size.value)
        getattr(self._library, f"nvrtcGet{what}")(program, result)
        return result.raw


@cache
def wheels() -> list[Nvrtc]:
    """NVRTC of each version installed as a wheel."""
    folders = [Path(directory) for directory in (*site.getsitepackages(), *sys.path) if directory]
    paths = {path.resolve() for f in folders for path in f.glob("nvidia/*/lib/libnvrtc.so.*")}
    return [Nvrtc(path) for path in sorted(paths, key=str)]


def nvcc() -> str | None:
    """The path of nvcc."""
    return shutil.which("nvcc")


@cache
def version() -> str:
    """The name and version of the compiler that `compiled` uses."""
    found = nvrtc()
    if wheels():
        return wheels()[-1].version
    if found:
        return "NVRTC {}.{}".format(*found.getVersion())
    done = subprocess.run([nvcc(), "--version"], capture_output=True, text=True, check=True)
    return "nvcc " + re.findall(r"release .*", done.stdout)[0]


def architectures(version: str) -> list[str]:
    """The architectures supported by a wheel's NVRTC, by version; [] for another compiler."""
    return [name for each in wheels() if each.version == version for name in each.architectures()]


def compiled(text: str, architecture: str, options: tuple[str, ...] = OPTIONS) -> tuple[bytes, str]:
    """The device code of a source, and the compiler's log; raises RuntimeError with the log."""
    if wheels():
        return wheels()[-1].compiled(text, architecture, options)
    return (_by_nvrtc if nvrtc() else _by_nvcc)(text, architecture, options)


def is_there() -> bool:
    """Whether a compiler is installed."""
    return bool(nvcc()) or _process().submit(_has_nvrtc).result()


def compiled_elsewhere(*args: object) -> tuple[bytes, str]:
    """Like `compiled`, in a separate process: NVRTC takes 45 MB in the process that loads it."""
    return _process().submit(compiled, *args).result()


@cache
def _process() -> ProcessPoolExecutor:
    return ProcessPoolExecutor(1, multiprocessing.get_context("spawn"))


def _has_nvrtc() -> bool:
    return nvrtc() is not None


def _by_nvrtc(text: str, architecture: str, options: tuple[str, ...]) -> tuple[bytes, str]:
    library = nvrtc()
    program = library.createProgram(text, "kernels.cu", (), ())
    try:
        library.compileProgram(
            program, (f"-arch={architecture}", "--ptxas-options=-v", *options, *ADDED_BY_CUPY)
        )
        return library.getCUBIN(program), library.getProgramLog(program)
    except library.NVRTCError as error:
        raise RuntimeError(library.getProgramLog(program)) from error
    finally:
        library.destroyProgram(program)


def _by_nvcc(text: str, architecture: str, options: tuple[str, ...]) -> tuple[bytes, str]:
    with tempfile.TemporaryDirectory() as directory:
        source, result = Path(directory) / "kernels.cu", Path(directory) / "kernels.cubin"
        source.write_text(text, encoding="utf-8")
        mine = [option.replace("--fmad", "-fmad") for option in options]
        command = [nvcc(), f"-arch={architecture}", "-cubin", "-Xptxas=-v", *mine, "-ftz=true"]
        done = subprocess.run(
            [*command, "-o", str(result), str(source)], capture_output=True, text=True, check=False
        )
        if done.returncode:
            raise RuntimeError(done.stdout + done.stderr)
        return result.read_bytes(), done.stdout + done.stderr


def complaints(log: str, max_threads: dict[str, int]) -> list[str]:
    """Problems in a compiler's log: warnings, register spills, and kernels that need more registers than a block of
    `max_threads` has.
    """
    pattern = r"[1-9]\d* bytes spill|warning"
    found = [line.strip() for line in log.splitlines() if re.search(pattern, line)]
    for kernel, count in registers(log).items():
        if count * max_threads[kernel] > _REGISTERS:
            found.append(f"{kernel}: {count} registers for {max_threads[kernel]} threads")
    return found


def registers(log: str) -> dict[str, int]:
    """Registers per thread of each kernel, from the log."""
    found = re.findall(r"entry function '(\w+)'.*?Used (\d+) registers", log, re.DOTALL)
    return {kernel: -(-int(count) // 8) * 8 for kernel, count in found}
