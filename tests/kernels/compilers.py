"""NVIDIA's compilers, where they are: nvcc on PATH, NVRTC from its wheel through CuPy."""

import re
import shutil
import subprocess
import tempfile
from pathlib import Path

from tfmini.backend.gpu.sources import OPTIONS

ARCHITECTURES = ("sm_80", "sm_90")


def nvrtc():
    """CuPy's binding to NVRTC, or None where CuPy or the library is missing."""
    try:
        from cupy_backends.cuda.libs import nvrtc as found  # noqa: PLC0415

        found.getVersion()
    except (ImportError, RuntimeError):
        return None
    return found


def nvcc() -> str | None:
    """The path of nvcc."""
    return shutil.which("nvcc")


def compiled(text: str, architecture: str) -> tuple[bytes, str]:
    """The device's code of a text, and what the compiler says; raises RuntimeError with its log."""
    return (_by_nvrtc if nvrtc() else _by_nvcc)(text, architecture)


def _by_nvrtc(text: str, architecture: str) -> tuple[bytes, str]:
    library = nvrtc()
    program = library.createProgram(text, "kernels.cu", (), ())
    try:
        options = (f"-arch={architecture}", "--ptxas-options=-v", *OPTIONS)
        library.compileProgram(program, options)
        return library.getCUBIN(program), library.getProgramLog(program)
    except library.NVRTCError as error:
        raise RuntimeError(library.getProgramLog(program)) from error
    finally:
        library.destroyProgram(program)


def _by_nvcc(text: str, architecture: str) -> tuple[bytes, str]:
    with tempfile.TemporaryDirectory() as folder:
        source, made = Path(folder) / "kernels.cu", Path(folder) / "kernels.cubin"
        source.write_text(text, encoding="utf-8")
        options = [option.replace("--fmad", "-fmad") for option in OPTIONS]
        command = [nvcc(), f"-arch={architecture}", "-cubin", "-Xptxas=-v", *options]
        done = subprocess.run(
            [*command, "-o", str(made), str(source)], capture_output=True, text=True, check=False
        )
        if done.returncode:
            raise RuntimeError(done.stdout + done.stderr)
        return made.read_bytes(), done.stdout + done.stderr


def complaints(log: str) -> list[str]:
    """The lines of a log on values that do not fit the registers, and warnings."""
    pattern = r"[1-9]\d* bytes spill|warning"
    return [line.strip() for line in log.splitlines() if re.search(pattern, line)]
