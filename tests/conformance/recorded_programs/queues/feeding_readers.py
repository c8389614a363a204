"""Readers: whole files, lines, fixed-length records, TFRecords, identity; counts, states."""

import gzip
import os
import tempfile
import zlib

LETTERS = bytes(range(65, 91))
FILES = {
    "a.csv": b"x,y\n1.5,2\r\n-3,4\n",
    "empty": b"",
    "last": b"q,r\n7,8",
    "letters": LETTERS,
    "letters.z": zlib.compress(LETTERS),
}


def write(tf, folder):
    for name, text in FILES.items():
        with open(os.path.join(folder, name), "wb") as file:
            file.write(text)
    with gzip.GzipFile(os.path.join(folder, "letters.gz"), "wb", mtime=0) as file:
        file.write(LETTERS)
    with tf.python_io.TFRecordWriter(os.path.join(folder, "records")) as writer:
        for number in range(3):
            feature = tf.train.Feature(float_list=tf.train.FloatList(value=[number, 0.5]))
            features = tf.train.Features(feature={"x": feature})
            writer.write(tf.train.Example(features=features).SerializeToString())


def build(tf):
    folder = tempfile.mkdtemp()
    names = tf.placeholder(tf.string, [None], name="names")
    steps = [("write", lambda sess: write(tf, folder))]

    def paths(*files):
        return {names: [os.path.join(folder, f) if len(f) > 1 else f for f in files]}

    def add(title, reader, files, count, up_to=None):
        queue = tf.FIFOQueue(10, [tf.string], shapes=[[]], name=title.replace(" ", "_"))
        if up_to is None:
            key, value = reader.read(queue)
        else:
            key, value = reader.read_up_to(queue, up_to, name="several")
        key = tf.regex_replace(key, ".*/", "")
        fetches = [key, value]
        if files == ["records"]:
            fetches.append(
                tf.parse_single_example(value, {"x": tf.FixedLenFeature([2], tf.float32)})
            )
        if title == "csv":
            fetches.append(tf.decode_csv(value, [[0.0], [0]]))
        if title == "bytes":
            fetches.append(tf.decode_raw(value, tf.uint8))
        steps.append((title, queue.enqueue_many([names], name="fill"), paths(*files)))
        steps.extend((f"{title} {n}", fetches) for n in range(count))
        counts = [reader.num_records_produced(), reader.num_work_units_completed("done")]
        steps.append((title + " counts", counts))

    csv = tf.TextLineReader(skip_header_lines=1)
    add("csv", csv, ["a.csv", "empty", "last"], 3)
    add("lines", tf.TextLineReader(), ["a.csv", "empty", "last"], 3, up_to=2)
    add("whole", tf.WholeFileReader("whole_reader"), ["last", "empty"], 2)
    add("bytes", tf.FixedLengthRecordReader(5, 2, 3, 4), ["letters"], 5)
    add("zlib", tf.FixedLengthRecordReader(5, hop_bytes=9, encoding="ZLIB"), ["letters.z"], 2)
    add("gzip", tf.FixedLengthRecordReader(5, 2, encoding="GZIP"), ["letters.gz"] * 2, 6)
    add("records", tf.TFRecordReader(), ["records"], 3)
    identity = tf.IdentityReader(name="same")
    add("identity", identity, ["a", "b"], 2)
    state = identity.serialize_state()
    steps += [
        ("state", state),
        ("restore", [identity.restore_state(state, name="restore")]),
        ("reset", identity.reset()),
        ("after", [state, identity.num_records_produced()]),
    ]
    old = tf.ReaderBase(tf.raw_ops.WholeFileReader(name="old"), supports_serialize=True)
    add("old several", old, ["last", "empty"], 1, up_to=1)
    add("old single", old, ["empty"], 1)
    steps += [
        ("old reset", old.reset()),
        ("old state", old.serialize_state()),
        ("old restore", old.restore_state(b"\x08\x02\x10\x02\x18\x05")),
    ]
    options = tf.python_io.TFRecordOptions(tf.python_io.TFRecordCompressionType.GZIP)
    compressed = tf.TFRecordReader("compressed", options)
    shared = tf.train.match_filenames_once(tf.constant("*.none"), name="matching")
    return {
        "steps": steps,
        "facts": {
            "serialize": [csv.supports_serialize, identity.supports_serialize],
            "compressed": str(compressed.reader_ref.dtype),
            "matching": shared.name,
        },
    }
