"""The hint among an exception's notes."""


def hint_of(error: BaseException) -> str:
    return " ".join(getattr(error, "__notes__", []))
