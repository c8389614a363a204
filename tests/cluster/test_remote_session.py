"""Sessions on a server, from the client side."""

import gc
import threading

import pytest

import tfmini as tf
from tests.support import waiting
from tfmini._src.cluster import master_stub
from tfmini._src.cluster.free_ports import free_ports
from tfmini._src.cluster.master_stub import LOCAL


def test_blocked_session_warns_about_server(monkeypatch):
    warnings = []
    monkeypatch.setattr(master_stub, "_WARNING_SECONDS", 0.05)
    monkeypatch.setattr(
        master_stub.logs, "warning", lambda text, *args: warnings.append(text % args)
    )
    address = f"127.0.0.1:{free_ports(1)[0]}"
    config = tf.ConfigProto(operation_timeout_in_ms=500)
    with tf.Session(f"grpc://{address}", config=config) as session:
        with pytest.raises(tf.errors.DeadlineExceededError, match="Deadline Exceeded"):
            session.run(tf.constant(3))
    assert warnings == [f"CreateSession still waiting for response from grpc://{address}"]


def test_session_is_collected_while_master_is_locked():
    """As when garbage collection starts in the thread that holds the lock."""
    server = tf.train.Server.create_local_server()
    master = LOCAL[server.target]
    session = tf.Session(server.target)
    assert session.run(tf.constant(3)) == 3
    assert len(master._sessions) == 1
    cycle = [session]
    cycle.append(cycle)
    del session, cycle

    def collect():
        with master._lock:
            gc.collect()

    thread = threading.Thread(target=collect, daemon=True)
    thread.start()
    thread.join(waiting.SECONDS)
    assert not thread.is_alive()
    waiting.until(lambda: not master._sessions)
    server._stop()
