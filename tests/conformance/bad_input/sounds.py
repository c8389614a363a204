"""WAV files that are none or cut off, spectrograms of no windows, coefficients of no bands."""

import struct

import numpy as np


def wav(kind=1, channels=1, bits=16, size=16, data=b"\1\2\3\4"):
    form = struct.pack("<HHIIHH", kind, channels, 8000, 16000 * channels, 2 * channels, bits)
    body = b"WAVEfmt " + struct.pack("<I", size) + form + b"data" + struct.pack("<I", 4) + data
    return b"RIFF" + struct.pack("<I", len(body)) + body


def given(tf, value):
    return tf.placeholder_with_default(np.asarray(value), None)


def encoded_vector_at_run_time(tf):
    return tf.audio.encode_wav(given(tf, np.zeros([9], "f")), 8000)


def window_of_one(tf):
    return tf.raw_ops.AudioSpectrogram(input=tf.zeros([9, 1]), window_size=1, stride=1)


def spectrogram_of_a_vector(tf):
    return tf.raw_ops.AudioSpectrogram(input=given(tf, np.zeros([9], "f")), window_size=4, stride=1)


def windows_across_channels(tf):
    return tf.raw_ops.AudioSpectrogram(input=tf.zeros([9, 2]), window_size=4, stride=1)


def bands_above_their_end(tf):
    ones = tf.ones([1, 2, 65])
    return tf.raw_ops.Mfcc(spectrogram=ones, sample_rate=8000, upper_frequency_limit=10.0)


CASES = {
    "no_file": lambda tf: tf.audio.decode_wav(b"hello world").audio,
    "cut_off": lambda tf: tf.audio.decode_wav(wav()[:30]).audio,
    "less_than_it_says": lambda tf: tf.audio.decode_wav(wav(data=b"\1\2")).audio,
    "without_data": lambda tf: tf.audio.decode_wav(wav()[:36]).audio,
    "floats": lambda tf: tf.audio.decode_wav(wav(kind=3)).audio,
    "bytes_of_sound": lambda tf: tf.audio.decode_wav(wav(bits=8)).audio,
    "no_channels": lambda tf: tf.audio.decode_wav(wav(channels=0)).audio,
    "other_header": lambda tf: tf.audio.decode_wav(wav(size=40)).audio,
    "two_files": lambda tf: tf.audio.decode_wav([wav(), wav()]).audio,
    "negative_channels": lambda tf: tf.audio.decode_wav(wav(), desired_channels=-3).audio,
    "encoded_vector": lambda tf: tf.audio.encode_wav(tf.zeros([9]), 8000),
    "encoded_nothing": lambda tf: tf.audio.encode_wav(tf.zeros([0, 1]), 8000),
    "rate_of_nothing": lambda tf: tf.audio.encode_wav(tf.zeros([9, 1]), 0),
    "coefficients_of_two_axes": lambda tf: tf.raw_ops.Mfcc(
        spectrogram=tf.ones([2, 65]), sample_rate=8000
    ),
}
