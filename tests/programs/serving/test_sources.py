"""Version selection of a model, model config files, and error statuses."""

import asyncio
from types import SimpleNamespace

import pytest

import tfmini as tf
from tests.programs.serving import served
from tfmini._src.base import errors
from tfmini._src.programs.serving import rest
from tfmini._src.programs.serving.config_files import read_metrics_paths, read_model_configs
from tfmini._src.programs.serving.metrics import METRICS_PATHS
from tfmini._src.programs.serving.model_versions import ModelVersions, Source, Version
from tfmini._src.programs.serving.service import Options


def version_names(directory, *args, **options):
    source = Source("m", str(directory), *args, **options)
    return {
        number: path.removeprefix(f"{directory}/") for number, path in source.directories().items()
    }


def test_version_directories_are_numeric(tmp_path):
    for name in ("1", "2", "10", "007", "abc", "3.5", "-4", "9223372036854775808"):
        (tmp_path / name).mkdir()
    assert version_names(tmp_path) == {10: "10"}
    assert version_names(tmp_path, 2) == {7: "007", 10: "10"}
    assert version_names(tmp_path, 0) == {1: "1", 2: "2", 7: "007", 10: "10"}
    assert version_names(tmp_path, 9) == version_names(tmp_path, 0)
    assert version_names(tmp_path, versions=(2, 5, 1)) == {2: "2", 1: "1"}
    (tmp_path / "2").rmdir()
    assert version_names(tmp_path, 3) == {1: "1", 7: "007", 10: "10"}
    with pytest.raises(FileNotFoundError, match="nowhere"):
        version_names(tmp_path / "nowhere")


def test_duplicate_version_names_load_once(tmp_path):
    for name in ("1", "01", "001"):
        (tmp_path / name).mkdir()
    assert version_names(tmp_path) == {1: "001"}


def test_saved_model_directory_is_version_1(tmp_path):
    served.line(tmp_path / "m", 1)
    assert Source("m", str(tmp_path / "m")).directories() == {1: str(tmp_path / "m")}
    assert Source("m", str(tmp_path / "m"), 1, (5,)).directories() == {1: str(tmp_path / "m")}


def versions(**states):
    created = ModelVersions(Source("m", "/none", labels={"old": 1, "new": 3}))
    created.versions = {
        int(name[1:]): Version("AVAILABLE" if model else "END", model)
        for name, model in states.items()
    }
    return created


def test_version_selection():
    some = versions(v10="ten", v1="one", v11=None, v2="two")
    assert some.available() == [1, 2, 10]
    assert some.model(None, "") == (10, "ten")
    assert some.model(2, "") == (2, "two")
    assert some.model(None, "old") == (1, "one")
    for number, label, text in (
        (11, "", r"Specific\(m, 11\)"),
        (12, "", r"Specific\(m, 12\)"),
        (-1, "", r"Specific\(m, -1\)"),
        (None, "new", r"Specific\(m, 3\)"),
    ):
        with pytest.raises(
            tf.errors.NotFoundError, match=f"^Servable not found for request: {text}$"
        ):
            some.model(number, label)
    with pytest.raises(tf.errors.InvalidArgumentError, match="servable version label: other$"):
        some.model(None, "other")
    with pytest.raises(tf.errors.NotFoundError, match=r"for request: Latest\(m\)$"):
        versions(v1=None).model(None, "")
    assert versions().available() == []


CONFIG = """
model_config_list {
  config {
    name: "a" base_path: "/models/a" model_platform: "tensorflow" model_type: TENSORFLOW
    model_version_policy { latest { num_versions: 3 } }
    logging_config {
      log_collector_config { type: "file" filename_prefix: "p" }
      sampling_config { sampling_rate: 0.5 }
      saved_model_tags: "serve"
    }
  }
  config { name: "b" base_path: "/models/b" model_version_policy { all {} } }
  config {
    name: "c" base_path: "/models/c"
    model_version_policy { specific { versions: 4 versions: 2 } }
    version_labels { key: "stable" value: 4 }
    version_labels { key: "old" value: 2 }
  }
  config { name: "d" base_path: "/models/d" model_version_policy { latest {} } }
  config { name: "e" base_path: "/models/e" }
}
"""


def test_model_config_file(tmp_path):
    path = tmp_path / "models.config"
    path.write_text(CONFIG)
    assert read_model_configs(str(path)) == (
        Source("a", "/models/a", 3),
        Source("b", "/models/b", 0),
        Source("c", "/models/c", 1, (4, 2), {"stable": 4, "old": 2}),
        Source("d", "/models/d", 1),
        Source("e", "/models/e", 1, (), {}),
    )
    path.write_text(CONFIG.replace('"b"', '"a"'))
    with pytest.raises(
        tf.errors.InvalidArgumentError, match="duplicate model name among .'a', 'a', 'c', 'd'"
    ):
        read_model_configs(str(path))


@pytest.mark.parametrize(
    "text, paths",
    [
        ("prometheus_config { enable: true path: '/counts' }", ("/counts",)),
        ("prometheus_config { enable: true }", ("/monitoring/prometheus/metrics",)),
        ("prometheus_config { path: '/counts' }", ()),
        ("", ()),
    ],
)
def test_metrics_paths_of_monitoring_config(tmp_path, text, paths):
    path = tmp_path / "monitoring.config"
    path.write_text(text)
    assert read_metrics_paths(str(path)) == paths
    metrics = SimpleNamespace(text=lambda: "counts")
    service = SimpleNamespace(options=Options((), metrics_paths=paths), metrics=metrics)

    async def status(path):
        sent = []
        scope = {"type": "http", "method": "GET", "path": path, "extensions": {}}
        await rest.RestApplication(service, None)(
            scope, None, lambda m: asyncio.sleep(0, sent.append(m))
        )
        return sent[0]["status"]

    for asked in {"/counts", *METRICS_PATHS}:
        assert asyncio.run(status(asked)) == (200 if asked in paths else 404)


@pytest.mark.parametrize(
    "text, error",
    [
        ("prometheus_config { path: 'counts' enable: true }", "'counts' does not begin with /$"),
        ("prometheus { }", 'has no field named "prometheus"'),
    ],
)
def test_invalid_monitoring_configs(tmp_path, text, error):
    path = tmp_path / "monitoring.config"
    path.write_text(text)
    with pytest.raises(tf.errors.InvalidArgumentError, match=f"^{path}: .*{error}"):
        read_metrics_paths(str(path))


def test_error_codes_map_to_http_statuses():
    assert rest.HTTP_STATUS == {
        errors.CANCELLED: 499,
        errors.UNKNOWN: 500,
        errors.INVALID_ARGUMENT: 400,
        errors.DEADLINE_EXCEEDED: 504,
        errors.NOT_FOUND: 404,
        errors.ALREADY_EXISTS: 409,
        errors.PERMISSION_DENIED: 403,
        errors.UNAUTHENTICATED: 401,
        errors.RESOURCE_EXHAUSTED: 429,
        errors.FAILED_PRECONDITION: 400,
        errors.ABORTED: 409,
        errors.OUT_OF_RANGE: 400,
        errors.UNIMPLEMENTED: 501,
        errors.INTERNAL: 500,
        errors.UNAVAILABLE: 503,
        errors.DATA_LOSS: 500,
    }
