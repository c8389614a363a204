"""Invalid or truncated WAV files, spectrograms without windows, coefficients without bands."""

import struct

import numpy as np


def wav(kind=1, channels=1, bits=16, size=16, data=b"\1\2\3\4"):
    form = struct.pack("<HHIIHH", kind, channels, 8000, 16000 * channels, 2 * channels, bits)
    body = b"WAVEfmt " + struct.pack("<I", size) + form + b"data" + struct.pack("<I", 4) + data
    return b"RIFF" + struct.pack("<I", len(body)) + body


def given(tf, value):
    return tf.placeholder_with_default(np.asarray(value), None)


def bands_above_their_end(tf):
    ones = tf.ones([1, 2, 65])
    return tf.raw_ops.Mfcc(spectrogram=ones, sample_rate=8000, upper_frequency_limit=10.0)
