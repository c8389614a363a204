"""TensorFlow Serving's configuration files: models, TLS and metrics, each a protobuf text message."""

from __future__ import annotations

from typing import Any

from tfmini._src.base import proto
from tfmini._src.base.errors import invalid
from tfmini._src.programs.serving.messages import MESSAGES
from tfmini._src.programs.serving.metrics import METRICS_PATHS
from tfmini._src.programs.serving.model_versions import Source


def read_model_configs(path: str) -> tuple[Source, ...]:
    """Returns the models listed in a file; its logging settings are parsed and ignored.

    Raises:
      OSError: if it cannot be read.
      InvalidArgumentError: if it is not a ModelServerConfig in protobuf text format, or lists no models, duplicate
        names, or a model for another platform.
    """
    config = read("ModelServerConfig", path)
    sources = tuple(
        _model_source(model_config, path) for model_config in config.model_config_list.config
    )
    if not sources:
        invalid(f"{path}: model_config_list is empty")
    names = [source.name for source in sources]
    if len(set(names)) < len(names):
        invalid(f"{path}: duplicate model name among {names}")
    return sources


def read_metrics_paths(path: str) -> tuple[str, ...]:
    """Returns the HTTP paths of the metrics, from a `--monitoring_config_file`; empty if it disables them.

    Raises:
      OSError: if it cannot be read.
      InvalidArgumentError: if it is not a MonitoringConfig, or the path does not begin with /.
    """
    config = read("MonitoringConfig", path).prometheus_config
    metrics_path = config.path or METRICS_PATHS[0]
    if not metrics_path.startswith("/"):
        invalid(f"{path}: the path {metrics_path!r} does not begin with /")
    return (metrics_path,) if config.enable else ()


def read(message_name: str, path: str) -> Any:
    """Parses a file's message; raises OSError, and InvalidArgumentError if it is not of this type."""
    with open(path, encoding="utf-8") as file:
        text = file.read()
    config = MESSAGES[message_name]()
    try:
        proto.parse_text(text, config)
    except proto.parse_errors()[1] as error:
        invalid(f"{path}: {error}")
    return config


def _model_source(config: Any, path: str) -> Source:
    if not config.name or not config.base_path:
        invalid(f"{path}: a config requires name and base_path")
    if config.model_platform not in ("", "tensorflow"):
        invalid(
            f"{path}: the model_platform of {config.name} is {config.model_platform!r}, not 'tensorflow'"
        )
    policy = config.model_version_policy
    version_count = 0 if policy.HasField("all") else policy.latest.num_versions or 1
    versions = tuple(policy.specific.versions)
    return Source(
        config.name, config.base_path, version_count, versions, dict(config.version_labels)
    )
