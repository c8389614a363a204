"""A model's versions: numbered directories, loaded and unloaded while others serve."""

from __future__ import annotations

import asyncio
import contextlib
import os
import re
import stat
from collections.abc import Awaitable, Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from tfmini._src.base import logs
from tfmini._src.base.errors import (
    OK,
    DeadlineExceededError,
    FailedPreconditionError,
    NotFoundError,
    invalid,
)
from tfmini._src.cluster.grpc_server import error_status
from tfmini._src.programs.serving.served_model import ServedModel
from tfmini._src.programs.serving.warm_up import warm_up
from tfmini._src.saved_model.loader import maybe_saved_model_directory

# Version states, with TensorFlow Serving's numbers.
STATES = {"START": 10, "LOADING": 20, "AVAILABLE": 30, "UNLOADING": 40, "END": 50}

_END_OF_VERSIONS = 1 << 63
_NUMBER = re.compile("0*[0-9]{1,19}")
_MAX_LOADING_SECONDS = 600.0

Runner = Callable[..., Awaitable[Any]]


@dataclass(frozen=True)
class Source:
    """A model's directory, and the versions to be served.

    name: the model's name in requests.
    base_directory: a directory with a subdirectory per version, named by its number; or a SavedModel, version 1.
    latest: number of newest versions to serve; 0: all.
    versions: if not empty, serve these instead of the newest.
    labels: aliases of versions.
    """

    name: str
    base_directory: str
    latest: int = 1
    versions: tuple[int, ...] = ()
    labels: Mapping[str, int] = field(default_factory=dict)

    def directories(self) -> dict[int, str]:
        """Returns the directories of the versions to be served, by number; raises OSError."""
        if maybe_saved_model_directory(self.base_directory):
            return {1: self.base_directory}
        directories = self._version_directories()
        selected = self.versions or sorted(directories)[-self.latest :]
        return {n: directories[n] for n in selected if n in directories}

    def older(self) -> dict[int, str]:
        """Returns the directories of versions older than the served ones, newest first; raises OSError."""
        if self.versions or not self.latest or maybe_saved_model_directory(self.base_directory):
            return {}
        directories = self._version_directories()
        return {n: directories[n] for n in sorted(directories)[-self.latest - 1 :: -1]}

    def _version_directories(self) -> dict[int, str]:
        listed = os.listdir(self.base_directory)
        names = [
            name for name in listed if _NUMBER.fullmatch(name) and int(name) < _END_OF_VERSIONS
        ]
        return {
            int(name): os.path.join(self.base_directory, name)
            for name in sorted(names, reverse=True)
        }


@dataclass
class Version:
    """A model version; `model` is set while its state is AVAILABLE, otherwise `code` and `text` have the reason."""

    state: str = "START"
    model: ServedModel | None = None
    code: int = OK
    text: str = ""
    files: Any = None  # files of a version that failed to load, which is retried when they change


class ModelVersions:
    """A model's versions from a source; `threads` is the number of threads per op.

    Running requests hold a reference to the ServedModel: an unloaded version is freed after its last request.
    """

    def __init__(self, source: Source, threads: int = 0):
        self.source = source
        self._threads = threads
        self.versions: dict[int, Version] = {}

    def available(self) -> list[int]:
        """Returns the available versions, newest last."""
        return sorted(
            version_number for version_number, version in self.versions.items() if version.model
        )

    def model(self, version_number: int | None, label: str) -> tuple[int, ServedModel]:
        """Returns the model and number of a version by number or label, by default the newest available one.

        Raises:
          NotFoundError: if the version is not available.
          InvalidArgumentError: for an unknown label.
        """
        requested = "Latest" if version_number is None and not label else "Specific"
        if label:
            if label not in self.source.labels:
                invalid(f"Unrecognized servable version label: {label}")
            version_number = self.source.labels[label]
        elif version_number is None:
            version_number = max(self.available(), default=None)
        version = self.versions.get(-1 if version_number is None else version_number)
        if version is None or version.model is None or version_number is None:
            raise not_found(self.source.name, requested, version_number)
        return version_number, version.model

    async def refresh(self, run_in_thread: Runner) -> None:
        """Loads new versions and unloads obsolete ones, once another is available."""
        try:
            versions = await asyncio.wait_for(
                run_in_thread(self.source.directories), _MAX_LOADING_SECONDS
            )
        except TimeoutError:
            text = "Model %s: listing its versions did not finish within %g s"
            logs.warning(text, self.source.name, _MAX_LOADING_SECONDS)
            return
        except OSError as error:  # file system unavailable: loaded versions keep serving
            logs.warning("Model %s: %s", self.source.name, error)
            return
        for version_number, directory in sorted(versions.items()):
            version = self.versions.setdefault(version_number, Version())
            if version.state in ("START", "END"):
                await self._load(version_number, version, directory, run_in_thread)
        if versions and not self.available():
            await self._load_older(run_in_thread)
        serving = self.available()
        if not versions or set(versions) & set(serving):
            for version_number in sorted(set(serving) - set(versions)):
                self._unload(version_number)

    async def _load_older(self, run_in_thread: Runner) -> None:
        """Loads the newest loadable version that is older than the listed ones."""
        try:
            older_versions = await asyncio.wait_for(
                run_in_thread(self.source.older), _MAX_LOADING_SECONDS
            )
        except (TimeoutError, OSError) as error:
            logs.warning("Model %s: %s", self.source.name, error)
            return
        for version_number, directory in older_versions.items():
            version = self.versions.setdefault(version_number, Version())
            if version.state in ("START", "END"):
                await self._load(version_number, version, directory, run_in_thread)
            if self.available():
                return

    async def _load(
        self, version_number: int, version: Version, directory: str, run_in_thread: Runner
    ) -> None:
        files = None
        try:
            files = await asyncio.wait_for(run_in_thread(_files, directory), _MAX_LOADING_SECONDS)
            if version.code != OK and version.files == files:
                return
            version.state, version.code, version.text = "LOADING", OK, ""
            loading = run_in_thread(_warm_model, directory, self._threads)
            version.model = await asyncio.wait_for(loading, _MAX_LOADING_SECONDS)
        except TimeoutError:
            text = f"Loading did not finish within {_MAX_LOADING_SECONDS:g} s"
            self._record_failure(
                version_number, version, None, DeadlineExceededError(None, None, text)
            )
            return
        except Exception as error:  # any failure: other versions keep serving
            self._record_failure(version_number, version, files, error)
            return
        version.state = "AVAILABLE"
        logs.info("Model %s: version %d is available", self.source.name, version_number)

    def _record_failure(
        self, version_number: int, version: Version, files: Any, error: Exception
    ) -> None:
        previous_failure = version.code, version.text
        version.state, version.files = "END", files
        version.code, version.text = error_status(error)
        if previous_failure == (version.code, version.text):  # the same result as in earlier checks
            return
        reason = error if isinstance(error, OSError) else version.text  # includes the file name
        logs.error("Model %s, version %d: %s", self.source.name, version_number, reason)

    def _unload(self, version_number: int) -> None:
        version = self.versions[version_number]
        if version.model is not None:
            version.state = "UNLOADING"
            version.model.call_when_ended(setattr, version, "state", "END")
            version.model = None
        logs.info("Model %s: version %d unloaded", self.source.name, version_number)


def _warm_model(directory: str, threads: int) -> ServedModel:
    """Loads a model and runs its warm-up requests."""
    model = ServedModel(directory, threads)
    warm_up(model, directory)
    return model


def _files(directory: str) -> list[tuple[str, int, int]]:
    """Returns the files of a version, with sizes and times; empty if the directory is gone.

    Raises:
      FailedPreconditionError: for a pipe, socket or device, whose opening could block.
    """

    def list_files() -> Iterator[tuple[str, int, int]]:
        for parent, _, names in os.walk(directory):
            for name in names:
                path = os.path.join(parent, name)
                with contextlib.suppress(FileNotFoundError):
                    status = os.stat(path)
                    if not stat.S_ISREG(status.st_mode):
                        raise FailedPreconditionError(None, None, f"{path} is not a regular file")
                    yield path, status.st_size, status.st_mtime_ns

    return sorted(list_files())


def not_found(name: str, requested: str, version_number: int | None = None) -> NotFoundError:
    """Returns the error for a request to an unavailable version."""
    servable = name if version_number is None else f"{name}, {version_number}"
    return NotFoundError(None, None, f"Servable not found for request: {requested}({servable})")
