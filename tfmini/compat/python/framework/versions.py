"""`tensorflow.python.framework.versions`: the versions of TensorFlow that tfmini runs programs of."""

from tfmini._src.base.version import GIT_VERSION, VERSION

__git_version__ = GIT_VERSION
__version__ = VERSION

__all__ = ["GIT_VERSION", "VERSION", "__git_version__", "__version__"]
