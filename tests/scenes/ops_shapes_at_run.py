"""Shapes that only a step knows: tables, checkpoints, lists, accumulators, files by raw ops, and what they refuse."""

import numpy as np

from tests.scenes import unknown


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
        lambda: find(words, keys, fed(i8(0))).shape,
        lambda: find(words, tf.zeros([2, 3], tf.string), i8(0)).shape,
        lambda: find(rows, tf.zeros([2, 3], tf.string), i8([0, 0])).shape,
        lambda: find(numbers, tf.zeros([3, 2], tf.int64), i8(0)).shape,
        lambda: find(tf.identity(rows), tf.zeros([3], tf.string), i8([0, 0])).shape,
        lambda: find(rows, tf.zeros([3], tf.int64), i8([0, 0])),
        lambda: find(rows, tf.zeros([3], tf.string), np.float32([0, 0])),
        lambda: find(rows, tf.zeros([3], tf.string), i8([[0, 0]])),
        lambda: [t.shape for t in out(rows)],
        lambda: [t.shape for t in out(fixed)],
        lambda: [t.shape for t in out(dense)],
        lambda: fill(fixed, [["a"]], i8([[1]])),
        lambda: fill(fixed, ["a"], i8([1, 2])),
        lambda: take(words, ["a"], i8([1, 2])),
        lambda: drop(words, "a"),
        lambda: put(tf.expand_dims(words, 0), ["a"], i8([1])),
        lambda: size(tf.expand_dims(words, 0)).shape,
        lambda: out(tf.expand_dims(words, 0)),
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
        lambda: old("x", [x]),
        lambda: sliced(["", ""]),
        lambda: sliced(""),
        lambda: raw.Save(filename=["a"], tensor_names=["x"], data=[x]),
        lambda: back(["x"], tf.float32),
        lambda: back("x", tf.float32).shape,
        lambda: part("4 2 1,2:-").shape,
        lambda: part("4 2 5,2:-").shape,
        lambda: part("4 2").shape,
        lambda: part("").shape,
        lambda: part(["4 2 1,2:-"]),
        lambda: second(["x"], [""], [x, x]),
        lambda: second("x", [""], [x]),
        lambda: raw.SaveV2(prefix=["a"], tensor_names=["x"], shape_and_slices=[""], tensors=[x]),
        lambda: read(["x"], ["", ""], [tf.float32]),
        lambda: read(["x", "y"], ["", ""], [tf.float32]),
        lambda: [t.shape for t in read(["x", "y"], ["", "4 2 1,2:0,1"], [tf.float32] * 2)],
        lambda: read(["x"], ["4 2 7,9:-"], [tf.float32])[0].shape,
        lambda: merge("a", "b"),
        lambda: merge(["a"], ["b"]),
        lambda: raw.ShardedFilename(basename=["a"], shard=1, num_shards=2),
        lambda: raw.ShardedFilespec(basename="a", num_shards=[2]),
        lambda: raw.ShardedFilename(basename="a", shard=1, num_shards=2).shape,
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
        lambda: [t.shape for t in words()],
        lambda: words(of=["a"]),
        lambda: matrix().shape,
        lambda: matrix(name=["m"]),
        lambda: words(offset=-1),
        lambda: matrix(shape=(2, 0)),
    )


def accumulators(tf, stage):
    raw, fed, i8 = tf.raw_ops, unknown(tf), np.int64
    sums = raw.ResourceConditionalAccumulator if hasattr(raw, "none") else None
    stage.say(sums is None)
    plain = tf.ConditionalAccumulator(tf.float64, [None, 2], "s", "acc", "SUM")
    means = tf.ConditionalAccumulator(tf.float16, name="means")
    sparse = tf.SparseConditionalAccumulator(tf.float32, [3, None], reduction_type="SUM")
    value = lambda *rows, kind="d": fed(np.array(rows, kind))  # noqa: E731
    cases = {
        "put": lambda: plain.apply_grad(value([1, 2])),
        "put_longer": lambda: plain.apply_grad(value([1, 2], [3, 4])),
        "put_wide": lambda: plain.apply_grad(value([1, 2, 3])),
        "put_flat": lambda: plain.apply_grad(value(1, 2)),
        "put_again": lambda: plain.apply_grad(value([0.1, 1e300]), 7, "own"),
        "count": lambda: plain.num_accumulated("own_count"),
        "taken": lambda: plain.take_grad(1, "own_take"),
        "stale": lambda: plain.apply_grad(value([1, 2]), 0),
        "count_stale": lambda: plain.num_accumulated(),
        "step_matrix": lambda: plain.set_global_step(fed(i8([[3]]))),
        "step": lambda: plain.set_global_step(fed(i8(3)), "own_step"),
        "step_back": lambda: plain.set_global_step(1),
        "at_step": lambda: plain.apply_grad(value([5, 6]), fed(i8(3))),
        "taken_at_step": lambda: plain.take_grad(fed(np.int32(1))),
        "means": lambda: means.apply_grad(value(1, 2, kind=np.float16)),
        "means_again": lambda: means.apply_grad(value(2, 5, kind=np.float16)),
        "means_taken": lambda: means.take_grad(1),
        "means_other": lambda: means.apply_grad(value(2, 5, 7, kind=np.float16), 1),
        "means_other_taken": lambda: means.take_grad(1),
        "kind": lambda: means.apply_grad(value(1.0)),
        "sparse": lambda: sparse.apply_grad(value(0, 2, kind=i8), value([1, 2], [3, 4], kind="f")),
        "sparse_far": lambda: sparse.apply_grad(value(3, kind=i8), value([1, 2], kind="f")),
        "sparse_shape": lambda: sparse.apply_grad(
            value(1, kind=i8), value([1, 2], kind="f"), value(3, 2, kind=i8), name="own_sparse"
        ),
        "sparse_other_shape": lambda: sparse.apply_grad(
            value(1, kind=i8), value([1, 2], kind="f"), value(4, 2, kind=i8)
        ),
        "sparse_wide": lambda: sparse.apply_grad(value(1, kind=i8), value([1, 2, 3], kind="f")),
        "sparse_count": lambda: sparse.num_accumulated(),
        "sparse_taken": lambda: sparse.take_grad(2, "own_sparse_take"),
        "sparse_slices": lambda: sparse.apply_indexed_slices_grad(
            tf.IndexedSlices(value([7, 8], kind="f"), value(2, kind=i8)), fed(i8(9)), "own_slices"
        ),
        "put_at_matrix": lambda: plain.apply_grad(value([1, 2]), fed(i8([[3]]))),
        "sparse_slices_taken": lambda: tuple(sparse.take_indexed_slices_grad(1)),
    }
    stage.attempts(
        lambda: [plain.dtype, means.dtype, sparse.dtype, plain.name, means.name],
        lambda: plain.take_grad(1).shape,
        lambda: means.take_grad(1).shape,
        lambda: [t.shape for t in sparse.take_grad(1)],
        lambda: tf.ConditionalAccumulator(tf.string),
        lambda: tf.ConditionalAccumulator(tf.float32, [1], reduction_type="MEAN", name="m/n").name,
        lambda: tf.SparseConditionalAccumulator(tf.float32, reduction_type="MIN"),
        lambda: plain.apply_grad([[1.0, 2.0]], name="n").name,
        lambda: plain.apply_grad([[1, 2]], local_step="a"),
        lambda: plain.take_grad(1.5),
        lambda: plain.set_global_step([1]).name,
    )
    with tf.Session(config=tf.ConfigProto(operation_timeout_in_ms=2000)) as session:
        for name, make in cases.items():
            stage.say(name)
            stage.attempt(lambda make=make: session.run(make()))
    stage.brief_graph(names=False)


def lists(tf, stage):
    raw, fed, f = tf.raw_ops, unknown(tf), tf.float32
    reserve = lambda n, shape=-1, kind=f: raw.TensorListReserve(  # noqa: E731
        element_shape=shape, num_elements=n, element_dtype=kind
    )
    empty = lambda shape=-1, kind=f: raw.EmptyTensorList(  # noqa: E731
        element_shape=shape, max_num_elements=-1, element_dtype=kind
    )
    of = lambda value, shape=-1: raw.TensorListFromTensor(tensor=value, element_shape=shape)  # noqa: E731
    stack = lambda a, shape=-1, kind=f: raw.TensorListStack(  # noqa: E731
        input_handle=a, element_shape=shape, element_dtype=kind
    )
    concat = lambda a, shape=-1: raw.TensorListConcatV2(  # noqa: E731
        input_handle=a, element_shape=shape, leading_dims=np.zeros([0], np.int64), element_dtype=f
    )
    length = lambda a: raw.TensorListLength(input_handle=a)  # noqa: E731
    both = lambda a, b, kind=f: raw.TensorListConcatLists(  # noqa: E731
        input_a=a, input_b=b, element_dtype=kind
    )
    push_all = lambda handles, v: raw.TensorListPushBackBatch(input_handles=handles, tensor=v)  # noqa: E731
    split = lambda v, by: raw.TensorListSplit(tensor=v, element_shape=-1, lengths=by)  # noqa: E731
    x = np.arange(6.0).reshape(3, 2).astype("f")
    cases = {
        "shape_scalar": lambda: length(reserve(1, fed(3))),
        "joined_unset": lambda: list(concat(reserve(2))),
        "joined_unset_static": lambda: list(concat(reserve(2, [-1, -1]), [-1, -1])),
        "split_lengths_matrix": lambda: length(split(x, fed(np.int64([[1, 2]])))),
        "split_lengths_matrix_static": lambda: length(split(x, np.int64([[1, 2]]))),
        "split_scalar": lambda: length(split(fed(np.float32(1)), np.int64([1]))),
        "split_negative": lambda: length(split(x, fed(np.int64([4, -1])))),
        "split_more": lambda: length(split(x, fed(np.int64([2, 2])))),
        "split_fewer": lambda: length(split(x, fed(np.int64([1, 1])))),
        "lists_kinds": lambda: length(both(of(x), empty(kind=tf.int32))),
        "lists_kind": lambda: length(both(of(x), of(x), tf.int32)),
        "lists_shapes": lambda: length(both(of(x), of(x, [2]))),
        "lists_added": lambda: stack(tf.add_n([of(x), of(x * 2)])),
        "lists_added_lengths": lambda: length(raw.AddN(inputs=[of(x), of(x[:2])])),
        "from_shape": lambda: length(of(fed(x), fed([3]))),
        "scattered_shape": lambda: length(
            raw.TensorListScatter(tensor=fed(x), indices=[0, 1, 2], element_shape=fed([3]))
        ),
        "scattered_rows": lambda: length(
            raw.TensorListScatter(tensor=fed(x), indices=fed([0, 1]), element_shape=-1)
        ),
        "scattered_before": lambda: length(
            raw.TensorListScatter(tensor=fed(x), indices=fed([0, 1, -1]), element_shape=-1)
        ),
        "resized_negative": lambda: length(raw.TensorListResize(input_handle=of(x), size=fed(-1))),
        "pushed_all": lambda: [
            raw.TensorListStack(input_handle=h, element_shape=-1, element_dtype=f)
            for h in tf.unstack(push_all(tf.stack([of(x), of(x[:1])]), x[:2]))
        ],
        "pushed_all_static": lambda: push_all(tf.stack([of(x), of(x)]), x).shape,
        "pushed_all_few": lambda: length(push_all(tf.stack([of(x), of(x)]), fed(x))[0]),
        "pushed_all_shape": lambda: length(
            push_all(tf.stack([of(x, [2]), of(x, [2])]), fed(x[:2, :1]))[0]
        ),
        "lists_all_shapes": lambda: length(both(tf.stack([of(x)]), of(x))),
        "slope_of_nothing": lambda: [
            str(g) for g in tf.gradients(length(of(tf.constant(x))), [tf.constant(x)])
        ],
    }
    stage.each(cases, graph=False)


def arrays_and_stacks(tf, stage):
    raw, fed, f = tf.raw_ops, unknown(tf), tf.float32

    def array(size=3, **options):
        made = raw.TensorArrayV3(size=size, dtype=f, **options)
        return made.handle, made.flow

    def written(index=1, value=2.0, again=None, made=None):
        handle, flow = made or array()
        for at in (index, again):
            if at is not None:
                flow = raw.TensorArrayWriteV3(handle=handle, index=at, value=value, flow_in=flow)
        return handle, flow

    def read(made, index=1):
        return raw.TensorArrayReadV3(handle=made[0], index=index, flow_in=made[1], dtype=f)

    def read_and_written():
        handle, flow = written()
        with tf.control_dependencies([read((handle, flow))]):
            return raw.TensorArrayWriteV3(handle=handle, index=1, value=1.0, flow_in=flow)

    def closed(use):
        handle, flow = written(made=array(fed(3)))
        with tf.control_dependencies([flow]):
            close = raw.TensorArrayCloseV3(handle=handle)
        with tf.control_dependencies([close]):
            return use(handle, tf.identity(flow))

    def put(value, indices, **options):
        handle, flow = array(**options)
        flow = raw.TensorArrayScatterV3(handle=handle, indices=indices, value=value, flow_in=flow)
        return raw.TensorArraySizeV3(handle=handle, flow_in=flow)

    def gradient(outer=None):
        handle, flow = written(value=[1.0, 2.0], made=array(element_shape=[2]))
        if outer is None:
            made = raw.TensorArrayGradV3(handle=handle, flow_in=flow, source="g")
        else:
            made = raw.TensorArrayGradWithShape(
                handle=handle, flow_in=flow, source="g", shape_to_prepend=outer
            )
        return made.grad_handle, made.flow_out

    size = lambda handle, flow: raw.TensorArraySizeV3(handle=handle, flow_in=flow)  # noqa: E731
    x = np.float32([1, 2, 3])
    cases = {
        "written_twice": lambda: size(*written(again=1)),
        "written_when_read": read_and_written,
        "closed_size": lambda: closed(size),
        "closed_read": lambda: closed(lambda *a: read(a)),
        "closed_write": lambda: closed(lambda *a: written(0, made=a)[1]),
        "closed_gather": lambda: closed(
            lambda h, w: raw.TensorArrayGatherV3(handle=h, indices=[1], flow_in=w, dtype=f)
        ),
        "put": lambda: put(x, fed([2, 0, 1])),
        "put_few": lambda: put(x, fed([2, 0])),
        "put_far": lambda: put(x, fed([2, 0, 3])),
        "put_grown": lambda: put(x, fed([2, 0, 7]), dynamic_size=True),
        "put_twice": lambda: put(x, fed([0, 0, 1])),
        "put_kind": lambda: put(fed(np.float64(x)), fed([2, 0, 1])),
        "read_kind": lambda: raw.TensorArrayReadV3(
            handle=written()[0], index=1, flow_in=written()[1], dtype=tf.int32
        ),
        "joined_shape": lambda: list(
            raw.TensorArrayConcatV3(
                handle=written(0, [[1.0]], made=array(1))[0],
                flow_in=1.0,
                dtype=f,
                element_shape_except0=[2],
            )
        ),
        "size_matrix": lambda: size(*array(fed([3]))),
        "slope_read": lambda: read(gradient()),
        "slope_read_outer": lambda: read(gradient([3])),
        "slope_never_written": lambda: read(gradient(), 2),
        "slope_added": lambda: read(written(1, [3.0, 4.0], 1, gradient())),
        "slope_added_shape": lambda: read(written(1, [3.0], 1, gradient())),
        "slope_outer_added": lambda: read(written(1, np.ones([3, 2], "f"), 1, gradient([3]))),
        "slope_outer_wrong": lambda: read(written(1, np.ones([2, 2], "f"), 1, gradient([3]))),
        "slope_of_slope": lambda: (
            raw.TensorArrayGradV3(handle=gradient()[0], flow_in=1.0, source="h").flow_out
        ),
        "static": lambda: [
            str(t.shape)
            for t in (
                *array(),
                read(array(element_shape=[2])),
                read(array(element_shape=[2], identical_element_shapes=True)),
                read(gradient()),
                read(gradient([3])),
                size(*array()),
            )
        ],
    }
    stage.each(cases, graph=False)

    def pushed(*values, most=-1, kind=f):
        handle = raw.StackV2(max_size=most, elem_type=kind)
        last = tf.no_op()
        for value in values:
            with tf.control_dependencies([last]):
                last = raw.StackPushV2(handle=handle, elem=value)
        return handle, last

    def popped(made, times=1, kind=f):
        handle, last = made
        found = []
        for _ in range(times):
            with tf.control_dependencies([last, *found[-1:]]):
                found.append(raw.StackPopV2(handle=handle, elem_type=kind))
        return found

    def old(times, kind=f):
        handle = raw.Stack(elem_type=kind, stack_name="s")
        with tf.control_dependencies([raw.StackPush(handle=handle, elem=1.5)]):
            push = raw.StackPush(handle=handle, elem=2.5)
        found = [push]
        for _ in range(times):
            with tf.control_dependencies(found[-1:]):
                found.append(raw.StackPop(handle=handle, elem_type=f))
        with tf.control_dependencies(found[-1:]):
            end = raw.StackClose(handle=handle)
        with tf.control_dependencies([end]):
            return found[1:] + [tf.constant(0)]

    def shut():
        handle, last = pushed(1.0)
        with tf.control_dependencies([last]):
            end = raw.StackCloseV2(handle=handle)
        return popped((handle, end))

    cases = {
        "popped": lambda: popped(pushed(1.0, [2.0, 3.0]), 2),
        "popped_more": lambda: popped(pushed(1.0), 2),
        "pushed_most": lambda: popped(pushed(1.0, 2.0, most=2)),
        "pushed_more": lambda: popped(pushed(1.0, 2.0, most=1)),
        "pushed_none": lambda: popped(pushed(1.0, most=0)),
        "pushed_kind": lambda: popped(pushed(1)),
        "words": lambda: popped(pushed("a", ["b"], kind=tf.string), 2, tf.string),
        "most_matrix": lambda: popped(pushed(1.0, most=fed([3]))),
        "closed": shut,
        "old": lambda: old(2),
        "old_more": lambda: old(3),
        "old_kind": lambda: old(1, tf.int32),
    }
    stage.each(cases, graph=False)


def queues(tf, stage):
    raw, fed = tf.raw_ops, unknown(tf)
    i, f = tf.int32, tf.float32
    plain = tf.FIFOQueue(2, [i, f], shapes=[[], [2]], shared_name="plain")
    loose = tf.FIFOQueue(9, [i, f])
    words = tf.RandomShuffleQueue(9, 0, [tf.string], [[]], seed=2)
    padded = tf.PaddingFIFOQueue(9, [i, tf.string], [[None], [None, 2]])
    first = tf.PriorityQueue(9, [tf.string], [[]])
    many = lambda q, *v: q.enqueue_many([fed(np.array(x, k)) for x, k in v])  # noqa: E731
    one = lambda q, *v: q.enqueue([fed(np.array(x, k)) for x, k in v])  # noqa: E731
    pairs = [[1.0, 2.0], [3.0, 4.0]]
    cases = {
        "many": lambda: many(plain, ([1, 2], "i"), (pairs, "f")),
        "many_rows": lambda: many(plain, ([1, 2], "i"), (pairs[:1], "f")),
        "many_wide": lambda: many(plain, ([1], "i"), ([[1.0, 2.0, 3.0]], "f")),
        "many_none": lambda: many(plain, (np.zeros([0]), "i"), (np.zeros([0, 2]), "f")),
        "one_wide": lambda: one(plain, (1, "i"), ([1.0], "f")),
        "one_matrix": lambda: one(plain, ([1], "i"), ([1.0, 2.0], "f")),
        "taken": lambda: plain.dequeue_many(fed(np.int32(2))),
        "taken_none": lambda: plain.dequeue_many(0),
        "taken_up_to_none": lambda: plain.dequeue_up_to(fed(np.int32(0))),
        "taken_negative": lambda: plain.dequeue_many(fed(np.int32(-1))),
        "taken_up_to_negative": lambda: plain.dequeue_up_to(fed(np.int32(-1))),
        "loose_many": lambda: many(loose, ([1, 2], "i"), (pairs, "f")),
        "loose_many_rows": lambda: many(loose, ([1, 2], "i"), (pairs[:1], "f")),
        "loose_one": lambda: one(loose, ([[7]], "i"), (2.5, "f")),
        "loose_size": lambda: loose.size(),
        "loose_taken": lambda: loose.dequeue(),
        "loose_taken_many": lambda: loose.dequeue_many(1),
        "loose_taken_up_to": lambda: loose.dequeue_up_to(1),
        "loose_last": lambda: [loose.dequeue()],
        "words": lambda: many(words, (["a", "b", "c", "d"], object)),
        "words_taken": lambda: words.dequeue_many(3),
        "words_left": lambda: words.dequeue(),
        "padded": lambda: one(padded, ([1, 2, 3], "i"), ([["a", "b"]], object)),
        "padded_short": lambda: one(padded, (np.zeros([0]), "i"), (np.zeros([0, 2]), object)),
        "padded_long": lambda: one(padded, ([4], "i"), ([["c", "d"], ["e", "f"]], object)),
        "padded_wide": lambda: one(padded, ([4], "i"), ([["c"]], object)),
        "padded_flat": lambda: one(padded, (4, "i"), ([["c", "d"]], object)),
        "padded_many": lambda: many(padded, ([[5, 6]], "i"), (np.full([1, 1, 2], "g"), object)),
        "padded_taken": lambda: padded.dequeue_many(3),
        "padded_left": lambda: padded.dequeue_up_to(1),
        "first": lambda: many(first, ([3, -1, 3, 2**40], "q"), (["a", "b", "c", "d"], object)),
        "first_other": lambda: one(first, ([1], "q"), ("a", object)),
        "first_taken": lambda: first.dequeue_many(3),
        "first_left": lambda: first.dequeue(),
        "other_capacity": lambda: tf.FIFOQueue(3, [i, f], [[], [2]], shared_name="plain").size(),
        "other_types": lambda: tf.FIFOQueue(2, [i, i], [[], [2]], shared_name="plain").size(),
        "other_kind": lambda: tf.PaddingFIFOQueue(2, [i, f], [[], [2]], shared_name="plain").size(),
        "same": lambda: tf.FIFOQueue(2, [i, f], [[], [2]], shared_name="plain").size(),
    }
    stage.attempts(
        lambda: plain.dequeue_many(fed(np.int32(2)))[1].shape,
        lambda: [t.shape for t in plain.dequeue_up_to(2)],
        lambda: [t.shape for t in padded.dequeue_many(2)],
        lambda: padded.dequeue("own")[1],
        lambda: tf.PaddingFIFOQueue(2, [i], [None]),
        lambda: tf.PaddingFIFOQueue(2, [i], [tf.TensorShape(None)]),
        lambda: tf.FIFOQueue(2, [i], names=["a", "b"]),
        lambda: tf.QueueBase([i], [[]], ["a", "b"], plain.queue_ref),
        lambda: raw.QueueEnqueueManyV2(handle=plain.queue_ref, components=[1]).type,
        lambda: (
            raw.QueueDequeueManyV2(handle=plain.queue_ref, n=3, component_types=[i, f])[1].shape
        ),
        lambda: raw.QueueSizeV2(handle=plain.queue_ref).shape,
        lambda: raw.QueueIsClosedV2(handle=plain.queue_ref).shape,
    )
    with tf.Session(config=tf.ConfigProto(operation_timeout_in_ms=2000)) as session:
        for name, make in cases.items():
            stage.say(name)
            stage.attempt(lambda make=make: session.run(make()))
