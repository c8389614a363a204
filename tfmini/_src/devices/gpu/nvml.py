"""The cards by NVIDIA's management library, without starting CUDA; nothing where it is not installed."""

from __future__ import annotations

from dataclasses import dataclass, field


@dataclass(frozen=True)
class Management:
    """Facts from NVML.

    driver: its version; "" if unknown.
    memory: for the bus id of a card: its total and free bytes.
    """

    driver: str = ""
    memory: dict[str, tuple[int, int]] = field(default_factory=dict)


def management() -> Management:
    """Asks NVML, through the module `pynvml` of the package nvidia-ml-py."""
    try:
        import pynvml as nvml  # noqa: PLC0415  optional

        nvml.nvmlInit()
    except ImportError:
        return Management()
    except nvml.NVMLError:  # no driver, or an odd container
        return Management()
    try:
        driver = nvml.nvmlSystemGetDriverVersion()
        memory = {}
        for index in range(nvml.nvmlDeviceGetCount()):
            handle = nvml.nvmlDeviceGetHandleByIndex(index)
            bus_id = _text(nvml.nvmlDeviceGetPciInfo(handle).busId)
            facts = nvml.nvmlDeviceGetMemoryInfo(handle)
            memory[short_bus_id(bus_id)] = (int(facts.total), int(facts.free))
        return Management(_text(driver), memory)
    except nvml.NVMLError:
        return Management()
    finally:
        nvml.nvmlShutdown()


def short_bus_id(text: str) -> str:
    """A bus id as CUDA writes it: NVML's domain has eight digits, "00000000:3B:00.0"."""
    domain, _, rest = text.partition(":")
    return f"{domain[-4:]}:{rest}".lower()


def _text(value: str | bytes) -> str:
    return value.decode() if isinstance(value, bytes) else value
