"""tf.audio: sound in WAV files."""

from tfmini.names.namespaces import namespace as _namespace
from tfmini.ops.signal.audio import decode_wav, encode_wav

__all__ = ["decode_wav", "encode_wav"]
_namespace(globals())
