"""Frames, windows, short-time spectra, cosine transforms and the mel scale."""

import numpy as np

TOLERANCE = 1e-4  # float32; the maximum difference was below 2e-5


def build(tf):
    random = np.random.RandomState(6)
    steps = []
    signal = tf.constant(random.uniform(-1, 1, [2, 23]).astype(np.float32), name="signal")
    unknown = tf.placeholder_with_default(signal, [None, None], name="unknown")

    def differentiate(name, made, x):
        with tf.name_scope("gradients_" + name):
            total = tf.real(made) ** 2 + tf.imag(made) if made.dtype.is_complex else made**2
            steps.append((name, [made, tf.gradients(total, x)[0]]))

    for name, window in (("hann", tf.signal.hann_window), ("hamming", tf.signal.hamming_window)):
        steps.append(
            (
                name,
                [
                    window(5),
                    window(6),
                    window(6, periodic=False),
                    window(1),
                    window(4, dtype=tf.float64),
                ],
            )
        )
    for name, x in (("known", signal), ("unknown", unknown)):
        differentiate("frame_" + name, tf.signal.frame(x, 5, 2), x)
        differentiate(
            "frame_padded_" + name, tf.signal.frame(x, 6, 4, pad_end=True, pad_value=1.5), x
        )
        differentiate("stft_" + name, tf.signal.stft(x, 6, 3), x)
    steps.append(("frame_axis", tf.signal.frame(tf.transpose(signal), 4, 3, axis=0)))
    stft = tf.signal.stft(signal, 8, 4, fft_length=16, pad_end=True)
    inverse = tf.signal.inverse_stft(
        stft, 8, 4, fft_length=16, window_fn=tf.signal.inverse_stft_window_fn(4)
    )
    differentiate("inverse", inverse, signal)
    steps.append(("inverse_plain", tf.signal.inverse_stft(stft[..., :3], 6, 6, window_fn=None)))
    differentiate("overlap", tf.signal.overlap_and_add(tf.signal.frame(signal, 5, 2), 2), signal)
    steps.append(("overlap_none", tf.signal.overlap_and_add(tf.signal.frame(unknown, 4, 4), 4)))
    for kind in (1, 2, 3):
        for norm in (None, "ortho")[: 1 if kind == 1 else 2]:
            name = f"dct_{kind}_{norm}"
            differentiate(name, tf.signal.dct(signal, type=kind, norm=norm), signal)
            steps.append((name + "_inverse", tf.signal.idct(unknown, type=kind, norm=norm)))
    steps.append(("dct_lengths", [tf.spectral.dct(signal, n=8), tf.signal.dct(signal, n=30)]))
    steps.append(("mfccs", tf.signal.mfccs_from_log_mel_spectrograms(signal)))
    steps.append(("mfccs_unknown", tf.signal.mfccs_from_log_mel_spectrograms(unknown)))
    steps.append(("mel", tf.signal.linear_to_mel_weight_matrix(5, 17)))
    steps.append(
        (
            "mel_more",
            tf.signal.linear_to_mel_weight_matrix(
                num_mel_bins=4,
                num_spectrogram_bins=9,
                sample_rate=16000,
                lower_edge_hertz=80.0,
                upper_edge_hertz=7600.0,
                dtype=tf.float64,
                name="mel",
            ),
        )
    )
    return {"steps": steps}
