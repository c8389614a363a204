"""Tensor arrays, tables, readers, stacks, critical sections, files: cleared, made twice, read to the end."""

from tests.conformance.scenes.ops_queues import _short_session


def tensor_arrays_of_gradients(tf, stage):
    x = tf.constant([1.0, 2.0, 3.0])
    array = tf.TensorArray(tf.float32, 3).unstack(x)
    y = array.read(0) * 2.0 + array.read(2)
    g = tf.gradients(y, x)
    h = tf.gradients(tf.gradients(tf.square(y), x)[0], x)
    with _short_session(tf) as session:
        stage.attempt(session.run, [y, g])
        stage.attempt(session.run, g)
        stage.attempt(session.run, h)
        closed = array.close()
        stage.attempt(session.run, closed)


def tables_of_files(tf, stage):
    path = stage.folder + "/words"
    with open(path, "w") as out:
        out.write("a\nb\nc\n")
    index = tf.contrib.lookup.index_table_from_file(path, num_oov_buckets=2)
    few = tf.contrib.lookup.index_table_from_file(path, vocab_size=2)
    many = tf.contrib.lookup.index_table_from_file(path, vocab_size=4)
    back = tf.contrib.lookup.index_to_string_table_from_file(path)
    missing = tf.contrib.lookup.index_table_from_file(stage.folder + "/none")
    words = tf.constant(["c", "b", "q", ""])
    with _short_session(tf) as session:
        for table in (index, few, many, back, missing):
            stage.attempt(session.run, table.initializer)
            stage.attempt(session.run, table.size())
        stage.attempt(session.run, [index.lookup(words), few.lookup(words)])
        stage.attempt(session.run, back.lookup(tf.constant([2, 0, 3, -1], tf.int64)))
        with open(path, "w") as out:
            out.write("z\n")
        stage.attempt(session.run, index.initializer)
        stage.attempt(session.run, index.lookup(words))
    with _short_session(tf) as session:
        stage.attempt(session.run, few.initializer)
        stage.attempt(session.run, index.initializer)
        stage.attempt(session.run, index.lookup(tf.constant(["z", "a"])))
    for options in ({"vocab_size": 0}, {"num_oov_buckets": -1}, {"vocabulary_file": ""}):
        stage.attempt(
            lambda options=options: tf.contrib.lookup.index_table_from_file(
                **{"vocabulary_file": path, **options}
            )
        )


def mutable_tables_of_rows_and_words(tf, stage):
    make = tf.contrib.lookup.MutableHashTable
    words, rows = make(tf.int64, tf.string, "none"), make(tf.string, tf.float32, [0.0, 1.0])
    keys, names = tf.constant([1, 2], tf.int64), tf.constant(["a", "b"])
    with tf.Session() as session:
        stage.attempt(session.run, words.insert(keys, names))
        stage.attempt(session.run, words.lookup(keys + 1))
        stage.attempt(session.run, rows.insert(names, tf.constant([[1.0, 2.0], [3.0, 4.0]])))
        stage.attempt(session.run, rows.lookup(tf.constant([["b"], ["c"]])))
        stage.attempt(lambda: session.run(rows.insert(names, tf.constant([1.0, 2.0]))))


def mutable_tables_saved(tf, stage):
    table = tf.contrib.lookup.MutableHashTable(tf.int64, tf.float32, -1.0, name="kept")
    keys, one = tf.constant([3], tf.int64), tf.constant([0.5])
    saver = tf.train.Saver()
    with _short_session(tf) as session:
        session.run(table.insert(keys, one))
        path = saver.save(session, stage.folder + "/t")
        session.run(table.insert(keys + 1, one + 1.0))
        stage.attempt(session.run, table.size())
        saver.restore(session, path)
        stage.attempt(session.run, [table.size(), table.lookup(keys), table.lookup(keys + 1)])
    with _short_session(tf) as session:
        saver.restore(session, path)
        stage.attempt(session.run, table.export())


def dense_tables(tf, stage):
    make = tf.contrib.lookup.MutableDenseHashTable
    table = make(tf.int64, tf.int64, -1, empty_key=0, deleted_key=-9, initial_num_buckets=4)
    keys = tf.constant([1, 2, 3, 4, 5], tf.int64)
    with _short_session(tf) as session:
        stage.attempt(session.run, table.insert(keys, keys * 10))
        stage.attempt(session.run, [table.size(), table.lookup(keys + 1)])
        stage.attempt(session.run, table.insert(keys - 1, keys))
        stage.attempt(session.run, table.lookup(keys - 1))
        stage.attempt(session.run, table.remove(keys[:2]))
        stage.attempt(session.run, [table.size(), table.lookup(keys)])
        stage.attempt(session.run, table.remove(tf.constant([-9], tf.int64)))
    bad = make(tf.int64, tf.int64, -1, empty_key=0, deleted_key=0)
    odd = make(tf.int64, tf.int64, -1, empty_key=0, deleted_key=-9, initial_num_buckets=3)
    with _short_session(tf) as session:
        stage.attempt(session.run, bad.size())
        stage.attempt(session.run, odd.size())


def whole_file_readers_and_their_state(tf, stage):
    path = stage.folder + "/a"
    with open(path, "w") as out:
        out.write("text")
    queue = tf.FIFOQueue(9, tf.string, name="files")
    put = queue.enqueue(path)
    reader = tf.WholeFileReader()
    key, value = reader.read(queue)
    many = reader.read_up_to(queue, 3)
    state = reader.serialize_state()
    given = tf.placeholder(tf.string)
    back = reader.restore_state(given)
    with _short_session(tf) as session:
        session.run([put])
        session.run([put])
        stage.attempt(session.run, value)
        kept = session.run(state)
        stage.attempt(session.run, many)
        stage.attempt(session.run, reader.num_records_produced())
        stage.attempt(session.run, back, {given: kept})
        stage.attempt(session.run, reader.num_records_produced())
        stage.attempt(session.run, reader.restore_state("bad"))


def fixed_length_readers(tf, stage):
    path = stage.folder + "/a"
    with open(path, "wb") as out:
        out.write(b"HHabcdefgF")
    for options in (
        {"record_bytes": 2},
        {"record_bytes": 3, "header_bytes": 2, "footer_bytes": 1},
        {"record_bytes": 3, "header_bytes": 2, "hop_bytes": 1},
        {"record_bytes": 0},
        {"record_bytes": 20},
        {"record_bytes": 2, "header_bytes": -1},
        {"record_bytes": 2, "encoding": "ZLIB"},
        {"record_bytes": 2, "encoding": "X"},
    ):
        queue = tf.FIFOQueue(9, tf.string)
        with _short_session(tf) as session, stage.failing():
            reader = tf.FixedLengthRecordReader(**options)
            _, value = reader.read_up_to(queue, 9)
            session.run(queue.enqueue(path))
            session.run(queue.close())
            stage.attempt(session.run, value)
            stage.attempt(session.run, value)


def critical_sections(tf, stage):
    section = tf.CriticalSection(name="cs")
    v = tf.get_variable("v", initializer=0.0, use_resource=True)
    with stage.failing():
        section.execute(lambda: 1 / 0)
    with stage.failing():
        section.execute(lambda: section.execute(lambda: v.read_value()))
    with stage.failing():
        section.execute(lambda: (tf.constant(1), "no"))
    one = section.execute(lambda: v.assign_add(1.0))
    bad = section.execute(lambda: tf.check_numerics(tf.log(v - 100.0), "mine"))
    with _short_session(tf) as session:
        session.run(v.initializer)
        stage.attempt(session.run, one)
        stage.attempt(session.run, bad)
        stage.attempt(session.run, one)
    stage.say(section.name, len(tf.get_collection("critical_section_executions")))


def printed(tf, stage):
    x = tf.placeholder(tf.float32, [None], name="x")
    shown = tf.Print(x, [x, "words"], message="m", first_n=1, summarize=2)
    with _short_session(tf) as session:
        for _ in range(2):
            stage.attempt(session.run, shown, {x: [1.0, 2.0]})
    stage.attempt(tf.Print, x, [])
    stage.attempt(tf.Assert, tf.constant(False), [1])
    check = tf.Assert(x[0] > 0, [x, "below"], summarize=1)
    with _short_session(tf) as session:
        stage.attempt(session.run, check, {x: [-1.0, 5.0]})
        stage.attempt(session.run, check, {x: [1.0]})
        stage.attempt(session.run, check, {x: []})
