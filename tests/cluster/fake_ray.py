"""The Ray API used for task placement, in this process; any other call is an error."""

import types
from concurrent.futures import FIRST_COMPLETED, ThreadPoolExecutor, wait


class RayError(Exception):
    """Raised by Ray for lost actors, among other reasons."""


class Handle:
    """An actor whose methods run in threads."""

    def __init__(self, made, options):
        self._made, self.options, self.is_lost = made, options, False
        self._threads = ThreadPoolExecutor(options["max_concurrency"])

    def __getattr__(self, name):
        method = getattr(self._made, name)

        def remote(*args):
            future = self._threads.submit(method, *args)
            future.actor = self
            return future

        return types.SimpleNamespace(remote=remote)

    def lose(self):
        """Simulates the loss of its machine with everything that runs there."""
        self.is_lost = True
        self._made._reserved_socket.close()
        if self._made._process is not None:
            self._made._process.kill()


class FakeRay:
    """Replacement for `sys.modules["ray"]`."""

    def __init__(self):
        self.calls, self.actors, self.free = [], [], {"CPU": 8.0, "GPU": 1.0}
        self.exceptions = types.SimpleNamespace(RayError=RayError)

    def is_initialized(self):
        return False

    def init(self, *, log_to_driver, include_dashboard):
        self.calls.append("init")

    def shutdown(self):
        self.calls.append("shutdown")

    def remote(self, kind):
        def options(*, num_cpus, num_gpus, max_concurrency, scheduling_strategy, runtime_env):
            assert scheduling_strategy == "SPREAD" and set(runtime_env) == {"env_vars"}
            given = {"num_cpus": num_cpus, "num_gpus": num_gpus, "max_concurrency": max_concurrency}

            def make():
                self.actors.append(Handle(kind(), given))
                return self.actors[-1]

            return types.SimpleNamespace(remote=make)

        return types.SimpleNamespace(options=options)

    def get(self, future):
        value = future.result(60)
        if future.actor.is_lost:
            raise RayError("The actor died unexpectedly before finishing this task.")
        return value

    def wait(self, futures, *, timeout):
        done, rest = wait(futures, timeout, FIRST_COMPLETED)
        return list(done), list(rest)

    def kill(self, actor):
        actor.lose()

    def available_resources(self):
        return dict(self.free)
