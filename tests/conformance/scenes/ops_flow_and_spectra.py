"""Edge cases of conditions and loops: variables, summaries, structures, shapes, gradients; spectra, audio."""

import numpy as np

from tests.conformance.scenes import unknown, with_gradients


def spectra_sloped(tf, stage):
    s, c, slopes = tf.signal, tf.constant, with_gradients(tf)
    wave = (np.arange(12, dtype="f") * 5 % 7 - 3) / 4
    waves = wave.reshape(2, 2, 3)
    spectrum = (wave[:6] + 1j * wave[6:]).astype("F")
    raw, fed = tf.raw_ops, unknown(tf)
    stage.each(
        {
            **{
                name: lambda name=name: slopes(getattr(s, name), c(spectrum.reshape(1, 2, 3)))
                for name in ("fft", "ifft", "fft2d", "ifft2d", "fft3d", "ifft3d")
            },
            **{f"rfft_{n}": lambda n=n: slopes(lambda x: s.rfft(x, [n]), c(wave)) for n in (9, 10)},
            **{
                f"irfft_{n}": lambda n=n: slopes(lambda x: s.irfft(x, [n]), c(spectrum))
                for n in (9, 10)
            },
            "irfft2d": lambda: slopes(lambda x: s.irfft2d(x, [2, 3]), c(spectrum.reshape(3, 2))),
            "rfft3d_slope": lambda: slopes(lambda x: s.rfft3d(x), c(waves)),
            "irfft3d": lambda: s.irfft3d(spectrum.reshape(1, 2, 3), [1, 2, 4]),
            "empty": lambda: [s.fft(np.zeros([0, 2], "F")), s.rfft2d(np.zeros([0, 2, 2], "f"))],
            "partly_known": lambda: [
                f(tf.placeholder_with_default(x, [None, 3]))
                for f, x in (
                    (s.rfft, wave.reshape(4, 3)),
                    (s.rfft2d, wave.reshape(4, 3)),
                    (s.irfft, spectrum.reshape(2, 3)),
                    (s.irfft2d, spectrum.reshape(2, 3)),
                )
            ],
            "dct_slope": lambda: [
                slopes(lambda x, t=t, n=n: s.dct(x, t, n), c(wave[:5]))
                for t, n in ((1, None), (2, 4), (2, 6), (3, None))
            ],
            "stft_slope": lambda: slopes(lambda x: s.stft(x, 4, 2, 4), c(wave)),
            "inverse_slope": lambda: slopes(
                lambda x: s.inverse_stft(x, 4, 2), c(spectrum.reshape(2, 3))
            ),
            "frame_gcd": lambda: s.frame(
                wave, tf.placeholder_with_default(6, []), tf.placeholder_with_default(4, [])
            ),
            "frame_axis_fed": lambda: s.frame(waves, 2, 1, axis=tf.placeholder_with_default(1, [])),
            "mel_tensor": lambda: s.linear_to_mel_weight_matrix(3, 5, tf.constant(8000)),
            "mel_fed": lambda: s.linear_to_mel_weight_matrix(
                3, 5, tf.placeholder_with_default(8000, [])
            ),
            "mel_rate": lambda: s.linear_to_mel_weight_matrix(3, 5, -1),
            "wav_vector": lambda: raw.DecodeWav(contents=fed(np.array(["a"], object))),
            "cepstra_rank": lambda: raw.Mfcc(spectrogram=fed(wave), sample_rate=8000),
            "cepstra_rates": lambda: raw.Mfcc(
                spectrogram=np.abs(waves), sample_rate=fed(np.array([8], "i"))
            ),
        },
        graph="sum",
    )
