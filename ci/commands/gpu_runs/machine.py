"""This machine, prepared for a call: its device, the wheels copied along with the tree, the steps' environment."""

from __future__ import annotations

import os
import subprocess
import tempfile
from pathlib import Path

from ci.commands.gpu_runs import steps

ROOT = Path(__file__).resolve().parents[3]


def scratch() -> Path:
    """This machine's folder for installed wheels and caches, shared by successive calls."""
    return Path(tempfile.gettempdir()) / f"tfmini-card-{os.getuid()}"


def device(environment: dict[str, str]) -> str:
    """The name and driver of the first device that nvidia-smi lists, or ""."""
    command = ["nvidia-smi", "--query-gpu=name,driver_version", "--format=csv,noheader"]
    try:
        done = subprocess.run(
            command,
            env=environment,
            capture_output=True,
            text=True,
            check=False,
            timeout=steps.FIND_DEVICE,
        )
    except (FileNotFoundError, subprocess.TimeoutExpired):
        return ""
    return done.stdout.strip().split("\n")[0] if done.returncode == 0 else ""


def commit() -> str:
    """$COMMIT, or git's answer if it is installed."""
    if named := os.environ.get("COMMIT"):
        return named
    command = ["git", "-C", str(ROOT), "rev-parse", "--short", "HEAD"]
    try:
        done = subprocess.run(command, capture_output=True, text=True, check=False)
    except FileNotFoundError:
        return "unknown"
    return done.stdout.strip() or "unknown"


def wheels() -> list[str]:
    """The wheels copied along with the tree: in $WHEELS, or .whl."""
    return sorted(map(str, Path(os.environ.get("WHEELS") or ROOT / ".whl").glob("*.whl")))


def site() -> Path:
    """The folder with these packages, if installed."""
    return scratch() / "site"


def install_wheels(python: str) -> str:
    """Installs them for the steps only, unless already installed; returns pip's error message, or ""."""
    if site().is_dir() or not wheels():
        return ""
    new = site().with_suffix(".new")
    command = [python, "-m", "pip", "install", "-q", "--no-index", "--no-deps", "--no-compile"]
    command += ["--no-cache-dir", "--disable-pip-version-check", "--upgrade", "--target", str(new)]
    try:
        done = subprocess.run(
            [*command, *wheels()],
            capture_output=True,
            text=True,
            check=False,
            timeout=steps.INSTALL_WHEELS,
        )
    except subprocess.TimeoutExpired:
        return "pip takes too long"
    if done.returncode:
        return (done.stderr.strip().splitlines() or ["pip fails"])[-1]
    new.rename(site())
    return ""


def environment(results: Path) -> dict[str, str]:
    """The environment of the steps."""
    inherited = dict(os.environ)
    path = [str(ROOT), str(site()) if wheels() else "", inherited.get("PYTHONPATH", "")]
    return {
        "BENCH_SECONDS": "0.4",
        "CUPY_CACHE_DIR": str(scratch() / "kernels"),
        "TFMINI_CUDNN_CACHE": str(scratch() / "cudnn"),
        **inherited,
        "CUPY_NVRTC_USE_PCH": "1",  # CuPy's reductions: 0.4 s instead of 1.7 s each
        "PYTHONPATH": os.pathsep.join(filter(None, path)),
        "PYTHONUNBUFFERED": "1",
        "RESULTS": str(results),
        "TF_FORCE_GPU_ALLOW_GROWTH": "true",
    }


def workers() -> int:
    """The number of parallel test processes: 14 on 16 cores."""
    return max(2, min(14, len(os.sched_getaffinity(0)) - 2))
