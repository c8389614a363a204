"""`tensorflow.python.summary.plugin_asset`: files that a plugin of TensorBoard wants beside a graph."""

from tfmini.train.plugin_assets import PluginAsset, get_all_plugin_assets, get_plugin_asset

__all__ = ["PluginAsset", "get_all_plugin_assets", "get_plugin_asset"]
