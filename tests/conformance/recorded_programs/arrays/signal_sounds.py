"""WAV encoding and decoding, padded and truncated channels and samples; spectrograms, cepstral coefficients."""

import numpy as np


def build(tf):
    rng = np.random.RandomState(17)
    sound = tf.placeholder(tf.float32, [None, None], name="sound")
    file = tf.audio.encode_wav(sound, 16000)
    files = [
        file,
        *tf.audio.decode_wav(file),
        *tf.audio.decode_wav(file, desired_channels=1, desired_samples=100),
        *tf.audio.decode_wav(file, 3, 400, name="padded"),
    ]
    one = tf.constant(rng.randn(900, 1).astype("f"))
    both = tf.placeholder(tf.float32, [512, 2], name="both")
    raw = tf.raw_ops
    spectra = [
        raw.AudioSpectrogram(input=one, window_size=480, stride=160),
        raw.AudioSpectrogram(input=one, window_size=128, stride=300, magnitude_squared=True),
        raw.AudioSpectrogram(input=both, window_size=64, stride=64, magnitude_squared=True),
    ]
    squared = raw.AudioSpectrogram(input=one, window_size=400, stride=200, magnitude_squared=True)
    coefficients = [
        raw.Mfcc(spectrogram=squared, sample_rate=16000),
        raw.Mfcc(spectrogram=squared, sample_rate=8000, dct_coefficient_count=20, name="many"),
        raw.Mfcc(
            spectrogram=spectra[2],
            sample_rate=22050,
            upper_frequency_limit=8000.0,
            lower_frequency_limit=100.0,
            filterbank_channel_count=12,
            dct_coefficient_count=12,
        ),
    ]
    feed = {sound: rng.randn(300, 2) * 0.5, both: rng.randn(512, 2)}
    steps = [("files", files, feed), ("spectra", spectra, feed)]
    return {"steps": steps + [("coefficients", coefficients, feed)]}
