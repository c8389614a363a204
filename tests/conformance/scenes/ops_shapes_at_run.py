"""Shapes that only a step knows: tables, checkpoints and vocabularies by raw ops, and what they refuse."""

import numpy as np

from tests.conformance.scenes import unknown


def _runs(tf, stage, cases, times=1):
    """Says what each function's fetches give, in one session."""
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
    take = lambda t, k, v: raw.LookupTableImportV2(table_handle=t, keys=k, values=v)  # noqa: E731
    fill = lambda t, k, v: raw.InitializeTableV2(table_handle=t, keys=k, values=v)  # noqa: E731
    drop = lambda t, k: raw.LookupTableRemoveV2(table_handle=t, keys=k)  # noqa: E731
    size = lambda t: raw.LookupTableSizeV2(table_handle=t)  # noqa: E731
    out = lambda t, k=tf.string, v=tf.int64: raw.LookupTableExportV2(  # noqa: E731
        table_handle=t, Tkeys=k, Tvalues=v
    )
    cases = {
        "not_filled": lambda: find(fixed, keys, i8(0)),
        "not_filled_out": lambda: out(fixed),
        "not_filled_size": lambda: size(fixed),
        "scalars": lambda: fill(fixed, fed(_words("a").reshape(())), fed(i8(1))),
        "matrix": lambda: fill(fixed, fed(_words("a", "b").reshape(1, 2)), fed(i8([[1, 2]]))),
        "few": lambda: fill(fixed, keys, fed(i8([1]))),
        "kinds": lambda: fill(fixed, fed(i8([1])), fed(i8([1]))),
        "value_kinds": lambda: fill(fixed, keys, fed(np.float32([1, 2]))),
        "twice_other": lambda: fill(fixed, fed(_words("a", "a")), values),
        "filled": lambda: fill(fixed, keys, values),
        "filled_size": lambda: size(fixed),
        "filled_again": lambda: fill(fixed, fed(_words("c")), fed(i8([7]))),
        "filled_same": lambda: size(fixed),
        "default_vector": lambda: find(fixed, keys, fed(i8([0]))),
        "default_kind": lambda: find(fixed, keys, fed(np.float32(0))),
        "found_matrix": lambda: find(fixed, fed(_words("a", "z", "b", "a").reshape(2, 2)), i8(-1)),
        "found_scalar": lambda: find(fixed, fed(_words("b").reshape(())), i8(-1)),
        "found_none": lambda: find(fixed, fed(np.zeros([0, 3], object)), i8(-1)),
        "put_fixed": lambda: put(fixed, keys, values),
        "drop_fixed": lambda: drop(fixed, keys),
        "fill_mutable": lambda: fill(words, keys, values),
        "put": lambda: put(words, keys, values),
        "put_few": lambda: put(words, keys, fed(i8([1]))),
        "put_matrix": lambda: put(words, fed(_words("c", "d").reshape(2, 1)), fed(i8([[3], [4]]))),
        "put_scalar": lambda: put(words, fed(_words("e").reshape(())), fed(i8(5))),
        "put_twice": lambda: put(words, fed(_words("f", "f")), fed(i8([6, 7]))),
        "sized": lambda: size(words),
        "found": lambda: find(words, fed(_words("f", "e", "c", "x")), i8(-1)),
        "dropped": lambda: drop(words, fed(_words("f", "none", "c").reshape(3, 1))),
        "dropped_kind": lambda: drop(words, fed(i8([1]))),
        "sized_less": lambda: size(words),
        "taken": lambda: take(words, fed(_words("y")), fed(i8([9]))),
        "taken_out": lambda: out(words),
        "taken_none": lambda: take(words, fed(np.zeros([0], object)), fed(np.zeros([0], i8))),
        "taken_none_size": lambda: size(words),
        "rows_put": lambda: put(rows, keys, fed(i8([[1, 2], [3, 4]]))),
        "rows_put_flat": lambda: put(rows, keys, values),
        "rows_put_wide": lambda: put(rows, keys, fed(i8([[1, 2, 3], [3, 4, 5]]))),
        "rows_found": lambda: find(rows, fed(_words("b", "x").reshape(1, 2)), fed(i8([7, 8]))),
        "rows_default": lambda: find(rows, keys, fed(i8(7))),
        "rows_default_wide": lambda: find(rows, keys, fed(i8([7, 8, 9]))),
        "dense_put": lambda: put(dense, keys, fed(i8([[1, 2], [3, 4]]))),
        "dense_put_flat": lambda: put(dense, keys, values),
        "dense_found": lambda: find(dense, fed(_words("b", "x")), fed(i8([7, 8]))),
        "dense_default": lambda: find(dense, keys, fed(i8([7]))),
        "dense_scalar": lambda: find(dense, fed(_words("b").reshape(())), fed(i8([7, 8]))),
        "dense_taken_none": lambda: size(dense),
        "pairs_put": lambda: put(numbers, fed(i8([[1, 2], [3, 4]])), values),
        "pairs_flat": lambda: put(numbers, fed(i8([1, 2])), values),
        "pairs_wide": lambda: find(numbers, fed(i8([[1, 2, 3]])), i8(0)),
        "pairs_deep": lambda: find(numbers, fed(i8([[[1, 2]], [[3, 4]]])), i8(0)),
        "pairs_found": lambda: find(numbers, fed(i8([[3, 4], [4, 3], [1, 2]])), i8(-5)),
        "pairs_reserved": lambda: drop(numbers, fed(i8([[1, 2], [-1, 0]]))),
        "pairs_grown": lambda: put(numbers, fed(i8([[5, 6], [7, 8], [9, 9]])), fed(i8([5, 7, 9]))),
        "pairs_dropped": lambda: drop(numbers, fed(i8([[1, 2], [8, 8]]))),
        "pairs_out": lambda: out(numbers, tf.int64),
        "pairs_put_in_part": lambda: put(
            numbers, fed(i8([[2, 1], [0, 0], [2, 2]])), fed(i8([3, 4, 5]))
        ),
        "pairs_in_part": lambda: find(numbers, fed(i8([[2, 1], [2, 2]])), i8(-5)),
        "filled_twice": lambda: fill(fixed, fed(_words("x", "y")), values),
        "pairs_size": lambda: size(numbers),
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
        "as_words": lambda: size(raw.MutableHashTableV2(shared_name="fixed", **kinds)),
        "as_floats": lambda: size(
            raw.HashTableV2(shared_name="fixed", key_dtype=tf.string, value_dtype=tf.float32)
        ),
        "as_rows": lambda: size(
            raw.MutableHashTableOfTensorsV2(shared_name="words", value_shape=[2], **kinds)
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
        "old_back": lambda: [back("x", tf.float32), back("n", tf.int16), back("w", tf.string)],
        "old_kind": lambda: back("n", tf.int32),
        "old_none": lambda: back("y", tf.float32),
        "old_file": lambda: back("x", tf.float32, "none"),
        "old_folder": lambda: back("x", tf.float32, "none/old"),
        "old_by_pattern": lambda: back(fed(_words("x").reshape(())), tf.float32, "ol?"),
        "sliced": lambda: sliced(fed(_words("4 2 0,2:-"))),
        "sliced_again": lambda: sliced(["4 2 2,2:-"], "part2"),
        "sliced_few": lambda: sliced(none, "no"),
        "sliced_other": lambda: sliced(fed(_words("4 3 0,2:-")), "no"),
        "sliced_text": lambda: sliced(fed(_words("4 2")), "no"),
        "part": lambda: part(fed(_words("4 2 1,2:-").reshape(()))),
        "part_whole": lambda: part(""),
        "part_missing": lambda: part("4 2 1,2:-", of="part"),
        "part_outside": lambda: part(fed(_words("4 2 3,2:-").reshape(()))),
        "part_other": lambda: part(fed(_words("4 3 1,2:-").reshape(()))),
        "new": lambda: second(two, none, [x, x + 1]),
        "new_few_names": lambda: second(fed(_words("x")), none, [x, x], "no"),
        "new_many_tensors": lambda: second(fed(_words("x")), fed(_words("")), [x, x], "no"),
        "new_matrix": lambda: second(fed(_words("x").reshape(1, 1)), fed(_words("")), [x], "no"),
        "new_other": lambda: second(fed(_words("x")), fed(_words("2 3 -:-")), [x], "no"),
        "new_twice": lambda: second(fed(_words("x", "x")), none, [x, x + 1], "twice"),
        "read": lambda: read(two, none, [tf.float32] * 2),
        "read_few": lambda: read(fed(_words("x")), none, [tf.float32] * 2),
        "read_matrix": lambda: read(two, fed(_words("", "").reshape(2, 1)), [tf.float32] * 2),
        "read_part": lambda: read(["y"], fed(_words("2 2 1,1:-")), [tf.float32]),
        "read_old": lambda: read(fed(_words("n", "w")), none, [tf.int16, tf.string], "old"),
        "read_kind": lambda: read(two, none, [tf.float32, tf.int32]),
        "read_none": lambda: read(fed(_words("x", "z")), none, [tf.float32] * 2),
        "merge": lambda: merge(fed(_words(path("new"))), path("merged")),
        "merge_scalar": lambda: merge(fed(_words(path("new")).reshape(())), path("no")),
        "merge_none": lambda: merge(fed(_words(path("none"))), path("no")),
        "merged": lambda: read(two, none, [tf.float32] * 2, "merged"),
        "moved": lambda: read(two, none, [tf.float32] * 2),
        "name": lambda: raw.ShardedFilename(
            basename=fed(_words("a").reshape(())), shard=3, num_shards=12
        ),
        "name_of_many": lambda: raw.ShardedFilename(basename="a", shard=123456, num_shards=-1),
        "spec": lambda: raw.ShardedFilespec(basename="a b", num_shards=fed(np.int32(7))),
        "write": lambda: raw.WriteFile(filename=fed(_words(path("w")).reshape(())), contents=""),
        "write_two": lambda: raw.WriteFile(filename=fed(_words("a", "b")), contents="x"),
        "write_twos": lambda: raw.WriteFile(filename=path("w"), contents=fed(_words("a", "b"))),
        "read_file": lambda: raw.ReadFile(filename=path("w")),
        "read_files": lambda: raw.ReadFile(filename=fed(_words("a", "b"))),
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
    values = np.arange(6, dtype="f").reshape(3, 2)
    saved = raw.SaveV2(
        prefix=path,
        tensor_names=["m", "v", "d"],
        shape_and_slices=[""] * 3,
        tensors=[values, np.float32([1, 2]), np.zeros([2, 2])],
    )

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
        "save": lambda: saved,
        "rows": matrix,
        "rows_none": lambda: matrix([-1, -1], fill=[1, 2, 3, 4]),
        "rows_mixed": lambda: matrix([2, -1, 0], fill=[[8], [9]]),
        "rows_empty": lambda: matrix(np.zeros([0])),
        "rows_few": lambda: matrix([0], shape=(2, 2)),
        "rows_twice": lambda: matrix([1, 1]),
        "rows_far": lambda: matrix([3]),
        "columns": lambda: matrix([2, 0], [1, -1, 0], [7, 8]),
        "columns_none": lambda: matrix([2], [-1, -1], [7, 8]),
        "columns_few": lambda: matrix([0], [1], shape=(1, 3)),
        "columns_twice": lambda: matrix([0], [1, 1]),
        "columns_all": lambda: matrix([0], shape=(1, 3)),
        "fill_few": lambda: matrix([2, -1], fill=[1]),
        "fill_many": lambda: matrix([2, -1], fill=[1, 2, 3]),
        "little_by_little": lambda: matrix([2, 0, 1, -1], [1, 0], [5, 6], max_rows_in_memory=1),
        "by_two": lambda: matrix([2, 0, -1], fill=[5, 6], max_rows_in_memory=2),
        "vector": lambda: matrix(name="v"),
        "doubles": lambda: matrix(name="d"),
        "no_name": lambda: matrix(name="none"),
        "no_file": lambda: matrix(path=path + "none"),
        "words": words,
        "words_behind": lambda: words(offset=1, count=2),
        "words_none": lambda: words(count=0),
        "words_of_two": lambda: words(size=2),
        "words_of_none": lambda: words(size=0),
        "words_of_many": lambda: words(size=9),
        "words_far": lambda: words(offset=2, count=3),
        "words_nowhere": lambda: words(of=stage.folder + "/none"),
        "words_before_nowhere": lambda: words(before=stage.folder + "/none"),
        "words_no_name": lambda: words(of=""),
    }
    _runs(tf, stage, cases)
    stage.attempts(
        lambda: matrix(name=["m"]),
        lambda: words(offset=-1),
    )
