"""Filename patterns, files read and written by ops, records."""

import os
import struct


def _filled(stage, *names):
    for name in names:
        path = os.path.join(stage.folder, name)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "wb") as file:
            file.write(name.encode())


def _part(stage):
    return stage.folder + "/"


def patterns(tf, stage):
    names = [
        "a.txt",
        "b.txt",
        "ab.txt",
        "c",
        ".hidden",
        "A.txt",
        "a-b",
        "a]b",
        "d/a.txt",
        "d/b/c.txt",
    ]
    names += [
        "e/a.txt",
        "e/b/c.txt",
        "d*/x",
        "q?",
        "[z]",
        "d/.h/y",
        "back\\slash",
        "a1",
        "a2",
        "a^",
    ]
    _filled(stage, *names)
    os.symlink("none", stage.folder + "/broken.txt")
    given = [
        "*",
        "*.txt",
        "?.txt",
        "??.txt",
        "[ab].txt",
        "[a-b].txt",
        "[!a].txt",
        "[^a].txt",
        "[]]",
        "a[]-]b",
    ]
    given += [
        "d/*",
        "*/a.txt",
        "*/*/*",
        "*/b/*.txt",
        "**",
        "**/c.txt",
        "d\\*/x",
        "d[*]/x",
        "q[?]",
        "q\\?",
        "[[]z[]]",
    ]
    given += [
        "a[0-9]",
        "a[!0-9]",
        "a[^0-9]",
        "a[\\^]",
        "a[",
        "a[]",
        ".*",
        "*/.*",
        "none*",
        "none/*",
        "d/",
        "d/*/",
        "*/",
    ]
    given += [
        "A*",
        "?.TXT",
        "back*",
        "back\\\\slash",
        "d/../*.txt",
        "./*.txt",
        "a.txt",
        "a.tx",
        "broken.*",
        "",
        "a[b-a]",
    ]
    given += [
        "d//*",
        "*//a.txt",
        "d//b/*",
        "d//b/c.txt",
        "d//*/*",
        "d/b//*",
        "c/*",
        "d/b/[a-z].txt",
        "[a-d]",
        "{a,b}.txt",
        "*.*",
        "*b*",
        "a?",
        "a??",
    ]
    with tf.Session() as session:
        pattern = tf.placeholder(tf.string, None)
        found = tf.matching_files(pattern)
        for name in given:
            stage.say(name)
            stage.attempt(lambda n=name: sorted(tf.gfile.Glob(stage.folder + "/" + n)))
            stage.attempt(lambda n=name: session.run(found, {pattern: _part(stage) + n}).tolist())
        many = [_part(stage) + n for n in ("?.txt", "a*", "none", "?.txt")]
        stage.attempts(
            lambda: session.run(found, {pattern: many}).tolist(),
            lambda: session.run(found, {pattern: []}),
            lambda: session.run(found, {pattern: [many]}),
            lambda: tf.matching_files(many, name="own").shape,
            lambda: tf.io.matching_files(3),
            lambda: sorted(tf.io.gfile.glob(many)),
            lambda: sorted(tf.io.gfile.glob([])),
            lambda: sorted(x for m in [many] for x in tf.gfile.Glob(m)),
        )
        data = tf.data.Dataset.list_files(_part(stage) + "?.txt", shuffle=False)
        following = data.make_one_shot_iterator().get_next()
        stage.attempts(*[lambda: session.run(following)] * 6)
        stage.attempt(lambda: list(tf.train.match_filenames_once(many, "own").op.node_def.input))


def files_of_ops(tf, stage):
    _filled(stage, "a", "d/b")
    place, content = tf.placeholder(tf.string, None), tf.placeholder(tf.string, None)
    read, write = tf.read_file(place, name="in"), tf.write_file(place, content, name="out")
    at = _part(stage)
    with tf.Session() as session:
        stage.attempts(
            lambda: session.run(read, {place: at + "a"}),
            lambda: session.run(read, {place: at + "none"}),
            lambda: session.run(read, {place: at + "d"}),
            lambda: session.run(read, {place: ""}),
            lambda: session.run(read, {place: [at + "a"]}),
            lambda: session.run(write, {place: at + "new", content: b"\0\xff\n"}),
            lambda: session.run(read, {place: at + "new"}),
            lambda: session.run(write, {place: at + "new", content: b""}),
            lambda: session.run(read, {place: at + "new"}),
            lambda: session.run(write, {place: at + "x/y/z", content: b"deep"}),
            lambda: session.run(read, {place: at + "x/y/z"}),
            lambda: session.run(write, {place: at + "a/z", content: b"deep"}),
            lambda: session.run(write, {place: at + "d", content: b"deep"}),
            lambda: session.run(write, {place: "", content: b"deep"}),
            lambda: session.run(write, {place: at + "b", content: [b"deep"]}),
            lambda: session.run(write, {place: [at + "b"], content: b"deep"}),
            lambda: (read.shape, write.type, tf.read_file("x").shape),
            lambda: tf.read_file(["x"]),
            lambda: tf.write_file("x", ["y"]),
            lambda: tf.read_file(3),
            lambda: (
                session.run(tf.sharded_filename(at + "m", 1, 3))
                if hasattr(tf, "sharded_filename")
                else 0
            ),
            lambda: session.run(tf.raw_ops.ShardedFilename(basename="m", shard=7, num_shards=123)),
            lambda: session.run(tf.raw_ops.ShardedFilespec(basename="m", num_shards=3)),
            lambda: session.run(
                tf.raw_ops.ShardedFilename(basename="m", shard=-1, num_shards=100000)
            ),
        )
        stage.files()
        stage.files(stage.folder + "/x/y")


def records(tf, stage):
    path, io = stage.folder + "/r", tf.python_io
    options = io.TFRecordOptions
    kinds = io.TFRecordCompressionType

    def written(*records, how=None, name="r"):
        with io.TFRecordWriter(stage.folder + "/" + name, how) as writer:
            for record in records:
                writer.write(record)

    def read(how=None, name="r"):
        found = []
        try:
            for record in io.tf_record_iterator(stage.folder + "/" + name, how):
                found.append(record)
        except tf.errors.OpError as error:
            found.append((type(error).__name__, error.message.split("\n")[0]))
        return found

    written(b"", b"one", b"x" * 10)
    with open(path, "rb") as file:
        whole = file.read()
    stage.say(len(whole), struct.unpack("<Q", whole[:8]), whole[16:24], read())
    for name, data in {
        "in_length": whole[:3],
        "in_header": whole[:20],
        "in_record": whole[:30],
        "in_footer": whole[:33],
        "at_end": whole[: 16 + 19],
        "in_last": whole[:-1],
        "length": b"\1" + whole[1:],
        "crc": whole[:9] + b"\0" + whole[10:],
        "data": whole[:29] + b"?" + whole[30:],
        "footer": whole[:-1] + b"\0",
        "behind": whole + b"more",
        "empty": b"",
        "text": b"text" * 9,
    }.items():
        with open(path, "wb") as file:
            file.write(data)
        stage.say(name, read())
    for how in (
        None,
        "",
        "GZIP",
        "ZLIB",
        0,
        1,
        2,
        kinds.GZIP,
        options("ZLIB"),
        options(kinds.NONE),
    ):
        written(b"a" * 100, b"b", how=how)
        stage.say(
            os.path.getsize(path) > 100,
            [read(x) == [b"a" * 100, b"b"] for x in ("", "GZIP", "ZLIB")],
        )
    written(b"a" * 100, b"b", how="GZIP")
    with open(path, "rb") as file:
        squeezed = file.read()
    for cut in (0, 5, 12, -12, -4):
        with open(path, "wb") as file:
            file.write(squeezed[:cut])
        stage.attempt(read, "GZIP")
    given = options("GZIP", 1, 2, 3, 4, 5, 6, 7, 0)
    named = options(
        compression_type="ZLIB",
        flush_mode=1,
        input_buffer_size=2,
        output_buffer_size=3,
        window_bits=4,
        compression_level=5,
        compression_method=6,
        mem_level=7,
        compression_strategy=8,
    )
    stage.say(sorted(vars(given).items(), key=str), sorted(vars(named).items(), key=str))
    stage.say(
        sorted(vars(options()).items(), key=str), sorted(options.compression_type_map.items())
    )
    text = options.get_compression_type_string
    stage.attempts(
        lambda: [
            text(x)
            for x in (None, "", "GZIP", "ZLIB", 0, 1, 2, options("GZIP"), options(options(1)))
        ],
        lambda: text(3),
        lambda: options("BZ2"),
        lambda: written("text"),
        lambda: written(3),
        lambda: written(bytearray(b"bytes")),
        lambda: written(b"x", name="none/r"),
        lambda: written(b"x", name=""),
        lambda: read(name="none"),
        lambda: next(io.tf_record_iterator(path, "BZ2")),
    )
    writer = io.TFRecordWriter(path)
    writer.write(b"kept")
    writer.flush()
    stage.say(read())
    writer.close()
    stage.attempts(lambda: writer.write(b"late"), lambda: writer.flush(), lambda: writer.close())
    with stage.failing(), io.TFRecordWriter(path) as writer:
        writer.write(b"before")
        raise KeyError("mine")
    stage.say(read())
    written(b"again")
    stage.say(read())
