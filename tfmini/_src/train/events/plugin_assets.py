"""Asset files of TensorBoard plugins: objects in graph collections, written to the log directory with the graph."""

from __future__ import annotations

import abc
import os
from typing import Any

from tfmini._src.formats.atomic_write import atomic_write
from tfmini._src.formats.gfile_functions import makedirs
from tfmini._src.graph.default_graph import get_default_graph

_COLLECTION = "__tensorboard_plugin_asset__"


class PluginAsset(abc.ABC):
    """The files of one plugin in a graph; `plugin_name` names their directory."""

    plugin_name: str | None = None

    @abc.abstractmethod
    def assets(self) -> dict[str, Any]:
        """Returns the file contents by name; called when a FileWriter adds the graph."""


def get_plugin_asset(plugin_asset_cls: Any, graph: Any = None) -> Any:
    """Returns the instance of a PluginAsset subclass for a graph (default: the default graph), created on first use.

    Raises:
      ValueError: for a missing or duplicate `plugin_name`.
    """
    graph = get_default_graph() if graph is None else graph
    name = plugin_asset_cls.plugin_name
    if not name:
        raise ValueError(f"Class {plugin_asset_cls.__name__} has no plugin_name")
    if not graph.get_collection(_COLLECTION + name):
        graph.add_to_collection(_COLLECTION + name, plugin_asset_cls())
        graph.add_to_collection(_COLLECTION, name)
    asset = _only(graph, name)
    if not isinstance(asset, plugin_asset_cls):
        raise ValueError(
            f"Plugin name collision between classes {plugin_asset_cls.__name__} and {type(asset).__name__}"
        )
    return asset


def get_all_plugin_assets(graph: Any = None) -> list[Any]:
    """Returns all plugin assets of a graph (default: the default graph)."""
    graph = get_default_graph() if graph is None else graph
    return [_only(graph, name) for name in graph.get_collection(_COLLECTION)]


def _only(graph: Any, name: str) -> Any:
    assets = graph.get_collection(_COLLECTION + name)
    if len(assets) != 1:
        raise ValueError(f"Collection for {_COLLECTION + name} had {len(assets)} items, expected 1")
    return assets[0]


def write_plugin_assets(graph: Any, directory: str) -> None:
    """Writes the files of a graph's plugins to `directory`/plugins/NAME."""
    for asset in get_all_plugin_assets(graph):
        plugin_directory = os.path.join(directory, "plugins", asset.plugin_name)
        makedirs(plugin_directory)
        for name, content in asset.assets().items():
            with atomic_write(os.path.join(plugin_directory, name)) as file:
                file.write(content.encode() if isinstance(content, str) else content)
