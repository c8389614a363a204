"""State beyond a step or within it: session tensors, temporary variables, optional values, Python functions."""

import os

import numpy as np

from tests.conformance.scenes import eager_mode, unknown


def session_tensors(tf, stage):
    x = tf.placeholder_with_default([1.0, 2.0], [2], name="x")
    handle = tf.get_session_handle(x, "handle")
    words = tf.get_session_handle(tf.constant([b"a", b"\xff"]))
    number = tf.get_session_handle(tf.constant(3, tf.int64))
    stage.say(handle.name, handle.dtype, handle.shape, handle.op.type)
    with tf.Session() as session:
        kept, again, text, scalar = (session.run(h) for h in (handle, handle, words, number))
        stage.say(type(kept).__name__, kept.handle.split(";")[0])
        stage.say(kept.eval(), text.eval(), scalar.eval(), kept.handle == again.handle)
        fed, value = tf.get_session_tensor(kept.handle, tf.float32, "value")
        stage.say(fed.name, fed.dtype, value.name, value.dtype, value.shape)
        stage.say(session.run(value * 2, {fed: kept.handle}))
        stage.attempt(session.run, value, {fed: kept})
        stage.attempt(session.run, x, {x: kept})
        deleter, delete = tf.delete_session_tensor(kept.handle, "gone")
        stage.say(deleter.name, delete.name, delete.type)
        stage.attempt(session.run, delete, {deleter: kept.handle})
        with stage.failing():
            kept.eval()
        stage.say(again.eval())
        again.delete()
        with stage.failing():
            again.eval()
        stage.attempt(session.run, delete, {deleter: "handle;99;none"})
        stage.say(str(scalar) == scalar.handle)
    stage.brief_graph()


def temporary_variables(tf, stage):
    raw = tf.raw_ops
    make = lambda **k: raw.TemporaryVariable(shape=[2], dtype=tf.float32, **k)  # noqa: E731
    end = lambda ref, name="t": raw.DestroyTemporaryVariable(ref=ref, var_name=name)  # noqa: E731

    def filled(ref, value=(3.0, 4.0)):
        return tf.assign(ref, tf.constant(value))

    first = make(var_name="t", name="first")
    stage.say(first.dtype, first.shape)
    counted = tf.assign_add(filled(first), [1.0, 1.0])
    done = end(counted)
    stage.say(done.dtype, done.shape)
    own = make(name="own")
    by_node = end(filled(own), "own")
    with tf.Session() as session:
        for fetch in (done, done, by_node, done):
            stage.attempt(session.run, fetch)
        stage.attempt(session.run, tf.is_variable_initialized(make(var_name="x")))
    stage.brief_graph()


def optional_values(tf, stage):
    raw = tf.raw_ops
    make = lambda *x: raw.OptionalFromValue(components=list(x))  # noqa: E731
    has = lambda x: raw.OptionalHasValue(optional=x)  # noqa: E731

    def get(x, kinds=(tf.float32,), shapes=(None,)):
        return raw.OptionalGetValue(optional=x, output_types=kinds, output_shapes=shapes)

    two = lambda: make(tf.constant([1.0, 2.0]), tf.constant("a"))  # noqa: E731
    stage.each(
        {
            "value": lambda: [has(two()), *get(two(), (tf.float32, tf.string), ([2], []))],
            "none": lambda: has(raw.OptionalNone(name="own")),
            "other_count": lambda: get(two()),
            "other_types": lambda: get(make(tf.constant(1))),
            "other_shapes": lambda: get(make(tf.constant([1.0, 2.0])), shapes=([3],)),
            "summed": lambda: get(tf.add_n([make(tf.constant([1.0])), make(tf.constant([2.0]))])),
            "summed_none": lambda: has(tf.add_n([raw.OptionalNone(), raw.OptionalNone()])),
            "summed_one": lambda: tf.add_n([make(tf.constant([1.0])), raw.OptionalNone()]),
        },
        graph="sum",
    )


class _Odd:
    pass


def _raises(error):
    def function(*_):
        raise error("own text")

    return function


def python_functions(tf, stage):
    f = tf.py_func
    x = lambda: tf.constant([1.0, 2.0])  # noqa: E731
    several = [tf.float32, tf.int64]
    errors = (
        TypeError,
        ValueError,
        KeyError,
        MemoryError,
        NotImplementedError,
        OSError,
        StopIteration,
    )
    cases = {f"raises_{e.__name__}": lambda e=e: f(_raises(e), [x()], tf.float32) for e in errors}
    stage.each(
        {
            **cases,
            "several": lambda: f(lambda a: (a, np.int64(3)), [x()], several),
            "nothing": lambda: f(lambda a: None, [x()], []),
            "stateless": lambda: f(lambda a: a, [x()], tf.float32, stateful=False),
            "words": lambda: f(lambda a: a + b"!", [tf.constant("w")], tf.string),
            "bytes": lambda: f(lambda: np.array([b"a", b"b\0"]), [], tf.string),
            "objects": lambda: f(lambda: np.array(["a", b"b"], object), [], tf.string),
            "odd_objects": lambda: f(lambda: np.array([_Odd()], object), [], tf.string),
            "long_double": lambda: f(lambda: np.zeros(2, np.longdouble), [], tf.float64),
            "dates": lambda: f(lambda: np.array(["2000-01-01"], "M8[D]"), [], tf.int64),
            "records": lambda: f(lambda: np.zeros(1, [("a", "f4")]), [], tf.float32),
            "scalar_kinds": lambda: f(
                lambda a, b: (np.array(type(a).__name__), np.array(type(b).__name__)),
                [tf.constant(1.0), tf.constant("a")],
                [tf.string] * 2,
            ),
        },
        graph=False,
    )
    with eager_mode(tf):
        one = [tf.constant([1.5])]
        stage.attempts(
            lambda: f(lambda a: a * 2, one, tf.float32),
            lambda: f(lambda a: (a, 3), one, several),
            lambda: f(lambda a: None, one, []),
            lambda: tf.numpy_function(lambda a: a + b"!", [tf.constant("w")], tf.string),
            lambda: f(_raises(KeyError), one, tf.float32),
            lambda: f(_raises(ValueError), one, tf.float32),
        )


def files(tf, stage):
    path = stage.folder + "/deep/file"
    text = tf.placeholder_with_default("words\n\0", [])
    io = tf.io
    write, read = tf.write_file(path, text, "write"), tf.read_file(path, "read")
    some = tf.constant([stage.folder + "/deep/*", stage.folder + "/none*"])
    match = io.matching_files(some, "match")
    stage.say(write.type, read.shape, match.shape, io.matching_files("a").shape)
    with tf.Session() as session:
        run = lambda *x: stage.attempt(session.run, *x)  # noqa: E731
        run(read)
        run(write)
        run(read)
        run(write, {text: "other"})
        run(read)
        run(match)
        run(io.matching_files(path))
        run(io.matching_files(np.zeros([0], object)))
        stage.attempt(lambda: tf.read_file([path]))
        stage.attempt(lambda: tf.write_file([path], "a"))
        run(io.read_file(unknown(tf)(np.array([path], object))))
        run(tf.write_file(stage.folder + "/deep", "a"))
        run(tf.read_file(stage.folder + "/deep"))
        run(tf.write_file(path + "/below", "a"))
        run(io.matching_files(unknown(tf)(np.array([[path]], object))))
    stage.say(sorted(os.listdir(stage.folder + "/deep")))
    stage.brief_graph(names=False)


def checkpoints_by_raw_ops(tf, stage):
    raw, fed = tf.raw_ops, unknown(tf)
    path = stage.folder + "/c"
    x = tf.constant([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]])
    word, half = tf.constant(np.array([b"a", b"\xff"], object)), tf.constant(0.5, tf.float16)
    names = ["x", "word", "half"]
    none = ["", "", ""]
    save = raw.SaveV2(
        prefix=path, tensor_names=names, shape_and_slices=none, tensors=[x, word, half]
    )
    parts = [
        raw.SaveV2(prefix=f"{path}_part{i}", tensor_names=["p"], shape_and_slices=[s], tensors=[v])
        for i, (s, v) in enumerate((("4 3 0,2:-", x), ("4 3 2,2:-", x + 10)))
    ]
    back = lambda names, kinds, slices=None, prefix=path: raw.RestoreV2(  # noqa: E731
        prefix=prefix,
        tensor_names=names,
        shape_and_slices=slices or [""] * len(names),
        dtypes=kinds,
    )
    with tf.Session() as session:
        run = lambda make: stage.attempt(lambda: session.run(make()))  # noqa: E731
        run(lambda: back(["x"], [tf.float32]))
        run(lambda: save)
        for part in parts:
            run(lambda part=part: part)
        stage.files()
        run(lambda: back(names, [tf.float32, tf.string, tf.float16]))
        run(lambda: back(names[::-1], [tf.float16, tf.string, tf.float32]))
        run(lambda: back(["x", "x"], [tf.float32] * 2, ["2 3 0,1:-", "2 3 -:1,2"]))
        for wrong in ("2 2 -:-", "x", "3 3 -:-"):
            run(lambda wrong=wrong: back(["x"], [tf.float32], [wrong]))
        run(lambda: back(["x"], [tf.float64]))
        run(lambda: back(["none"], [tf.float32]))
        stage.attempt(lambda: back(["x"], [tf.float32, tf.float32]))
        run(lambda: back(["x"], [tf.float32], prefix=fed(np.array([path], object))))
        run(
            lambda: raw.SaveV2(
                prefix=path,
                tensor_names=["a", "b"],
                shape_and_slices=["", ""],
                tensors=[tf.constant(1.0)],
            )
        )
        run(
            lambda: raw.SaveV2(
                prefix=path, tensor_names=["a"], shape_and_slices=["3 3 0,2:-"], tensors=[x[:, :2]]
            )
        )
        run(
            lambda: raw.SaveV2(
                prefix=path, tensor_names=["a"], shape_and_slices=["2 3 0,2:-"], tensors=[x]
            )
        )
        merged = stage.folder + "/merged"
        merge = raw.MergeV2Checkpoints(
            checkpoint_prefixes=[path + "_part0", path + "_part1"], destination_prefix=merged
        )
        run(lambda: merge)
        run(lambda: back(["p"], [tf.float32], prefix=merged))
        run(lambda: back(["p", "p"], [tf.float32] * 2, ["4 3 1,2:-", "4 3 -:2,1"], merged))
        run(lambda: merge)
        run(
            lambda: raw.MergeV2Checkpoints(
                checkpoint_prefixes=[path], destination_prefix=path + "2", delete_old_dirs=False
            )
        )
        run(
            lambda: raw.MergeV2Checkpoints(
                checkpoint_prefixes=np.zeros([0], object), destination_prefix=path
            )
        )
        old = stage.folder + "/old"
        run(
            lambda: raw.Save(
                filename=old, tensor_names=["x", "half"], data=[x, tf.cast(half, tf.float32)]
            )
        )
        run(lambda: raw.Restore(file_pattern=old, tensor_name="x", dt=tf.float32))
        run(lambda: raw.Restore(file_pattern=old, tensor_name="none", dt=tf.float32))
        run(lambda: raw.Restore(file_pattern=old, tensor_name="x", dt=tf.int32))
        run(
            lambda: raw.Restore(
                file_pattern=stage.folder + "/nothing", tensor_name="x", dt=tf.int32
            )
        )
        slices = raw.SaveSlices(
            filename=old + "2", tensor_names=["x"], shapes_and_slices=["4 3 2,2:-"], data=[x]
        )
        run(lambda: slices)
        run(
            lambda: raw.RestoreSlice(
                file_pattern=old + "2", tensor_name="x", shape_and_slice="4 3 3,1:-", dt=tf.float32
            )
        )
        run(
            lambda: raw.RestoreSlice(
                file_pattern=old + "2", tensor_name="x", shape_and_slice="4 3 0,1:-", dt=tf.float32
            )
        )
        run(
            lambda: raw.RestoreSlice(
                file_pattern=old, tensor_name="x", shape_and_slice="", dt=tf.float32
            )
        )
        run(lambda: raw.Save(filename=old, tensor_names=["x"], data=[x, x]))
        run(lambda: raw.Save(filename=fed(np.array([old], object)), tensor_names=["x"], data=[x]))
    stage.say(
        [
            r.shape
            for r in (back(["x"], [tf.float32], ["2 3 0,1:-"])[0], back(["x"], [tf.float32])[0])
        ]
    )
