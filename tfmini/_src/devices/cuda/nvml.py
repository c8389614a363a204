"""Card information from NVIDIA's management library (NVML), without starting CUDA; empty if it is not installed."""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import dataclass
from types import ModuleType
from typing import Any


@dataclass(frozen=True)
class ManagedCard:
    """A card, or a MIG instance of one, as NVML reports it.

    uuid: its own id, without the prefix "GPU-" or "MIG-".
    bus_id: PCI bus id in CUDA's format; MIG instances have their card's.
    is_part: whether it is a MIG instance.
    processes: ids of its compute processes, with their bytes, or None if unavailable.
    """

    uuid: str
    bus_id: str
    is_part: bool
    total_bytes: int
    free_bytes: int
    processes: tuple[tuple[int, int | None], ...] = ()


@dataclass(frozen=True)
class Management:
    """Card information from NVML.

    driver: its version; "" if unknown.
    cards: all cards, hidden ones included, or their MIG instances; None if unknown.
    """

    driver: str = ""
    cards: tuple[ManagedCard, ...] | None = None

    def card(self, uuid: str, bus_id: str) -> ManagedCard | None:
        """The card with this id; without an id, the unpartitioned card in this slot."""
        cards = self.cards or ()
        matches = [card for card in cards if card.uuid == uuid]
        matches += [card for card in cards if not card.is_part and card.bus_id == bus_id]
        return matches[0] if matches else None

    def count_visible(self, entries: list[str] | None) -> int | None:
        """Number of cards that CUDA sees, given the entries of CUDA_VISIBLE_DEVICES; None if NVML cannot tell."""
        if self.cards is None:
            return None
        if any(
            card.is_part for card in self.cards
        ):  # CUDA exposes at most one MIG instance to a process
            matches = self._find_cards(entries[0]) if entries else []
            return 1 if len(matches) == 1 and matches[0].is_part else None
        if entries is None:
            return len(self.cards)
        named: list[ManagedCard] = []
        for entry in entries:
            matches = self._find_cards(entry)
            if len(matches) != 1:  # unknown or ambiguous: CUDA stops here
                break
            named += matches
        return len(named) if len(set(named)) == len(named) else None

    def _find_cards(self, entry: str) -> list[ManagedCard]:
        cards = self.cards or ()
        if entry.isdecimal():
            return list(cards[int(entry) : int(entry) + 1])
        prefix, _, begin = entry.lower().partition("-")
        return [c for c in cards if c.is_part == (prefix == "mig") and c.uuid.startswith(begin)]


def management() -> Management:
    """Queries NVML through the module `pynvml` of the package nvidia-ml-py."""
    try:
        import pynvml as nvml  # noqa: PLC0415  optional

        nvml.nvmlInit()
    except ImportError:
        return Management()
    except nvml.NVMLError:  # no driver, or an unusual container
        return Management()
    try:
        driver = _text(nvml.nvmlSystemGetDriverVersion())
        handles = [nvml.nvmlDeviceGetHandleByIndex(n) for n in range(nvml.nvmlDeviceGetCount())]
        return Management(driver, tuple(card for h in handles for card in _cards(nvml, h)))
    except nvml.NVMLError:
        return Management()
    finally:
        nvml.nvmlShutdown()


def _cards(nvml: ModuleType, handle: Any) -> Iterator[ManagedCard]:
    """The card of a handle, or its MIG instances."""
    bus_id = short_bus_id(_text(nvml.nvmlDeviceGetPciInfo(handle).busId))
    parts = list(_parts(nvml, handle))
    for part in parts or [handle]:
        facts = nvml.nvmlDeviceGetMemoryInfo(part)
        uuid = _text(nvml.nvmlDeviceGetUUID(part)).lower().partition("-")[2]
        sizes = int(facts.total), int(facts.free)
        yield ManagedCard(uuid, bus_id, bool(parts), *sizes, _processes(nvml, part))


def _parts(nvml: ModuleType, handle: Any) -> Iterator[Any]:
    """The handles of a card's MIG parts, if it is divided."""
    try:
        if not nvml.nvmlDeviceGetMigMode(handle)[0]:
            return
    except nvml.NVMLError:  # no MIG support
        return
    for index in range(nvml.nvmlDeviceGetMaxMigDeviceCount(handle)):
        try:
            yield nvml.nvmlDeviceGetMigDeviceHandleByIndex(handle, index)
        except nvml.NVMLError:  # unused MIG index
            continue


def _processes(nvml: ModuleType, handle: Any) -> tuple[tuple[int, int | None], ...]:
    try:
        processes = nvml.nvmlDeviceGetComputeRunningProcesses(handle)
    except nvml.NVMLError:  # no permission
        return ()
    return tuple((process.pid, process.usedGpuMemory) for process in processes)


def other_processes(uuid: str, bus_id: str) -> tuple[tuple[int, int], ...]:
    """Other processes on a card, with the bytes that each uses, largest first.

    Returns None if this process is not listed, as in a container, where process ids differ.
    """
    card = management().card(uuid, bus_id)
    processes = {} if card is None else dict(card.processes)
    if os.getpid() not in processes:
        return ()
    users = [(pid, size) for pid, size in processes.items() if size and pid != os.getpid()]
    return tuple(sorted(users, key=lambda other: -other[1]))


def short_bus_id(text: str) -> str:
    """A bus id as CUDA writes it: NVML's domain has eight digits, "00000000:3B:00.0"."""
    domain, _, rest = text.partition(":")
    return f"{domain[-4:]}:{rest}".lower()


def _text(value: str | bytes) -> str:
    return value.decode() if isinstance(value, bytes) else value
