from tfmini._src.ops.signal.wav_audio_spectrogram import decode_wav as decode_wav
from tfmini._src.ops.signal.wav_audio_spectrogram import encode_wav as encode_wav
