"""The contents of the golden record files. Also runs under Python 3.7."""

RECORDS = [b"hello", b"", b"x" * 1000, bytes(range(256)) * 5]


def examples(tf):
    """Two Examples with the same features."""
    for i in range(2):
        feature = {
            "image": tf.train.Feature(bytes_list=tf.train.BytesList(value=[bytes(range(20))])),
            "label": tf.train.Feature(int64_list=tf.train.Int64List(value=[i])),
            "weights": tf.train.Feature(float_list=tf.train.FloatList(value=[0.5, 1.5 + i])),
        }
        yield tf.train.Example(features=tf.train.Features(feature=feature))
