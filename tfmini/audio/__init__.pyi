from tfmini._src.ops.signal.audio import decode_wav as decode_wav
from tfmini._src.ops.signal.audio import encode_wav as encode_wav
