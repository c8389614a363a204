"""WAV files against Python's wave, spectrograms and cepstral coefficients against their definitions."""

import io
import math
import wave

import numpy as np

from tests.conformance.samples import Sample

RANDOM = np.random.RandomState(25)
NUMBERS = RANDOM.randint(-32768, 32768, (9, 2)).astype("<i2")
SOUND = RANDOM.randn(50, 1).astype("f")
POWERS = RANDOM.rand(1, 3, 33).astype("f")
RATE = np.array(8000, "i4")


def text(data):
    array = np.empty((), object)
    array[()] = data
    return array


def file(numbers):
    into = io.BytesIO()
    with wave.open(into, "wb") as writer:
        writer.setparams((numbers.shape[1], 2, 8000, len(numbers), "NONE", ""))
        writer.writeframes(numbers.tobytes())
    return into.getvalue()


def spectra(sound, window, stride, squared):
    frames = []
    for start in range(0, len(sound) - window + 1, stride):
        part = sound[start : start + window, 0].astype("d")
        part = part * (0.5 - 0.5 * np.cos(2 * np.pi * np.arange(window) / window))
        size = 2 ** math.ceil(math.log2(window))
        angles = np.outer(np.arange(size // 2 + 1), np.arange(window)) * (-2 * np.pi / size)
        found = np.exp(1j * angles) @ part
        frames.append(np.abs(found) ** (2 if squared else 1))
    return np.array([frames], "f")


def cepstral(powers, rate, high=4000.0, low=20.0, count=40, wanted=13):
    def mel(f):
        return 1127 * math.log(1 + f / 700)

    spacing = rate / 2 / (powers.shape[2] - 1)
    edges = [mel(low) + (mel(high) - mel(low)) * n / (count + 1) for n in range(count + 2)]
    result = np.zeros((*powers.shape[:2], wanted))
    for at in np.ndindex(powers.shape[:2]):
        logs = []
        for band in range(count):
            total = 0.0
            for place in range(int(1.5 + low / spacing), int(high / spacing) + 1):
                m = mel(place * spacing)
                rise = (m - edges[band]) / (edges[band + 1] - edges[band])
                fall = (edges[band + 2] - m) / (edges[band + 2] - edges[band + 1])
                total += max(0.0, min(rise, fall)) * math.sqrt(powers[at][place])
            logs.append(math.log(max(total, 1e-12)))
        for k in range(wanted):
            parts = [v * math.cos(math.pi / count * k * (n + 0.5)) for n, v in enumerate(logs)]
            result[at][k] = math.sqrt(2 / count) * sum(parts)
    return result.astype("f")


FLOATS = (NUMBERS / 32768).astype("f")
SAMPLES = [
    Sample("DecodeWav", [text(file(NUMBERS))], {}, (FLOATS, RATE), static=False),
    Sample(
        "DecodeWav",
        [text(file(NUMBERS))],
        {"desired_channels": 3, "desired_samples": 12},
        (np.pad(FLOATS[:, [0, 1, 1]], ((0, 3), (0, 0))), RATE),
        note="more",
    ),
    Sample("EncodeWav", [FLOATS, RATE], {}, text(file(NUMBERS))),
    Sample(
        "AudioSpectrogram",
        [SOUND],
        {"window_size": 12, "stride": 5},
        spectra(SOUND, 12, 5, False),
        tolerance=1e-5,
    ),
    Sample(
        "AudioSpectrogram",
        [SOUND],
        {"window_size": 16, "stride": 20, "magnitude_squared": True},
        spectra(SOUND, 16, 20, True),
        note="squared",
    ),
    Sample("Mfcc", [POWERS, RATE], {}, cepstral(POWERS, 8000)),
    Sample(
        "Mfcc",
        [POWERS, RATE],
        {
            "upper_frequency_limit": 3500.0,
            "lower_frequency_limit": 300.0,
            "filterbank_channel_count": 8,
            "dct_coefficient_count": 8,
        },
        cepstral(POWERS, 8000, 3500.0, 300.0, 8, 8),
        note="few bands",
    ),
    Sample(
        "Mfcc",
        [POWERS, RATE],
        {"upper_frequency_limit": 20000.0},
        expect=lambda powers, rate: np.zeros((*powers.shape[:2], 13), "f"),
        note="bands above what was recorded",
    ),
]
