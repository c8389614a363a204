"""The emulator's errors: violations of CUDA's or CuPy's rules that hardware would not report."""


class Violation(AssertionError):
    """An error that a real GPU may ignore, with occasionally wrong results."""


class CrossDeviceError(Violation, ValueError):
    """An array was used while another device was current."""


class RaceError(Violation):
    """Unordered accesses of two streams to the same memory, at least one of them a write."""


class UseAfterFreeError(Violation):
    """Memory was reallocated while another stream might still use it, or used after that."""


class HiddenSyncError(Violation):
    """The host synchronizes with the device where this is forbidden."""


class NotLaunchedError(Violation):
    """The result of captured work was read before the graph's launch."""


class HostRaceError(Violation):
    """The host modified pinned memory during a copy from it."""


class UndefinedError(Violation):
    """The result depends on the order of threads."""
