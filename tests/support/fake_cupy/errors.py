"""CuPy's exceptions, as raised by the emulator."""

NAMES = {
    0: ("cudaSuccess", "no error"),
    1: ("cudaErrorInvalidValue", "invalid argument"),
    2: ("cudaErrorMemoryAllocation", "out of memory"),
    3: ("cudaErrorInitializationError", "initialization error"),
    46: ("cudaErrorDevicesUnavailable", "CUDA-capable device(s) is/are busy or unavailable"),
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
    214: ("cudaErrorECCUncorrectable", "uncorrectable ECC error encountered"),
    400: ("cudaErrorInvalidResourceHandle", "invalid resource handle"),
    600: ("cudaErrorNotReady", "device not ready"),
    700: ("cudaErrorIllegalAddress", "an illegal memory access was encountered"),
    701: ("cudaErrorLaunchOutOfResources", "too many resources requested for launch"),
    702: ("cudaErrorLaunchTimeout", "the launch timed out and was terminated"),
    704: ("cudaErrorPeerAccessAlreadyEnabled", "peer access is already enabled"),
    705: ("cudaErrorPeerAccessNotEnabled", "peer access has not been enabled"),
    712: (
        "cudaErrorHostMemoryAlreadyRegistered",
        "part or all of the requested memory range is already mapped",
    ),
    713: (
        "cudaErrorHostMemoryNotRegistered",
        "pointer does not correspond to a registered memory region",
    ),
    719: ("cudaErrorLaunchFailure", "unspecified launch failure"),
    720: ("cudaErrorCooperativeLaunchTooLarge", "too many blocks in cooperative launch"),
    900: ("cudaErrorStreamCaptureUnsupported", "operation not permitted when stream is capturing"),
    901: (
        "cudaErrorStreamCaptureInvalidated",
        "operation failed due to a previous error during capture",
    ),
    904: ("cudaErrorStreamCaptureUnjoined", "capturing stream has unjoined work"),
    905: (
        "cudaErrorStreamCaptureIsolation",
        "dependency created on uncaptured work in another stream",
    ),
    906: (
        "cudaErrorStreamCaptureImplicit",
        "operation would make the legacy stream depend on a capturing blocking stream",
    ),
    907: (
        "cudaErrorCapturedEvent",
        "operation not permitted on an event last recorded in a capturing stream",
    ),
}


class CUDARuntimeError(RuntimeError):
    """A CUDA runtime call failed with `status`."""

    def __init__(self, status):
        self.status = status
        name, text = NAMES[status]
        super().__init__(f"{name}: {text}")

    def __reduce__(self):
        return type(self), (self.status,)


DRIVER = {
    1: ("CUDA_ERROR_INVALID_VALUE", "invalid argument"),
    400: ("CUDA_ERROR_INVALID_HANDLE", "invalid resource handle"),
    500: ("CUDA_ERROR_NOT_FOUND", "named symbol not found"),
}


class CUDADriverError(RuntimeError):
    """A CUDA driver call failed with `status`."""

    def __init__(self, status):
        self.status = status
        name, text = DRIVER[status]
        super().__init__(f"{name}: {text}")


class CompileException(Exception):
    """A source does not compile; the message is the compiler's log."""

    def __init__(self, msg, source, name, options, backend="nvrtc"):
        self._msg = msg
        self.source = source
        self.name = name
        self.options = options
        self.backend = backend
        super().__init__()

    def __str__(self):
        return self.get_message()

    def get_message(self):
        return self._msg


class OutOfMemoryError(MemoryError):
    """An allocation exceeds the limit of a pool or of the device."""

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
