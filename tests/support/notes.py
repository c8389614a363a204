"""The hint of an error, which is one of its notes."""


def hint_of(error: BaseException) -> str:
    return " ".join(getattr(error, "__notes__", []))
