"""The exceptions of CuPy that the fake raises."""

NAMES = {
    0: ("cudaSuccess", "no error"),
    1: ("cudaErrorInvalidValue", "invalid argument"),
    2: ("cudaErrorMemoryAllocation", "out of memory"),
    35: (
        "cudaErrorInsufficientDriver",
        "CUDA driver version is insufficient for CUDA runtime version",
    ),
    100: ("cudaErrorNoDevice", "no CUDA-capable device is detected"),
    101: ("cudaErrorInvalidDevice", "invalid device ordinal"),
    217: (
        "cudaErrorPeerAccessUnsupported",
        "peer access is not supported between these two devices",
    ),
    400: ("cudaErrorInvalidResourceHandle", "invalid resource handle"),
    600: ("cudaErrorNotReady", "device not ready"),
    704: ("cudaErrorPeerAccessAlreadyEnabled", "peer access is already enabled"),
    705: ("cudaErrorPeerAccessNotEnabled", "peer access has not been enabled"),
    900: ("cudaErrorStreamCaptureUnsupported", "operation not permitted when stream is capturing"),
    901: (
        "cudaErrorStreamCaptureInvalidated",
        "operation failed due to a previous error during capture",
    ),
    904: (
        "cudaErrorStreamCaptureUnjoined",
        "capturing stream has unjoined work",
    ),
    905: (
        "cudaErrorStreamCaptureIsolation",
        "dependency created on uncaptured work in another stream",
    ),
    906: (
        "cudaErrorStreamCaptureImplicit",
        "operation would make the legacy stream depend on a capturing blocking stream",
    ),
}


class CUDARuntimeError(RuntimeError):
    """A CUDA runtime call failed; `status` is its number."""

    def __init__(self, status):
        self.status = status
        name, text = NAMES[status]
        super().__init__(f"{name}: {text}")

    def __reduce__(self):
        return type(self), (self.status,)


class OutOfMemoryError(MemoryError):
    """A pool cannot give what is asked for: a limit of the pool, or of the card."""

    def __init__(self, size, total, limit=0):
        self._size = size
        self._total = total
        self._limit = limit
        if limit == 0:
            text = f"Out of memory allocating {size:,} bytes (allocated so far: {total:,} bytes)."
        else:
            text = (
                f"Out of memory allocating {size:,} bytes (allocated so far: {total:,} bytes,"
                f" limit set to: {limit:,} bytes)."
            )
        super().__init__(text)

    def __reduce__(self):
        return type(self), (self._size, self._total, self._limit)


class DeviceSynchronized(RuntimeError):
    """Raised where cupyx.allow_synchronize(False) forbids that the host waits."""
