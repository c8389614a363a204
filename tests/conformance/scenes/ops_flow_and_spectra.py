"""Conditions and loops at their edges: variables, summaries, structures, shapes, slopes; slopes of spectra, sounds."""

import numpy as np

from tests.conformance.scenes import unknown, with_gradients


def loops(tf, stage):
    slopes = with_gradients(tf)
    c = tf.constant
    loop = tf.while_loop

    def with_control():
        v = tf.Variable(0.0, use_resource=True)
        grow = v.assign_add(1.0)
        with tf.control_dependencies([grow]):
            made = loop(lambda i: i < 3, lambda i: i + 1, [c(0)])
        with tf.control_dependencies([made]):
            return made, v.read_value()

    def nested(x):
        def outer(i, s):
            _, s = loop(lambda j, _: j < i, lambda j, s: (j + 1, s * x), [c(0), s])
            return i + 1, s

        return loop(lambda i, _: i < 4, outer, [c(0), x])[1]

    sparse = lambda v: tf.SparseTensor([[1]], [v], [3])  # noqa: E731
    stage.each(
        {
            "control": with_control,
            "nested_slope": lambda: slopes(nested, c(1.5)),
            "limited": lambda: loop(lambda i: True, lambda i: i + 2, [c(0)], maximum_iterations=3),
            "same_structure": lambda: loop(
                lambda i: i < 2, lambda i: [i + 1], [c(0)], return_same_structure=True
            ),
            "no_back_prop": lambda: slopes(
                lambda x: loop(
                    lambda i, _: i < 2, lambda i, s: (i + 1, s * x), [c(0), x], back_prop=False
                )[1],
                c(2.0),
            ),
            "swapped": lambda: slopes(
                lambda x: loop(
                    lambda i, _: i < 2,
                    lambda i, s: (i + 1, s * x),
                    [c(0), x],
                    None,
                    1,
                    True,
                    True,
                    "own",
                )[1],
                c(2.0),
            ),
            "parallel_none": lambda: loop(
                lambda i: i < 2, lambda i: i + 1, [c(0)], parallel_iterations=0
            ),
            "parallel_float": lambda: loop(
                lambda i: i < 2, lambda i: i + 1, [c(0)], parallel_iterations=1.5
            ),
            "no_condition": lambda: loop(3, lambda i: i, [c(0)]),
            "no_body": lambda: loop(lambda i: i < 1, 3, [c(0)]),
            "more_results": lambda: loop(lambda i: i < 2, lambda i: (i + 1, i), [c(0)]),
            "shape_invariant": lambda: loop(
                lambda x: tf.size(x) < 3,
                lambda x: tf.concat([x, x], 0),
                [c([1.0])],
                [tf.TensorShape([None])],
            ),
            "shape_too_small": lambda: loop(
                lambda x: tf.size(x) < 3, lambda x: x, [c([1.0])], [tf.TensorShape([2])]
            ),
            "shape_spec": lambda: loop(
                lambda x: x < 3, lambda x: x + 1, [c(1.0)], [tf.TensorSpec([], tf.float32)]
            ),
            "dtype_changes": lambda: loop(lambda x: x < 3, lambda x: tf.to_float(x), [c(1)]),
            "sparse": lambda: loop(
                lambda i, s: i < 2,
                lambda i, s: (i + 1, sparse(s.values[0] + 1)),
                [c(0), sparse(1.0)],
            ),
            "sparse_invariant": lambda: loop(
                lambda i, s: i < 1,
                lambda i, s: (i + 1, tf.sparse.concat(0, [s, s])),
                [c(0), sparse(1.0)],
                [tf.TensorShape([]), tf.TensorShape([None])],
            ),
            "slices": lambda: (
                loop(
                    lambda i, s: i < 2,
                    lambda i, s: (i + 1, tf.IndexedSlices(s.values + 1, s.indices)),
                    [c(0), tf.IndexedSlices(c([[1.0]]), c([2]))],
                )[1].values
            ),
            "slices_slope": lambda: slopes(
                lambda x: loop(
                    lambda i, s: i < 3,
                    lambda i, s: (i + 1, s + tf.gather(x, [i])[0]),
                    [c(0), c(0.0)],
                )[1],
                c([1.0, 2.0, 3.0]),
            ),
            "condition_vector": lambda: loop(lambda x: x < 3, lambda x: x + 1, [c([1.0])]),
            "condition_number": lambda: loop(lambda x: x, lambda x: x - 1, [c(1)]),
        },
        graph="sum",
    )


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
            "rfft2d": lambda: slopes(lambda x: s.rfft2d(x, [2, 3]), c(waves)),
            "rfft2d_even": lambda: slopes(lambda x: s.rfft2d(x, [2, 4]), c(wave.reshape(1, 3, 4))),
            "irfft2d": lambda: slopes(lambda x: s.irfft2d(x, [2, 3]), c(spectrum.reshape(3, 2))),
            "irfft2d_even": lambda: slopes(lambda x: s.irfft2d(x), c(spectrum.reshape(2, 3))),
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
            "dct_fed": lambda: s.dct(tf.placeholder_with_default(wave, [None]), 2, norm="ortho"),
            "idct_ortho": lambda: [s.idct(wave[:5], t, norm="ortho") for t in (2, 3)],
            "stft_slope": lambda: slopes(lambda x: s.stft(x, 4, 2, 4), c(wave)),
            "inverse_slope": lambda: slopes(
                lambda x: s.inverse_stft(x, 4, 2), c(spectrum.reshape(2, 3))
            ),
            "frame_slope": lambda: slopes(lambda x: s.frame(x, 4, 3, True), c(wave)),
            "frame_inner": lambda: s.frame(fed(waves), 2, 1, axis=1),
            "frame_gcd": lambda: s.frame(
                wave, tf.placeholder_with_default(6, []), tf.placeholder_with_default(4, [])
            ),
            "frame_step_float": lambda: s.frame(wave, tf.placeholder_with_default(6, []), 2.0),
            "frame_axis_fed": lambda: s.frame(waves, 2, 1, axis=tf.placeholder_with_default(1, [])),
            "windows_fed": lambda: [
                f(tf.placeholder_with_default(n, []), p)
                for f in (s.hann_window, s.hamming_window)
                for n in (1, 4)
                for p in (True, False)
            ],
            "window_half": lambda: s.hann_window(5, dtype=tf.float16),
            "mel_tensor": lambda: s.linear_to_mel_weight_matrix(3, 5, tf.constant(8000)),
            "mel_fed": lambda: s.linear_to_mel_weight_matrix(
                3, 5, tf.placeholder_with_default(8000, [])
            ),
            "mel_rate": lambda: s.linear_to_mel_weight_matrix(3, 5, -1),
            "mel_bins": lambda: s.linear_to_mel_weight_matrix(
                3, tf.placeholder_with_default(5, [])
            ),
            "mel_defaults": lambda: s.linear_to_mel_weight_matrix(),
            "shifts": lambda: [
                s.fftshift(waves),
                s.ifftshift(waves),
                s.fftshift(waves, [0, 2]),
                s.ifftshift(wave[:5], -1),
            ],
            "wav_vector": lambda: raw.DecodeWav(contents=fed(np.array(["a"], object))),
            "wav_rates": lambda: tf.audio.encode_wav(wave[:, None], fed(np.array([8], "i"))),
            "wav_empty": lambda: tf.audio.encode_wav(np.zeros([0, 1], "f"), 8),
            "spectrogram_rank": lambda: raw.AudioSpectrogram(
                input=fed(wave), window_size=4, stride=2
            ),
            "spectrogram_two": lambda: raw.AudioSpectrogram(
                input=np.stack([wave, -wave], 1), window_size=4, stride=4
            ),
            "spectrogram_short": lambda: raw.AudioSpectrogram(
                input=wave[:2, None], window_size=4, stride=2
            ),
            "cepstra_rank": lambda: raw.Mfcc(spectrogram=fed(wave), sample_rate=8000),
            "cepstra_rate": lambda: raw.Mfcc(spectrogram=np.abs(waves), sample_rate=0),
            "cepstra_rates": lambda: raw.Mfcc(
                spectrogram=np.abs(waves), sample_rate=fed(np.array([8], "i"))
            ),
            "cepstra_low": lambda: raw.Mfcc(
                spectrogram=np.abs(waves), sample_rate=8000, lower_frequency_limit=5000.0
            ),
            "cepstra_count": lambda: raw.Mfcc(
                spectrogram=np.abs(waves), sample_rate=8000, dct_coefficient_count=50
            ),
            "cepstra_defaults": lambda: raw.Mfcc(
                spectrogram=np.abs(np.tile(wave, 11)[:129]).reshape(1, 1, 129), sample_rate=16000
            ),
            "cepstra_high": lambda: raw.Mfcc(
                spectrogram=np.abs(np.tile(wave, 11)[:129]).reshape(1, 1, 129), sample_rate=2000
            ),
        },
        graph="sum",
    )
