"""Sessions on a server, from the client side."""

import gc
import threading

import tfmini as tf
from tests.support import waiting
from tfmini._src.cluster.master_stub import LOCAL


def test_a_session_is_collected_where_a_thread_holds_its_masters_lock():
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
