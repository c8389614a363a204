"""Requests of a RemoteMonitor."""

import json
import urllib.parse
import urllib.request

import pytest

import tfmini as tf


@pytest.fixture
def sent(monkeypatch):
    """The requests, captured inside the process."""
    result = []

    class Answer:
        def close(self):
            result.append("closed")

    def urlopen(request):
        result.append(request)
        return Answer()

    monkeypatch.setattr(urllib.request, "urlopen", urlopen)
    return result


def test_remote_monitor_sends_form(sent):
    monitor = tf.keras.callbacks.RemoteMonitor("http://host:1", "/there", "field", {"X-Own": "yes"})
    monitor.on_epoch_end(3, {"loss": 0.5, "acc": 1})
    request, closed = sent
    assert closed == "closed"
    assert (request.full_url, request.get_method()) == ("http://host:1/there", "POST")
    assert request.headers == {"Content-type": "application/x-www-form-urlencoded", "X-own": "yes"}
    ((field, text),) = urllib.parse.parse_qsl(request.data.decode())
    assert (field, json.loads(text)) == ("field", {"epoch": 3, "loss": 0.5, "acc": 1.0})


def test_remote_monitor_sends_json(sent):
    monitor = tf.keras.callbacks.RemoteMonitor(send_as_json=True)
    monitor.on_epoch_end(0)
    request = sent[0]
    assert request.full_url == "http://localhost:9000/publish/epoch/end/"
    assert request.headers == {"Content-type": "application/json"}
    assert json.loads(request.data) == {"epoch": 0}


def test_remote_monitor_survives_missing_server(monkeypatch, caplog):
    def urlopen(request):
        raise OSError("refused")

    monkeypatch.setattr(urllib.request, "urlopen", urlopen)
    with caplog.at_level("WARNING", "tensorflow"):
        tf.keras.callbacks.RemoteMonitor("http://host:1").on_epoch_end(0, {})
    assert [r.getMessage() for r in caplog.records] == [
        "Warning: could not reach RemoteMonitor root server at http://host:1"
    ]
