"""A service's work besides requests."""

import asyncio

from tests.programs.serving import served
from tfmini._src.programs.serving import model_versions, service as service_module
from tfmini._src.programs.serving.model_versions import Source
from tfmini._src.programs.serving.service import Options, Service


def test_version_refresh_retries_after_failure(tmp_path, monkeypatch):
    served.line(tmp_path / "1", 1)
    calls = []

    def fails_twice(directory):
        calls.append(directory)
        if len(calls) < 3:
            raise PermissionError(directory)
        return []

    monkeypatch.setattr(model_versions, "_files", fails_twice)
    service = Service(Options((Source("line", str(tmp_path)),), watch=0.01))

    async def run():
        async with service.running():
            while not service.ready():
                await asyncio.sleep(0.01)

    asyncio.run(asyncio.wait_for(run(), 60))
    assert len(calls) == 3


def test_periodic_task_survives_error():
    calls = []

    async def fails():
        calls.append(1)
        raise RuntimeError("once more")

    async def run():
        task = asyncio.create_task(Service(Options(()))._repeat(0.001, fails))
        while len(calls) < 3:
            await asyncio.sleep(0.01)
        assert not task.done()
        task.cancel()

    asyncio.run(asyncio.wait_for(run(), 60))


def test_watch_that_swallows_cancellation_ends_with_service(tmp_path, monkeypatch):
    """As `asyncio.wait_for` does before Python 3.12 if its future completes at that moment."""
    served.line(tmp_path / "1", 1)
    service = Service(Options((Source("line", str(tmp_path)),), watch=0.01))
    refresh, looks, looking = service._refresh_model, [], asyncio.Event()

    async def look(model):
        if not looks:  # the one at startup
            looks.append("first")
            return await refresh(model)
        looking.set()
        try:
            await asyncio.Event().wait()
        except asyncio.CancelledError:
            if "dropped" in looks:
                raise
            looks.append("dropped")

    async def run():
        async with service.running():
            await looking.wait()

    monkeypatch.setattr(service, "_refresh_model", look)
    asyncio.run(asyncio.wait_for(run(), 60))
    assert looks == ["first", "dropped"]


def test_freed_memory_is_released_above_threshold(monkeypatch):
    sizes, collected = iter([90 << 20, 80 << 20, 111 << 20, 113 << 20]), []
    monkeypatch.setattr(service_module, "resident_bytes", lambda: next(sizes))
    monkeypatch.setattr(service_module, "release_freed_memory", lambda: collected.append(1))
    service, counts = Service(Options(())), []

    async def run():
        for _ in range(4):
            await service._give_back_memory()
            counts.append(len(collected))

    asyncio.run(run())
    assert counts == [0, 0, 0, 1]
