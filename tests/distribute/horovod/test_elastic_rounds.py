"""An elastic rank's requests to its launcher, and its handling of the answers."""

import pytest

import tfmini as tf
from tfmini._src.cluster.elastic_launcher import DRIVER, WORKER
from tfmini._src.distribute.horovod import elastic_rounds


@pytest.fixture
def answers(monkeypatch):
    """`answers.next = status, text` sets the launcher's answer; `answers.asked` lists the requests."""

    class Answers:
        next = 200, b"null"
        requests = []

    result = Answers()
    result.asked = []

    def response_of(who, address, method, path, seconds):
        result.asked.append((who, address, method, path, seconds))
        return result.next

    monkeypatch.setattr(elastic_rounds, "send_request", response_of)
    monkeypatch.setenv(DRIVER, "host:7/the/secret")
    monkeypatch.setenv(WORKER, "3")
    return result


def test_next_round_returns_rank_and_addresses(answers):
    answers.next = 200, b'[1, ["a:1", "b:2"]]'
    assert elastic_rounds.next_round() == (1, ("a:1", "b:2"))
    ((who, address, method, path, seconds),) = answers.asked
    assert (address, method, path) == ("host:7", "GET", "/the/secret/round/3")
    assert who == "The launcher of this elastic job" and seconds > 600


def test_leaving_rank_exits(answers):
    answers.next = 200, b'"leave"'
    with pytest.raises(SystemExit, match="^0$"):
        elastic_rounds.next_round()


def test_too_few_ranks_time_out(answers):
    text = "^Too few ranks joined within 600 seconds$"
    with pytest.raises(tf.errors.DeadlineExceededError, match=text):
        elastic_rounds.next_round()


@pytest.mark.parametrize("ask", ["next_round", "has_changed", "lost_ranks"])
def test_unresponsive_launcher_is_reported(answers, ask):
    answers.next = 404, b"[1]"
    text = "^The launcher of this elastic job at host:7 rejected the request: HTTP status 404$"
    with pytest.raises(tf.errors.UnavailableError, match=text):
        getattr(elastic_rounds, ask)()


def test_change_and_loss_queries(answers, monkeypatch):
    answers.next = 200, b"true"
    assert elastic_rounds.has_changed() is True
    answers.next = 200, b"[0, 2]"
    assert elastic_rounds.lost_ranks() == [0, 2]
    assert [row[3] for row in answers.asked] == ["/the/secret/changed/3", "/the/secret/lost/3"]
    monkeypatch.delenv(DRIVER)
    assert not elastic_rounds.is_elastic()
    assert elastic_rounds.has_changed() is False and elastic_rounds.lost_ranks() == []
    assert len(answers.asked) == 2
