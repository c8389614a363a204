"""Shapes known only at run time: tables, checkpoints and vocabularies by raw ops; errors."""

import numpy as np

from tests.conformance.scenes import unknown


def _runs(tf, stage, cases, times=1):
    """Records each function's fetches in one session."""
    with tf.Session() as session:
        for name, make in cases.items():
            stage.say(name)
            with stage.failing():
                made = make()
                for _ in range(times):
                    stage.say(session.run(made))


def _words(*words):
    return np.array(words, object)


def tables(tf, stage):
    raw, fed, i8 = tf.raw_ops, unknown(tf), np.int64
    kinds = {"key_dtype": tf.string, "value_dtype": tf.int64}
    fixed = raw.HashTableV2(shared_name="fixed", **kinds)
    words = raw.MutableHashTableV2(shared_name="words", **kinds)
    rows = raw.MutableHashTableOfTensorsV2(shared_name="rows", value_shape=[2], **kinds)
    dense = raw.MutableDenseHashTableV2(
        empty_key=_words("")[0],
        deleted_key=_words("-")[0],
        value_dtype=tf.int64,
        value_shape=[2],
        initial_num_buckets=4,
        shared_name="dense",
    )
    numbers = raw.MutableDenseHashTableV2(
        empty_key=i8([0, 0]), deleted_key=i8([-1, 0]), value_dtype=tf.int64, initial_num_buckets=4
    )
    keys, values = fed(_words("a", "b")), fed(i8([1, 2]))
    find = lambda t, k, d: raw.LookupTableFindV2(table_handle=t, keys=k, default_value=d)  # noqa: E731
    put = lambda t, k, v: raw.LookupTableInsertV2(table_handle=t, keys=k, values=v)  # noqa: E731
    fill = lambda t, k, v: raw.InitializeTableV2(table_handle=t, keys=k, values=v)  # noqa: E731
    drop = lambda t, k: raw.LookupTableRemoveV2(table_handle=t, keys=k)  # noqa: E731
    size = lambda t: raw.LookupTableSizeV2(table_handle=t)  # noqa: E731
    cases = {
        "matrix": lambda: fill(fixed, fed(_words("a", "b").reshape(1, 2)), fed(i8([[1, 2]]))),
        "kinds": lambda: fill(fixed, fed(i8([1])), fed(i8([1]))),
        "value_kinds": lambda: fill(fixed, keys, fed(np.float32([1, 2]))),
        "default_kind": lambda: find(fixed, keys, fed(np.float32(0))),
        "put_fixed": lambda: put(fixed, keys, values),
        "drop_fixed": lambda: drop(fixed, keys),
        "fill_mutable": lambda: fill(words, keys, values),
        "rows_default": lambda: find(rows, keys, fed(i8(7))),
        "dense_default": lambda: find(dense, keys, fed(i8([7]))),
        "pairs_reserved": lambda: drop(numbers, fed(i8([[1, 2], [-1, 0]]))),
        "pairs_grown": lambda: put(numbers, fed(i8([[5, 6], [7, 8], [9, 9]])), fed(i8([5, 7, 9]))),
    }
    _runs(tf, stage, cases)
    stage.attempts(
        lambda: find(words, tf.zeros([2, 3], tf.string), i8(0)).shape,
        lambda: find(tf.identity(rows), tf.zeros([3], tf.string), i8([0, 0])).shape,
        lambda: find(rows, tf.zeros([3], tf.int64), i8([0, 0])),
        lambda: find(rows, tf.zeros([3], tf.string), np.float32([0, 0])),
        lambda: fill(fixed, ["a"], i8([1, 2])),
        lambda: drop(words, "a"),
        lambda: put(tf.expand_dims(words, 0), ["a"], i8([1])),
        lambda: raw.InitializeTableFromTextFileV2(
            table_handle=tf.expand_dims(words, 0), filename="a", key_index=-2, value_index=-1
        ),
        lambda: raw.InitializeTableFromTextFileV2(
            table_handle=words, filename=["a"], key_index=-2, value_index=-1
        ),
    )
    others = {
        "as_floats": lambda: size(
            raw.HashTableV2(shared_name="fixed", key_dtype=tf.string, value_dtype=tf.float32)
        ),
        "apart": lambda: size(raw.HashTableV2(shared_name="fixed", container="c", **kinds)),
    }
    with tf.Session() as session:
        session.run([size(fixed), size(words)])
        for name, make in others.items():
            stage.say(name)
            stage.attempt(lambda make=make: session.run(make()))


def tables_filled_again(tf, stage):
    raw = tf.raw_ops
    for name, text in (("a", "x\ny\nz\n"), ("b", "x\ny\n"), ("c", "u\nv\nw")):
        with open(f"{stage.folder}/{name}", "w") as out:
            out.write(text)
    table = raw.HashTableV2(key_dtype=tf.string, value_dtype=tf.int64)
    fill = lambda name, size=-1: raw.InitializeTableFromTextFileV2(  # noqa: E731
        table_handle=table,
        filename=f"{stage.folder}/{name}",
        key_index=-2,
        value_index=-1,
        vocab_size=size,
    )
    find = raw.LookupTableFindV2(
        table_handle=table, keys=["x", "z", "u"], default_value=np.int64(-1)
    )
    with tf.Session() as session:
        for name, size in (("a", -1), ("a", -1), ("c", 3), ("b", -1), ("a", 2), ("none", -1)):
            stage.say(name, size)
            stage.attempt(lambda name=name, size=size: session.run(fill(name, size)))
            stage.attempt(session.run, find)
        stage.attempt(
            lambda: session.run(
                raw.InitializeTableV2(table_handle=table, keys=["x"], values=np.int64([1]))
            )
        )


def checkpoints(tf, stage):
    raw, fed = tf.raw_ops, unknown(tf)
    path = lambda name: f"{stage.folder}/{name}"  # noqa: E731
    x = tf.constant([[1.0, 2.0], [3.0, 4.0]])
    old = lambda names, values, to="old": raw.Save(  # noqa: E731
        filename=path(to), tensor_names=names, data=values
    )
    sliced = lambda specs, to="part": raw.SaveSlices(  # noqa: E731
        filename=path(to), tensor_names=["x"], shapes_and_slices=specs, data=[x]
    )
    back = lambda name, kind, of="old": raw.Restore(  # noqa: E731
        file_pattern=path(of), tensor_name=name, dt=kind
    )
    part = lambda spec, kind=tf.float32, of="part*": raw.RestoreSlice(  # noqa: E731
        file_pattern=path(of), tensor_name="x", shape_and_slice=spec, dt=kind
    )
    second = lambda names, specs, values, to="new": raw.SaveV2(  # noqa: E731
        prefix=path(to), tensor_names=names, shape_and_slices=specs, tensors=values
    )
    read = lambda names, specs, kinds, of="new": raw.RestoreV2(  # noqa: E731
        prefix=path(of), tensor_names=names, shape_and_slices=specs, dtypes=kinds
    )
    two, none = fed(_words("x", "y")), fed(_words("", ""))
    merge = lambda prefixes, to, **k: raw.MergeV2Checkpoints(  # noqa: E731
        checkpoint_prefixes=prefixes, destination_prefix=to, **k
    )
    cases = {
        "old": lambda: old(
            fed(_words("x", "n", "w")), [x, tf.constant([1, 2], tf.int16), ["a", "bc"]]
        ),
        "old_few": lambda: old(two, [x], "no"),
        "old_kind": lambda: back("n", tf.int32),
        "old_by_pattern": lambda: back(fed(_words("x").reshape(())), tf.float32, "ol?"),
        "sliced_few": lambda: sliced(none, "no"),
        "part": lambda: part(fed(_words("4 2 1,2:-").reshape(()))),
        "part_missing": lambda: part("4 2 1,2:-", of="part"),
        "new_few_names": lambda: second(fed(_words("x")), none, [x, x], "no"),
        "new_many_tensors": lambda: second(fed(_words("x")), fed(_words("")), [x, x], "no"),
        "new_matrix": lambda: second(fed(_words("x").reshape(1, 1)), fed(_words("")), [x], "no"),
        "new_twice": lambda: second(fed(_words("x", "x")), none, [x, x + 1], "twice"),
        "read_few": lambda: read(fed(_words("x")), none, [tf.float32] * 2),
        "read_part": lambda: read(["y"], fed(_words("2 2 1,1:-")), [tf.float32]),
        "read_old": lambda: read(fed(_words("n", "w")), none, [tf.int16, tf.string], "old"),
        "read_kind": lambda: read(two, none, [tf.float32, tf.int32]),
        "read_none": lambda: read(fed(_words("x", "z")), none, [tf.float32] * 2),
        "merge_scalar": lambda: merge(fed(_words(path("new")).reshape(())), path("no")),
        "spec": lambda: raw.ShardedFilespec(basename="a b", num_shards=fed(np.int32(7))),
        "write": lambda: raw.WriteFile(filename=fed(_words(path("w")).reshape(())), contents=""),
        "write_twos": lambda: raw.WriteFile(filename=path("w"), contents=fed(_words("a", "b"))),
        "read_file": lambda: raw.ReadFile(filename=path("w")),
    }
    _runs(tf, stage, cases)
    stage.attempts(
        lambda: old(["x", "y"], [x]),
        lambda: sliced(["", ""]),
        lambda: sliced(""),
        lambda: part("4 2 5,2:-").shape,
        lambda: part("4 2").shape,
        lambda: second(["x"], [""], [x, x]),
        lambda: read(["x", "y"], ["", ""], [tf.float32]),
        lambda: [t.shape for t in read(["x", "y"], ["", "4 2 1,2:0,1"], [tf.float32] * 2)],
    )


def matrices_of_vocabularies(tf, stage):
    raw, fed = tf.raw_ops, unknown(tf)
    path = stage.folder + "/c"
    old, new = stage.folder + "/old", stage.folder + "/new"
    for name, text in ((old, "a\nb\nc\n"), (new, "c\nd\na\nb")):
        with open(name, "w") as out:
            out.write(text)

    def matrix(rows=(0, 2), columns=(), fill=(), shape=None, name="m", path=path, **options):
        num_rows, num_cols = shape or (len(rows), len(columns) or 2)
        return raw.LoadAndRemapMatrix(
            ckpt_path=path if hasattr(path, "op") else fed(_words(path)),
            old_tensor_name=name,
            row_remapping=fed(np.array(rows, np.int64)),
            col_remapping=fed(np.array(columns, np.int64)),
            initializing_values=fed(np.array(fill, "f")),
            num_rows=num_rows,
            num_cols=num_cols,
            **options,
        )

    def words(*, offset=0, count=4, size=-1, of=new, before=old):
        return raw.GenerateVocabRemapping(
            new_vocab_file=of,
            old_vocab_file=before,
            new_vocab_offset=offset,
            num_new_vocab=count,
            old_vocab_size=size,
        )

    cases = {
        "rows": matrix,
        "rows_empty": lambda: matrix(np.zeros([0])),
        "columns_all": lambda: matrix([0], shape=(1, 3)),
        "little_by_little": lambda: matrix([2, 0, 1, -1], [1, 0], [5, 6], max_rows_in_memory=1),
        "by_two": lambda: matrix([2, 0, -1], fill=[5, 6], max_rows_in_memory=2),
        "no_file": lambda: matrix(path=path + "none"),
        "words": words,
        "words_behind": lambda: words(offset=1, count=2),
        "words_none": lambda: words(count=0),
        "words_of_two": lambda: words(size=2),
        "words_nowhere": lambda: words(of=stage.folder + "/none"),
        "words_before_nowhere": lambda: words(before=stage.folder + "/none"),
    }
    _runs(tf, stage, cases)
    stage.attempts(
        lambda: matrix(name=["m"]),
        lambda: words(offset=-1),
    )
