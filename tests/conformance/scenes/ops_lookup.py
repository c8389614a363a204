"""Tables of all kinds by raw ops and classes, their files and vocabularies; remapped matrices."""

import numpy as np

from tests.conformance.scenes import unknown


def _written(stage, name, text):
    path = stage.folder + "/" + name
    with open(path, "wb") as out:
        out.write(text)
    return path


def files_of_tables(tf, stage):
    raw = tf.raw_ops
    path = _written(stage, "words", b"a\t1\t0.5\r\nb\t-2\t1e3\nc\t3\tnan")
    cases = {
        "words": (tf.string, tf.int64, {"key_index": 0, "value_index": 1}),
        "numbers": (tf.int64, tf.float32, {"key_index": 1, "value_index": 2}),
        "doubles": (tf.int64, tf.float64, {"key_index": -1, "value_index": 2}),
        "lines": (tf.string, tf.int64, {"key_index": -2, "value_index": -1}),
        "back": (tf.int64, tf.string, {"key_index": -1, "value_index": -2}),
        "one_line": (tf.string, tf.int64, {"key_index": 0, "value_index": 1, "vocab_size": 1}),
        "more_lines": (tf.string, tf.int64, {"key_index": 0, "value_index": 1, "vocab_size": 9}),
        "no_lines": (tf.string, tf.int64, {"key_index": 0, "value_index": 1, "vocab_size": 0}),
        "no_number": (tf.string, tf.int64, {"key_index": 1, "value_index": 0}),
        "no_float": (tf.int64, tf.float32, {"key_index": 1, "value_index": 0}),
        "no_column": (tf.string, tf.int64, {"key_index": 0, "value_index": 3}),
        "line_as_word": (tf.string, tf.string, {"key_index": -1, "value_index": 0}),
        "line_as_number": (tf.int64, tf.int64, {"key_index": -2, "value_index": -1}),
        "whole_as_float": (tf.string, tf.float32, {"key_index": 0, "value_index": -2}),
        "line_as_float": (tf.string, tf.float32, {"key_index": 0, "value_index": -1}),
        "other_columns": (tf.string, tf.int64, {"key_index": -3, "value_index": 0}),
        "delimiter": (tf.string, tf.string, {"key_index": 0, "value_index": 1, "delimiter": "."}),
        "delimiters": (tf.string, tf.string, {"key_index": 0, "value_index": 1, "delimiter": "ab"}),
    }
    files = {
        "empty": b"",
        "blank": b"a\n\nb\n",
        "no_end": b"a\nb",
        "twice": b"a\nb\na\n",
        "carriage": b"a\r\n\r\n",
    }
    for name, (key, value, given) in cases.items():
        with tf.Graph().as_default(), tf.Session() as session, stage.failing():
            stage.say(name)
            table = raw.HashTableV2(key_dtype=key, value_dtype=value)
            fill = raw.InitializeTableFromTextFileV2(table_handle=table, filename=path, **given)
            export = raw.LookupTableExportV2(table_handle=table, Tkeys=key, Tvalues=value)
            size = raw.LookupTableSizeV2(table_handle=table)
            stage.attempt(session.run, export)
            stage.attempt(session.run, fill)
            stage.say(sorted(zip(*session.run(export)), key=str), session.run(size))
            stage.brief_graph(names=False)
    for name, text in files.items():
        with tf.Graph().as_default(), tf.Session() as session, stage.failing():
            stage.say(name)
            table = raw.HashTableV2(key_dtype=tf.string, value_dtype=tf.int64)
            fill = raw.InitializeTableFromTextFileV2(
                table_handle=table,
                filename=_written(stage, name, text),
                key_index=-2,
                value_index=-1,
            )
            size = raw.LookupTableSizeV2(table_handle=table)
            stage.attempt(session.run, fill)
            stage.attempt(session.run, fill)
            stage.say(session.run(size))
    with tf.Session() as session:
        table = raw.HashTableV2(key_dtype=tf.string, value_dtype=tf.int64)
        given = {"table_handle": table, "key_index": -2, "value_index": -1}
        fill = raw.InitializeTableFromTextFileV2
        stage.attempt(session.run, fill(filename=stage.folder + "/none", **given))
        stage.attempt(lambda: fill(filename=["a"], **given))


def _used(tf, stage, name, make):
    """Records the results of each op on a table."""
    raw, fed = tf.raw_ops, unknown(tf)
    word = lambda *w: np.array(w, object)  # noqa: E731
    value = (lambda n: [[v, v] for v in n]) if name == "rows" else (lambda n: n)
    with tf.Graph().as_default(), tf.Session() as session:
        stage.say(name)
        table = make(shared_name="t", name="own")
        same, apart = make(shared_name="t"), make(shared_name="t", container="c")
        at = {"table_handle": table}
        many = lambda w, v: {"keys": w, "values": np.array(v, "i8")}  # noqa: E731
        find = lambda w, d, t=table: raw.LookupTableFindV2(  # noqa: E731
            table_handle=t, keys=w, default_value=d
        )
        default = np.array([-1, -2] if name == "rows" else -1, "i8")
        ab = many(word("a", "b"), value([1, 2]))
        export = tuple(raw.LookupTableExportV2(Tkeys=tf.string, Tvalues=tf.int64, **at))
        steps = [
            lambda: find(["a"], default),
            lambda: raw.InitializeTableV2(**at, **ab),
            lambda: raw.LookupTableInsertV2(**at, **many(word("c"), value([3]))),
            lambda: raw.LookupTableImportV2(**at, **many(word("b", "d"), value([7, 8]))),
            lambda: raw.LookupTableImportV2(**at, keys=[1], values=[1]),
            lambda: raw.InitializeTableV2(**at, keys=[1], values=[1]),
            lambda: raw.InitializeTableV2(
                **at, keys=fed(np.array("a", object)), values=fed(np.array([1]))
            ),
            lambda: raw.InitializeTableV2(**at, keys=["a"], values=fed(np.array([[1]]))),
            lambda: find([["a", "b"], ["d", "d"]], default),
            lambda: find("b", default),
            lambda: find(["b"], default, same),
            lambda: find(["b"], default, apart),
            lambda: find(np.zeros([0, 2], object), default),
            lambda: find(fed(word("b")), default),
            lambda: find(["b"], fed(np.array([5, 6, 7], "i8"))),
            lambda: find([1, 2], default),
            lambda: find(["b"], np.array([1.0, 2.0])),
            lambda: raw.LookupTableRemoveV2(**at, keys=["b", "q", "b"]),
            lambda: raw.LookupTableRemoveV2(**at, keys="b"),
            lambda: raw.LookupTableRemoveV2(**at, keys=[1]),
            lambda: raw.LookupTableInsertV2(**at, **many(word("x", "x"), value([1, 2]))),
            lambda: raw.LookupTableInsertV2(**at, **many(word("x", "y"), value([1]))),
            lambda: raw.LookupTableInsertV2(**at, keys=["x"], values=[1.0]),
            lambda: raw.InitializeTableV2(**at, keys=fed(word("x")), values=fed(np.array([1, 2]))),
            lambda: raw.InitializeTableV2(**at, **many(word("x", "y"), value([1]))),
            lambda: raw.InitializeTableV2(
                **at, **many(np.zeros([0], object), value([]) or np.zeros([0, 2]))
            ),
            lambda: raw.LookupTableSizeV2(**at),
            lambda: raw.LookupTableSizeV2(table_handle=apart),
            lambda: find(["x"], default),
        ]
        for step in steps:
            with stage.failing():
                made = step()
                shape = getattr(made, "shape", None)
                stage.say(shape, session.run(made))
        with stage.failing():
            keys, values = session.run(export)
            stage.say(sorted(zip(keys.tolist(), values.tolist())), export[0].shape, export[1].shape)


def tables_by_raw_ops(tf, stage):
    raw = tf.raw_ops
    kinds = {"key_dtype": tf.string, "value_dtype": tf.int64}
    makers = {
        "fixed": lambda **k: raw.HashTableV2(**kinds, **k),
        "rows": lambda **k: raw.MutableHashTableOfTensorsV2(value_shape=[2], **kinds, **k),
    }
    for name, make in makers.items():
        _used(tf, stage, name, make)
    with tf.Session() as session:
        for shape in ([], [2, 2]):
            made = raw.MutableHashTableOfTensorsV2(value_shape=shape, **kinds)
            stage.attempt(session.run, raw.LookupTableSizeV2(table_handle=made))
    stage.brief_graph(names=False)


def dense_tables(tf, stage):
    make = tf.contrib.lookup.MutableDenseHashTable
    small = {"initial_num_buckets": 4}
    k = lambda *x: np.array(x, "i8")  # noqa: E731
    cases = {
        "words": (
            tf.string,
            tf.float32,
            0.5,
            "",
            "-",
            ["a", "b", "c", "d"],
            [1.0, 2.0, 3.0, 4.0],
            {},
        ),
        "rows": (tf.int64, tf.int32, [7, 8], -1, -2, k(3, 5, 3), [[1, 2], [3, 4], [5, 6]], {}),
        "pairs": (
            tf.int64,
            tf.int64,
            -1,
            k(0, 0),
            k(0, 1),
            k(1, 2, 2, 1).reshape(2, 2),
            [5, 6],
            {},
        ),
        "doubles": (
            tf.int64,
            tf.float64,
            0.1,
            0,
            -1,
            k(1, 2),
            [0.1, 1e300],
            {"initial_num_buckets": 8},
        ),
    }
    for name, (key, value, default, empty, deleted, keys, values, options) in cases.items():
        with tf.Graph().as_default(), tf.Session() as session:
            stage.say(name)
            table = make(key, value, default, empty, deleted, name="own", **{**small, **options})
            keys, values = tf.constant(keys, key), tf.constant(values, value)
            stage.say(table.name, table.key_dtype, table.value_dtype, table.lookup(keys).shape)
            run = lambda x, session=session: stage.attempt(session.run, x)  # noqa: E731
            run(table.lookup(keys))
            run(table.insert(keys, values))
            run([table.size(), table.lookup(keys)])
            run(table.export())
            run(table.remove(keys[:1]))
            run([table.size(), table.lookup(keys)])
            run(table.export())
            run(table.insert(keys[:1], values[-1:]))
            run(table.lookup(tf.expand_dims(keys, 0)) if name != "pairs" else table.lookup(keys[0]))
            run(table.export())
            for reserved in (empty, deleted):
                given = tf.constant(np.array([reserved], object if key == tf.string else "i8"), key)
                run(table.lookup(given))
                run(table.insert(given, values[:1]))
                run(table.remove(given))
            run(
                table.lookup(tf.zeros([0, *keys.shape.as_list()[1:]], key))
                if key != tf.string
                else []
            )
            stage.attempt(table.insert, tf.constant([1.5]), values[:1])
            with stage.failing():
                session.run(table.insert(keys, values[:1]))
            stage.brief_graph(names=False)
    bad = (
        {"initial_num_buckets": 3},
        {"initial_num_buckets": 2},
        {"empty_key": -1},
        {"empty_key": [0, 1]},
        {"empty_key": [[0]], "deleted_key": [[1]]},
        {"deleted_key": None},
        {"empty_key": None},
        {"default_value": 1.5},
    )
    for given in bad:
        with tf.Graph().as_default(), tf.Session() as session, stage.failing():
            stage.say(given)
            options = {"default_value": 0, "empty_key": 0, "deleted_key": -1, **given}
            table = make(tf.int64, tf.int64, **options)
            stage.attempt(session.run, table.size())
    with tf.Graph().as_default(), tf.Session() as session:
        table = tf.raw_ops.MutableDenseHashTableV2(
            empty_key=np.int64(0),
            deleted_key=np.int64(-1),
            value_dtype=tf.int64,
            max_load_factor=0.25,
            initial_num_buckets=8,
            shared_name="s",
        )
        at = {"table_handle": table}
        for keys in (k(1, 2), k(3), k(11, 19, 27)):
            session.run(tf.raw_ops.LookupTableInsertV2(keys=keys, values=keys * 2, **at))
            stage.say(
                session.run(tf.raw_ops.LookupTableExportV2(Tkeys=tf.int64, Tvalues=tf.int64, **at))
            )
        stage.attempt(
            session.run,
            tf.raw_ops.LookupTableFindV2(keys=k(19, 35), default_value=np.int64(5), **at),
        )
        export = tf.raw_ops.LookupTableExportV2(Tkeys=tf.int64, Tvalues=tf.int64, **at)
        keys, values = session.run(export)
        session.run(tf.raw_ops.LookupTableRemoveV2(keys=k(1, 19), **at))
        back = {"keys": unknown(tf)(keys), "values": unknown(tf)(values)}
        stage.attempt(session.run, tf.raw_ops.LookupTableImportV2(**back, **at))
        stage.attempt(session.run, tf.raw_ops.LookupTableSizeV2(**at))
    saved = make(tf.string, tf.int64, 0, "", "-", name="saved", **small)
    saver = tf.train.Saver()
    words, numbers = tf.constant(["a", "b", "c", "d"]), tf.constant([1, 2, 3, 4], tf.int64)
    with tf.Session() as session:
        session.run(saved.insert(words, numbers))
        session.run(saved.remove(words[:1]))
        path = saver.save(session, stage.folder + "/saved")
        session.run(saved.remove(words[1:2]))
        saver.restore(session, path)
        stage.say(session.run([saved.size(), saved.lookup(words)]), session.run(saved.export()))
    stage.say(tf.train.list_variables(path))


def matrices_remapped(tf, stage):
    raw, fed = tf.raw_ops, unknown(tf)
    with tf.Graph().as_default(), tf.Session() as session:
        value = np.arange(12, dtype="f").reshape(4, 3)
        tf.get_variable("m", initializer=value)
        tf.get_variable("d", initializer=value.astype("d"))
        tf.get_variable("v", initializer=value[0])
        tf.get_variable(
            "p", [4, 3], initializer=tf.ones_initializer(), partitioner=tf.fixed_size_partitioner(3)
        )
        session.run(tf.global_variables_initializer())
        path = tf.train.Saver().save(session, stage.folder + "/c")
    i8 = lambda *x: np.array(x, "i8")  # noqa: E731

    def load(rows=(3, 0), columns=(), values=(), name="m", num=(2, 3), at=path, most=-1):
        rows = rows if hasattr(rows, "op") else i8(*rows)
        columns = i8(*columns)
        return raw.LoadAndRemapMatrix(
            ckpt_path=at,
            old_tensor_name=name,
            row_remapping=rows,
            col_remapping=columns,
            initializing_values=np.array(values, "f"),
            num_rows=num[0],
            num_cols=num[1],
            max_rows_in_memory=most,
        )

    stage.each(
        {
            "rows": load,
            "by_rows": lambda: [load(most=m) for m in (1, 2, 3, 0)],
            "columns": lambda: load(columns=i8(2, 0), num=(2, 2)),
            "missing": lambda: load(rows=i8(-1, 2), values=[7, 8, 9]),
            "no_rows": lambda: load(rows=i8(), num=(0, 3)),
            "whole_as_float": (tf.string, tf.float32, {"key_index": 0, "value_index": -2}),
            "line_as_float": (tf.string, tf.float32, {"key_index": 0, "value_index": -1}),
            "dtype": lambda: load(name="d"),
            "rank": lambda: load(name="v"),
            "path_of_one": lambda: load(at=[path]),
            "names": lambda: load(name=["m"]),
            "fed": lambda: load(rows=fed(i8(1, 2))),
        },
        graph=False,
    )


def table_classes(tf, stage):
    L = tf.contrib.lookup
    stage.attempt(lambda: tf.initialize_all_tables("old").name)
    init = L.KeyValueTensorInitializer(["a"], [1], tf.string, tf.int64, name="init")
    table = L.HashTable(init, -1, name="table")
    mutable = L.MutableHashTable(tf.string, tf.int64, -1, name="mutable", checkpoint=False)
    stage.say(table.name, table.key_dtype, table.value_dtype, table.default_value, mutable.name)
    stage.say(tf.tables_initializer().type, len(tf.get_collection(tf.GraphKeys.TABLE_INITIALIZERS)))
    sparse = tf.SparseTensor([[0, 1], [2, 0]], ["a", "q"], [3, 2])
    ragged = tf.ragged.constant([["a"], [], ["b", "a"]])
    with tf.Session() as session:
        stage.attempt(session.run, table.lookup(sparse))
        session.run(tf.tables_initializer())
        found = table.lookup(sparse, "found")
        stage.say(found.values.name, found.dense_shape.name)
        stage.attempt(session.run, found)
        stage.attempt(lambda: session.run(table.lookup(ragged)))
        stage.attempt(
            session.run, mutable.insert(tf.constant(["a"]), tf.constant([5], tf.int64), "in")
        )
        stage.attempt(session.run, [mutable.lookup(tf.constant(["a"]), "f"), mutable.size("s")])
        stage.attempt(session.run, mutable.export("e"))
        stage.attempt(session.run, mutable.remove(tf.constant(["a"]), "r"))
        stage.attempt(session.run, mutable.size())
        stage.attempt(lambda: L.MutableHashTable(tf.string, tf.int64, "x"))
    stage.brief_graph()
