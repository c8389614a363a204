"""A network between two tasks: a TCP proxy that can stop forwarding, or be slow."""

import socket
import threading
import time


class Proxy:
    """Forwards bytes from its own port to another one.

    delay: seconds before each segment is forwarded.
    """

    def __init__(self, port, target_port, delay=0.0):
        self.delay = delay
        self._target = ("127.0.0.1", target_port)
        self._open = threading.Event()
        self._open.set()
        self._sockets = []
        self._listener = socket.create_server(("127.0.0.1", port))
        threading.Thread(target=self._accept, daemon=True).start()

    def cut(self):
        """Silently stops all traffic."""
        self._open.clear()

    def heal(self):
        self._open.set()

    def _accept(self):
        while True:
            try:
                one, _ = self._listener.accept()
            except OSError:
                return
            try:
                other = socket.create_connection(self._target, timeout=60)
            except OSError:
                one.close()
                continue
            other.settimeout(None)
            self._sockets += [one, other]
            for source, sink in ((one, other), (other, one)):
                threading.Thread(target=self._carry, args=(source, sink), daemon=True).start()

    def _carry(self, source, sink):
        try:
            while data := source.recv(1 << 16):
                if self.delay:
                    time.sleep(self.delay)
                self._open.wait()
                sink.sendall(data)
        except OSError:
            pass
        for each in (source, sink):
            try:
                each.shutdown(socket.SHUT_RDWR)
            except OSError:
                pass

    def close(self):
        self._open.set()
        self._listener.close()
        for each in self._sockets:
            try:
                each.shutdown(socket.SHUT_RDWR)
            except OSError:
                pass
            each.close()
