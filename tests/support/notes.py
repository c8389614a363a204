"""The hint among an exception's notes."""


def read_hint(error: BaseException) -> str:
    return " ".join(getattr(error, "__notes__", []))
