"""Several processes at the same ports."""

import http.client
import json
import os
import signal
import threading
from pathlib import Path

import numpy as np
import pytest

import tfmini as tf
from tests.programs.serving import served
from tests.programs.serving.test_grpc_services import called, field
from tests.support import waiting
from tfmini._src.programs.serving import server as server_module

LARGE = 1 << 18  # bytes of the weights: more than is read instead of mapped


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    folder = str(tmp_path_factory.mktemp("models") / "1")
    with tf.Graph().as_default(), tf.Session() as session:
        rows = tf.placeholder(tf.int32, [None], name="rows")
        weights = tf.Variable(tf.reshape(tf.range(LARGE // 4), [-1, 4]))
        session.run(tf.global_variables_initializer())
        tf.saved_model.simple_save(session, folder, {"rows": rows}, {"y": tf.gather(weights, rows)})
    arguments = (os.path.dirname(folder), "--name", "table", "--workers", 2)
    with served.serving(*arguments) as running:
        waiting.until(lambda: len(mappings(running)) == 2)
        yield running


def workers(server):
    """The processes that serve."""
    parent = server.process.pid
    children = Path(f"/proc/{parent}/task/{parent}/children").read_text().split()
    return [int(child) for child in children if "spawn_main" in of_process(child, "cmdline")]


def of_process(number, name):
    try:
        return Path(f"/proc/{number}/{name}").read_text()
    except (FileNotFoundError, ProcessLookupError):
        return ""


def mappings(server):
    """Kilobytes of the checkpoint's file that a worker has mapped and written to, by its number."""
    found = {}
    for worker in workers(server):
        for part in of_process(worker, "smaps").split("VmFlags")[:-1]:
            if "variables.data" in part:
                dirty = [each for each in part.splitlines() if each.startswith("Private_Dirty")]
                found[worker] = int(dirty[0].split()[1])
    return found


def ask(server, row):
    return server.post("table:predict", {"inputs": [row]})


def test_weights_are_mapped_and_shared(server):
    for row in range(20):
        assert ask(server, row) == (200, {"outputs": [list(range(4 * row, 4 * row + 4))]})
    assert list(mappings(server).values()) == [0, 0]


def test_a_worker_that_is_killed_comes_back_and_no_answer_is_lost(server):
    answers, lost, ended = [], [], threading.Event()

    def go_on(row):
        while not ended.is_set():
            try:
                status, answer = ask(server, row)
            except (OSError, http.client.HTTPException) as error:
                lost.append(error)  # without an answer: to ask again
            else:
                answers.append((status, answer, row))

    threads = [threading.Thread(target=go_on, args=(row,)) for row in range(4)]
    for thread in threads:
        thread.start()
    waiting.until(lambda: len(answers) > 20)
    before = workers(server)
    os.kill(before[0], signal.SIGKILL)

    def is_replaced():
        found = mappings(server)
        return len(found) == 2 and before[0] not in found

    waiting.until(is_replaced)
    count = len(answers)
    waiting.until(lambda: len(answers) > count + 20)
    ended.set()
    for thread in threads:
        thread.join()
    assert before[1] in workers(server)
    assert len(lost) <= len(threads)  # what the killed one was at
    rows = np.arange(16).reshape(4, 4).tolist()
    assert all(
        status == 200 and answer == {"outputs": [rows[row]]} for status, answer, row in answers
    )


def test_each_worker_shows_the_counts_of_all(server):
    for _ in range(10):
        assert server.post("table/versions/99:predict", {"inputs": [1]})[0] == 404

    def counted(_):
        _, text = server.ask("GET", "/monitoring/prometheus/metrics")
        return [line.split()[-1] for line in text.splitlines() if 'status="NOT_FOUND"' in line]

    waiting.until(lambda: all(found == ["10"] for found in map(counted, range(20))))


def test_grpc_is_answered_by_both(server):
    for _ in range(10):  # a connection each
        response = called(
            server, "/tensorflow.serving.ModelService/GetModelStatus", field(1, field(1, b"table"))
        )
        assert response.startswith(field(1, field(1, 1) + field(2, 30))[:1])


def test_workers_are_replaced_by_sighup(server):
    before = set(workers(server))
    server.process.send_signal(signal.SIGHUP)
    waiting.until(lambda: len(mappings(server)) == 2 and not before & set(workers(server)))
    assert ask(server, 1)[0] == 200


def test_the_end(tmp_path):
    served.line(tmp_path / "1", 1)
    with served.serving(tmp_path, "--name", "line", "--workers", 2) as server:
        assert json.loads(server.ask("GET", "/v1/models/line")[1])["model_version_status"]
        assert server.end() == 0


def test_workers_end_with_the_process_that_has_started_them(tmp_path):
    served.line(tmp_path / "1", 1)
    with served.serving(tmp_path, "--workers", 2) as server:
        numbers = workers(server)
        server.process.kill()
        waiting.until(lambda: not any(of_process(number, "cmdline") for number in numbers))
    assert len(numbers) == 2


def test_a_signal_to_end_is_seen_while_workers_are_replaced():
    signals = [signal.SIGHUP]
    ending = server_module._Ending(signals)
    assert not ending.is_set()
    signals.append(signal.SIGTERM)
    assert ending.is_set()
