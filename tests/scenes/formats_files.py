"""Patterns of file names, files that ops read and write, records, slices in checkpoints of both formats."""

import os
import struct

import numpy as np


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
        lambda: text("gzip"),
        lambda: options("BZ2"),
        lambda: options(7),
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
    stage.attempts(
        lambda: writer.write(b"late"),
        lambda: writer.flush(),
        lambda: writer.close(),
        lambda: read(),
    )
    with stage.failing(), io.TFRecordWriter(path) as writer:
        writer.write(b"before")
        raise KeyError("mine")
    stage.say(read())
    written(b"again")
    stage.say(read())


_SPECS = [
    *(
        "",
        "4 3 -:-",
        "4 3 0,2:-",
        "4 3 1,2:0,3",
        "4 3 3,1:1,1",
        "4 3 -:1,2",
        "4 3 2,2:2,1",
        "4 3",
        "4",
        "-",
    ),
    *(
        "4 3 0,5:-",
        "4 3 -1,2:-",
        "4 3 0,0:-",
        "4 3 1:-",
        "4 3 1,2,3:-",
        "4 x -:-",
        "4 3 -",
    ),
    *(
        "4 3 -:-:-",
        "4 3 a,b:-",
        "5 3 -:-",
        "4  3 -:-",
        " 4 3 -:-",
        "4 3 -:- ",
        "4 3 0,1:-:",
        "4 3 4,1:-",
    ),
]


def slices(tf, stage):
    """What parts of a tensor may be saved and restored, in either format."""
    matrix = np.arange(12, dtype="f").reshape(4, 3)
    raw, at = tf.raw_ops, _part(stage)
    with tf.Session() as session:
        name = tf.placeholder(tf.string, [])
        spec = tf.placeholder(tf.string, [])
        value = tf.placeholder(tf.float32, None)
        save2 = raw.SaveV2(
            prefix=name, tensor_names=["m"], shape_and_slices=[spec], tensors=[value], name="s2"
        )
        save1 = raw.SaveSlices(
            filename=name, tensor_names=["m"], shapes_and_slices=[spec], data=[value], name="s1"
        )
        back2 = raw.RestoreV2(
            prefix=name, tensor_names=["m"], shape_and_slices=[spec], dtypes=[tf.float32], name="r2"
        )
        back1 = raw.RestoreSlice(
            file_pattern=name, tensor_name="m", shape_and_slice=spec, dt=tf.float32, name="r1"
        )
        for save, whole, back in ((save2, "w2", back2), (save1, "w1", back1)):
            session.run(save, {name: at + whole, spec: "", value: matrix})
            for each in _SPECS:
                stage.say(save.name, each)
                part = {spec: each, name: at + "part_" + whole}
                for given in (matrix, matrix[1:3], matrix[:, 1:]):
                    with stage.failing():
                        session.run(save, {**part, value: given})
                        reader = tf.train.NewCheckpointReader(at + "part_" + whole)
                        stage.say(reader.get_variable_to_shape_map(), np.shape(given))
                        stage.attempt(session.run, back, {**part, spec: ""})
                        stage.attempt(session.run, back, part)
                stage.attempt(session.run, back, {name: at + whole, spec: each})


def parts(tf, stage):
    """Several parts of one tensor, and what does not fit."""
    raw, at = tf.raw_ops, _part(stage)
    rows = np.arange(28.0).reshape(7, 4)
    with tf.Session() as session:
        cases = {
            "two": [("0,3:-", rows[:3]), ("3,4:-", rows[3:])],
            "hole": [("0,3:-", rows[:3]), ("4,3:-", rows[4:])],
            "overlap": [("0,4:-", rows[:4]), ("3,4:-", rows[3:])],
            "corners": [("0,3:0,2", rows[:3, :2]), ("0,3:2,2", rows[:3, 2:]), ("3,4:-", rows[3:])],
            "too_small": [("0,3:-", rows[:2]), ("3,4:-", rows[3:])],
        }
        asked = ["", "7 4 -:-", "7 4 2,3:-", "7 4 0,3:1,2", "7 4 2,1:3,1", "7 5 -:-", "7 4 6,1:-"]
        for name, given in cases.items():
            stage.say(name)
            specs = ["7 4 " + spec for spec, _ in given]
            values = [tf.constant(value) for _, value in given]
            names = ["p"] * len(given)
            for save in (
                raw.SaveV2(
                    prefix=at + name, tensor_names=names, shape_and_slices=specs, tensors=values
                ),
                raw.SaveSlices(
                    filename=at + name + "1",
                    tensor_names=names,
                    shapes_and_slices=specs,
                    data=values,
                ),
            ):
                stage.attempt(session.run, save)
            for each in asked:
                for back in (
                    raw.RestoreV2(
                        prefix=at + name,
                        tensor_names=["p"],
                        shape_and_slices=[each],
                        dtypes=[tf.float64],
                    )[0],
                    raw.RestoreSlice(
                        file_pattern=at + name + "1",
                        tensor_name="p",
                        shape_and_slice=each,
                        dt=tf.float64,
                    ),
                ):
                    stage.attempt(session.run, back)
        for op in (
            lambda: raw.SaveV2(
                prefix=at + "x", tensor_names=["a"], shape_and_slices=["", ""], tensors=[rows]
            ),
            lambda: raw.SaveV2(
                prefix=at + "x", tensor_names=["a", "b"], shape_and_slices=["", ""], tensors=[rows]
            ),
            lambda: raw.SaveV2(
                prefix=at + "x", tensor_names=[["a"]], shape_and_slices=[""], tensors=[rows]
            ),
            lambda: raw.SaveV2(
                prefix=[at + "x"], tensor_names=["a"], shape_and_slices=[""], tensors=[rows]
            ),
            lambda: raw.SaveV2(
                prefix=at + "none/x", tensor_names=["a"], shape_and_slices=[""], tensors=[rows]
            ),
            lambda: raw.Save(
                filename=at + "o", tensor_names=["a", "b"], data=[rows, [True, False]]
            ),
            lambda: raw.Save(filename=at + "o", tensor_names=["a", "a"], data=[rows, rows]),
            lambda: raw.Save(filename=at + "none/o", tensor_names=["a"], data=[rows]),
            lambda: raw.Restore(file_pattern=at + "o", tensor_name="b", dt=tf.bool),
            lambda: raw.Restore(file_pattern=at + "o", tensor_name="b", dt=tf.int32),
            lambda: raw.Restore(file_pattern=at + "o", tensor_name="c", dt=tf.bool),
            lambda: raw.Restore(
                file_pattern=at + "o*", tensor_name="b", dt=tf.bool, preferred_shard=0
            ),
            lambda: raw.Restore(file_pattern=at + "none*", tensor_name="b", dt=tf.bool),
            lambda: raw.RestoreV2(
                prefix=at + "two", tensor_names=["p"], shape_and_slices=[""], dtypes=[tf.float32]
            ),
            lambda: raw.RestoreV2(
                prefix=at + "two", tensor_names=["q"], shape_and_slices=[""], dtypes=[tf.float32]
            ),
            lambda: raw.RestoreV2(
                prefix=at + "two",
                tensor_names=["p", "p"],
                shape_and_slices=[""],
                dtypes=[tf.float64],
            ),
            lambda: raw.RestoreV2(
                prefix=at + "none", tensor_names=["p"], shape_and_slices=[""], dtypes=[tf.float64]
            ),
            lambda: raw.MergeV2Checkpoints(checkpoint_prefixes=[], destination_prefix=at + "m"),
            lambda: raw.MergeV2Checkpoints(
                checkpoint_prefixes=[at + "none"], destination_prefix=at + "m"
            ),
        ):
            stage.attempt(lambda o=op: session.run(o()))


def stored_kinds(tf, stage):
    """A tensor of each dtype, in either format, as readers show them."""
    raw, at = tf.raw_ops, _part(stage)
    values = {
        "half": np.array([1.5, -2], np.float16),
        "double": np.array([[1e300, -0.0]]),
        "float": np.float32([np.inf, np.nan]),
        "int8": np.array([-128, 127], np.int8),
        "uint8": np.array([0, 255], np.uint8),
        "int16": np.array([-32768], np.int16),
        "uint16": np.array([65535], np.uint16),
        "int32": np.array(-(2**31)),
        "int64": np.array([2**63 - 1, -(2**63)]),
        "bool": np.array([True, False]),
        "complex64": np.array([1 + 2j], np.complex64),
        "complex128": np.array([1 - 2j]),
        "text": np.array([b"", b"a\0b", b"x" * 300], object),
        "empty": np.zeros([0, 3], np.float32),
        "none": np.array([], object),
        "scalar": np.float32(7),
    }
    with tf.Session() as session:
        tensors = {name: tf.constant(value) for name, value in values.items() if name != "none"}
        tensors["uint32"] = tf.bitcast(tf.constant([-1]), tf.uint32)
        tensors["uint64"] = tf.bitcast(tf.constant(-1, tf.int64), tf.uint64)
        tensors["bfloat16"] = tf.cast([1.0, 3.14159], tf.bfloat16)
        tensors["none"] = tf.constant([], tf.string)
        tensors["quantized"] = tf.bitcast(tf.constant([3, 4], tf.uint8), tf.quint8)
        names = sorted(tensors)
        ordered = [tensors[name] for name in names]
        session.run(
            raw.SaveV2(
                prefix=at + "v2",
                tensor_names=names,
                shape_and_slices=[""] * len(names),
                tensors=ordered,
            )
        )
        olds = []
        for name in names:
            with stage.failing():
                session.run(raw.Save(filename=at + name, tensor_names=[name], data=[tensors[name]]))
                olds.append(name)
        back = raw.RestoreV2(
            prefix=at + "v2",
            tensor_names=names,
            shape_and_slices=[""] * len(names),
            dtypes=[tensors[name].dtype for name in names],
        )
        for name, value in zip(names, back):
            stage.attempt(session.run, value) if name != "bfloat16" else None
        reader = tf.train.NewCheckpointReader(at + "v2")
        stage.say(sorted(reader.get_variable_to_shape_map().items()))
        stage.say(sorted(reader.get_variable_to_dtype_map().items()))
        stage.say(sorted(reader.debug_string().decode().split("\n")))
        stage.attempts(
            lambda: (reader.has_tensor("half"), reader.has_tensor("hal"), reader.has_tensor("")),
            *[
                lambda n=name: reader.get_tensor(n)
                for name in names
                if name not in ("bfloat16", "quantized")
            ],
            lambda: reader.get_tensor("other"),
        )
        for name in olds:
            old = tf.train.NewCheckpointReader(at + name)
            stage.say(name, old.get_variable_to_shape_map(), old.get_variable_to_dtype_map())
            if name in ("double", "float", "int16", "int32", "int64", "int8", "text", "uint8"):
                stage.attempt(old.get_tensor, name)
            if name != "bfloat16":
                stage.attempt(
                    session.run,
                    raw.Restore(file_pattern=at + name, tensor_name=name, dt=tensors[name].dtype),
                )


def resources(tf, stage):
    r = tf.resource_loader
    stage.attempts(
        lambda: os.path.basename(r.get_data_files_path()),
        lambda: os.path.relpath(r.get_path_to_datafile("x/y.txt"), os.path.dirname(__file__)),
        lambda: r.readahead_file_path(stage.folder + "/x"),
        lambda: r.readahead_file_path("x", "1M"),
    )
