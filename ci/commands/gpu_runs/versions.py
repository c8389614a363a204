"""Versions of a GPU run's dependencies; fails if tfmini finds no GPU, or a package required by the tests is missing.

python -m ci.commands.gpu_runs.versions
"""

from __future__ import annotations

import sys
from importlib import import_module, metadata

PACKAGES = (
    *("numpy", "scipy", "protobuf", "ml_dtypes", "google-crc32c", "google-re2"),
    *("pytest", "pytest-timeout", "pytest-xdist"),
    *(
        "cupy-cuda12x",
        "cupy-cuda13x",
        "cuda-pathfinder",
        "nvidia-cuda-nvrtc",
        "nvidia-cuda-runtime",
    ),
    *("nvidia-cublas", "nvidia-cudnn-cu13", "nvidia-nccl-cu13", "nvidia-ml-py", "torch", "jax"),
)


def installed_versions() -> dict[str, str]:
    """The versions of the installed packages."""
    versions = {}
    for name in PACKAGES:
        try:
            versions[name] = metadata.version(name)
        except metadata.PackageNotFoundError:
            continue
    return versions


def main() -> None:
    print(f"Python {sys.version.split()[0]}, {sys.executable}")
    print(
        ", ".join(f"{name} {version}" for name, version in installed_versions().items()), flush=True
    )
    for module in ("pytest", "pytest_timeout"):
        import_module(module)
    native = import_module("tfmini._src.devices.host.native.library")
    print(f"CPU kernels: {native.build_name() or native.numpy_reason()}", flush=True)
    sys.exit(import_module("tfmini._src.devices.cuda.discovery").discover().why or None)


if __name__ == "__main__":
    main()
