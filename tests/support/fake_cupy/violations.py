"""The errors of the fake: each breach of CUDA's or CuPy's rules that a real card would not report."""


class Violation(AssertionError):
    """A mistake that a real GPU may let pass, with wrong numbers now and then."""


class CrossDeviceError(Violation, ValueError):
    """An array was used while another device than its own was current."""


class RaceError(Violation):
    """Two streams touch the same memory, one of them writing, and nothing orders them."""


class UseAfterFreeError(Violation):
    """Memory was given to a new owner while another stream may still be using it, or used after that."""


class HiddenSyncError(Violation):
    """The host waits for the device where the caller has promised that it does not."""


class NotLaunchedError(Violation):
    """The result of work that a capture only recorded was read before the graph was launched."""


class HostRaceError(Violation):
    """Pinned memory was changed by the host while a copy from it was under way."""


class UndefinedError(Violation):
    """The result depends on which thread comes last."""
