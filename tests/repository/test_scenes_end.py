"""Every scene runs to its end, or is not a scene."""

import logging

import pytest

import tfmini as tf
from tests.conformance import scenes
from tests.conformance.scenes import cluster_specs


def raises(tf, stage):
    stage.attempt(int, "meant")
    int("not meant")


def test_unnamed_raising_scene_is_rejected(monkeypatch):
    monkeypatch.setattr(raises, "__module__", cluster_specs.__name__)
    monkeypatch.setattr(cluster_specs, "of_another_name", raises, raising=False)
    logger = logging.getLogger("tensorflow")
    before = logger.level, list(logger.handlers)
    with pytest.raises(
        RuntimeError, match="cluster_specs of_another_name raised ValueError"
    ) as raised:
        scenes.lines_of(tf, raises)
    assert "not meant" in str(raised.value.__cause__)
    assert (logger.level, logger.handlers) == before
