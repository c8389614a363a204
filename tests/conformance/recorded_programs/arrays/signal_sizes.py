"""tf.signal where sizes are known only when the graph runs: frames, overlap and add, transforms and their inverses."""

import numpy as np

X = np.sin(np.arange(60.0, dtype="f")).reshape(2, 30)


def build(tf):
    x = tf.placeholder(tf.float32, [None, None], name="x")
    loose = tf.placeholder(tf.float32, None, name="loose")
    length = tf.placeholder_with_default(8, [], name="length")
    step = tf.placeholder_with_default(4, [], name="step")
    framed = [
        tf.signal.frame(x, length, step),
        tf.signal.frame(x, length, step, pad_end=True, pad_value=1.0, name="padded"),
        tf.signal.frame(loose, 8, step, axis=0),
        tf.signal.frame(loose, length, 4, axis=-1),
        tf.signal.frame(x, 8, 4),
    ]
    added = [
        tf.signal.overlap_and_add(framed[0], step),
        tf.signal.overlap_and_add(framed[4], 4),
        tf.signal.overlap_and_add(tf.reshape(x, [2, 6, 5]), step, name="added"),
    ]
    windows = [tf.signal.hann_window(length), tf.signal.hamming_window(length, periodic=False)]
    transformed = tf.signal.stft(x, length, step)
    back = tf.signal.inverse_stft(transformed, length, step, fft_length=8)
    small = tf.signal.stft(x, frame_length=8, frame_step=step, fft_length=length, pad_end=True)
    cosines = [tf.signal.dct(x), tf.signal.idct(x), tf.signal.mfccs_from_log_mel_spectrograms(x)]
    slope = tf.gradients(framed[0] ** 2, x)
    facts = {
        "shapes": [str(t.shape) for t in (*framed, *added, *windows, transformed, back, small)]
    }
    feeds = [{x: X, loose: X}, {x: X, loose: X, length: 6, step: 3}, {x: X, loose: X, step: 5}]
    steps = [(f"framed {i}", framed[:3], feed) for i, feed in enumerate(feeds[:1])]
    steps += [
        (f"frames {i}", [framed[0], framed[1], framed[4]], feed) for i, feed in enumerate(feeds)
    ]
    steps += [("axis", framed[3], feeds[0]), ("windows", windows, feeds[1])]
    steps += [(f"added {i}", added, feed) for i, feed in enumerate(feeds)]
    steps += [("stft", [transformed, back, small], feeds[0]), ("cosines", cosines, feeds[0])]
    steps.append(("slope", slope, feeds[0]))
    return {"facts": facts, "steps": steps}
