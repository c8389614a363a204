"""Errors as clients of a model server see them: without the folders of its machine."""

from __future__ import annotations

import os
from collections.abc import Mapping

from tfmini._src.cluster.grpc_server import status_of


class ClientErrors:
    """Code and text of errors; a model's folder is called by the model's name.

    Args:
      folders: of the models, by name.
    """

    def __init__(self, folders: Mapping[str, str]):
        paths = {
            path: name
            for name, folder in folders.items()
            for path in (folder, os.path.abspath(folder), os.path.realpath(folder))
            if len(path.rstrip(os.sep)) > 1 and os.sep in path
        }
        # The longest first: a folder may be below another one.
        longest = sorted(paths, key=len, reverse=True)
        self._names = [(path.rstrip(os.sep), paths[path]) for path in longest]

    def status_of(self, error: BaseException) -> tuple[int, str]:
        """Code and text."""
        code, text = status_of(error)
        return code, self.hidden(text)

    def hidden(self, text: str) -> str:
        """A text with the models' names for their folders."""
        for path, name in self._names:
            text = text.replace(path, name)
        return text
