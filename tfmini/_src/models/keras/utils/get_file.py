"""Cached downloads."""

from __future__ import annotations

import hashlib
import os
import sys
import tarfile
import zipfile
from collections.abc import Sequence
from typing import Any

from tfmini._src.formats.downloads import digest, fetch


def get_file(
    fname: str,
    origin: str,
    untar: bool = False,
    md5_hash: str | None = None,
    file_hash: str | None = None,
    cache_subdir: str = "datasets",
    hash_algorithm: str = "auto",
    extract: bool = False,
    archive_format: str | Sequence[str] = "auto",
    cache_dir: str | None = None,
) -> str:
    """Downloads a file unless it is cached; returns its path.

    Args:
      fname: file name or absolute path; with `untar`, the name of the directory in the archive `fname` +
        ".tar.gz".
      origin: the URL.
      untar: deprecated; use `extract`.
      md5_hash: deprecated; use `file_hash`.
      file_hash: SHA-256 or MD5 hash; a cached file with another hash is downloaded again.
      cache_subdir: directory in `cache_dir`, or an absolute path.
      hash_algorithm: "auto", "sha256" or "md5".
      extract: whether to unpack archives.
      archive_format: "tar", "zip", or a list of these; "auto" for both, None for neither.
      cache_dir: cache directory, by default ~/.keras, or a directory in /tmp if that is not writable.

    Returns:
      The path of the file; with `untar`, the path of the directory.

    Raises:
      OSError: if the download fails; the message names the expected path.

    Example:
      path = tf.keras.utils.get_file("shakespeare.txt", "https://example.org/shakespeare.txt")
    """
    directory = os.path.join(_cache(cache_dir), cache_subdir)
    expected, algorithm = file_hash, hash_algorithm
    if md5_hash is not None and file_hash is None:
        expected, algorithm = md5_hash, "md5"
    os.makedirs(directory, exist_ok=True)
    target = os.path.join(directory, fname)
    path = target + ".tar.gz" if untar else target
    if untar and os.path.isdir(target) and not os.path.exists(path):
        return target
    if os.path.exists(path) and expected is not None and not _is_same(path, expected, algorithm):
        print(
            f"A local file was found, but it seems to be incomplete or outdated because the {algorithm} file hash "
            f"does not match the original value of {expected} so we will re-download the data."
        )
        outdated_path = path + ".outdated"
        os.replace(path, outdated_path)
        try:
            _fetch(path, origin, expected)
        except OSError:
            os.replace(outdated_path, path)
            raise
        os.remove(outdated_path)
    elif not os.path.exists(path):
        _fetch(path, origin, expected)
    if untar:
        if not os.path.exists(target):
            _unpack(path, directory, "tar")
        return target
    if extract:
        _unpack(path, directory, archive_format)
    return path


def _fetch(path: str, origin: str, checksum: str | None) -> None:
    print("Downloading data from", origin, file=sys.stderr)
    fetch(os.path.basename(path), os.path.dirname(path), origin, checksum)


def _cache(text: str | None) -> str:
    """Returns the cache directory in the home directory, or a writable fallback."""
    base = os.path.expanduser(text or os.path.join("~", ".keras"))
    os.makedirs(os.path.dirname(base) or ".", exist_ok=True)
    if os.access(base if os.path.exists(base) else os.path.dirname(base) or ".", os.W_OK):
        return base
    return os.path.join("/tmp", ".keras")


def _is_same(path: str, expected: str, algorithm: str) -> bool:
    if algorithm == "md5" or (
        algorithm == "auto" and len(expected) != hashlib.sha256().digest_size * 2
    ):
        return digest(path, "0" * 32) == expected
    return digest(path, "0" * 64) == expected


def _unpack(path: str, directory: str, archive_format: Any) -> bool:
    """Unpacks an archive, but no files outside the directory; returns False if no format matches."""
    if archive_format == "auto":
        archive_format = ["tar", "zip"]
    formats = [archive_format] if isinstance(archive_format, str) else archive_format or []
    for format_name in formats:
        if format_name == "tar" and tarfile.is_tarfile(path):
            with tarfile.open(path) as archive:
                _unpack_tar(archive, directory)
            return True
        if format_name == "zip" and zipfile.is_zipfile(path):
            with zipfile.ZipFile(path) as packed:
                packed.extractall(directory)
            return True
    return False


def _unpack_tar(archive: tarfile.TarFile, directory: str) -> None:
    if hasattr(tarfile, "data_filter"):
        archive.extractall(directory, filter="data")
        return
    # Python 3.11 before 3.11.4 has no filters: extract only files and directories inside the directory.
    base = os.path.realpath(directory)
    for member in archive:
        target = os.path.realpath(os.path.join(base, member.name))
        if os.path.commonpath([base, target]) != base:
            raise tarfile.TarError(
                f"{member.name!r} would be extracted to {target!r}, outside of {base!r}"
            )
        if member.isfile() or member.isdir():
            member.mode = (member.mode & 0o755) | 0o600
            archive.extract(member, base)
