"""Errors as reported to a model server's clients: without file system paths."""

from __future__ import annotations

import os
from collections.abc import Mapping

from tfmini._src.cluster.grpc_server import error_status


class ClientErrors:
    """Code and text of errors, with model directories replaced by model names; `directories` maps the names to them."""

    def __init__(self, directories: Mapping[str, str]):
        paths = {
            path: name
            for name, directory in directories.items()
            for path in (directory, os.path.abspath(directory), os.path.realpath(directory))
            if len(path.rstrip(os.sep)) > 1 and os.sep in path
        }
        # Longest first: directories may be nested.
        longest_first = sorted(paths, key=len, reverse=True)
        self._names = [(path.rstrip(os.sep), paths[path]) for path in longest_first]

    def error_status(self, error: BaseException) -> tuple[int, str]:
        """Returns an error's code and text."""
        code, text = error_status(error)
        return code, self.hidden(text)

    def hidden(self, text: str) -> str:
        """Returns the text with model names in place of their directories."""
        for path, name in self._names:
            text = text.replace(path, name)
        return text
