"""tf.contrib.layers: combined legacy columns, with all options of their consumers; features of other ranks."""

from tests.conformance import scenes
from tests.conformance.scenes.contrib_columns import _columns, _features


def _said(tf, stage, cases, weights=None):
    """Records each case's values, shapes, variables and collections, or its error."""
    for name, case in cases.items():
        with tf.Graph().as_default() as graph, tf.Session() as session:
            tf.set_random_seed(1)
            stage.say(name)
            # Warns that sequences are experimental.
            tf.logging.set_verbosity("ERROR" if "sequence" in name else "INFO")
            with stage.failing():
                made = case()
                leaves = [x for x in tf.nest.flatten(made) if isinstance(x, tf.Tensor)]
                stage.say([(x.name, str(x.shape), x.dtype.name) for x in leaves])
                session.run([tf.global_variables_initializer(), tf.tables_initializer()])
                if weights is not None:
                    session.run(
                        [tf.assign(v, tf.fill(v.shape, weights)) for v in tf.global_variables()]
                    )
                stage.say(session.run(leaves))
            for key in sorted(graph.get_all_collection_keys(), key=str):
                found = [getattr(x, "name", type(x).__name__) for x in tf.get_collection(key)]
                if not str(key).startswith("__"):
                    stage.say(key, found)
            stage.brief_graph(names=False)


def _named(tf, *names):
    made = _columns(tf)
    return [made[name] for name in names]


_WIDE = ("whole", "keys", "bucketized", "weighted", "age", "hashed_words", "crossed_buckets")
_DEEP = ("price", "one_hot", "embedding", "bucketized_one", "scattered", "age_default", "shared")


def _inputs(tf, stage):
    of = tf.contrib.layers

    def made(*names, **options):
        return of.input_from_feature_columns(_features(tf), _named(tf, *names), **options)

    def kept():
        found = {}
        out = made("price", "embedding", "one_hot", cols_to_outs=found, scope="kept")
        return [out, *[found[c] for c in sorted(found, key=lambda c: c.key)]]

    def parts():
        with tf.variable_scope("cut", partitioner=tf.fixed_size_partitioner(2)):
            return made("embedding", "shared_two", "scattered")

    def twice():
        given, columns = _features(tf), _named(tf, "embedding", "price")
        first = of.input_from_feature_columns(given, columns, scope="s")
        with tf.variable_scope("s", reuse=True):
            pass
        stage.say(sorted(given))
        return [first, of.input_from_feature_columns(given, columns)]

    def shared_again():
        columns = of.shared_embedding_columns(
            [
                of.sparse_column_with_hash_bucket("numbers", 5, dtype=tf.int64),
                of.sparse_column_with_hash_bucket("counts", 5, dtype=tf.int64),
            ],
            2,
            shared_embedding_name="table",
            max_norm=0.25,
        )
        stage.say([c.name for c in columns], [c.shared_vocab_size for c in columns])
        first = of.input_from_feature_columns(_features(tf), columns, ["mine"])
        other = of.shared_embedding_columns(columns[0][:1], 3, shared_embedding_name="table")
        stage.attempt(of.input_from_feature_columns, _features(tf), other)
        tf.add_to_collection("SHARED_EMBEDDING_COLLECTION_TABLE", tf.constant(1.0))
        stage.attempt(of.input_from_feature_columns, _features(tf), columns)
        return first

    return {
        "all": lambda: made(*_DEEP),
        "backwards": lambda: made(*reversed(_DEEP)),
        "fixed": lambda: made("embedding", "scattered", trainable=False),
        "collected": lambda: made("shared", "embedding", weight_collections=["mine", "more"]),
        "collected once": lambda: made("embedding", weight_collections=("global_variables",)),
        "in a scope": lambda: made("price", "embedding", scope="mine"),
        "kept": kept,
        "not kept": lambda: made("price", cols_to_outs=[]),
        "a dict": lambda: of.input_from_feature_columns(
            _features(tf), {"a": _columns(tf)["price"]}
        ),
        "none": lambda: made(),
        "parts": parts,
        "twice": twice,
        "shared again": shared_again,
        "missing": lambda: of.input_from_feature_columns({}, _named(tf, "keys")),
        "missing embedded": lambda: of.input_from_feature_columns({}, _named(tf, "embedding")),
        "no columns": lambda: of.input_from_feature_columns(_features(tf), [None]),
    }


def inputs_by_options(tf, stage):
    _said(tf, stage, dict(list(_inputs(tf, stage).items())[:4]))


def inputs_by_more_options(tf, stage):
    _said(tf, stage, dict(list(_inputs(tf, stage).items())[4:10]))


def inputs_of_parts(tf, stage):
    _said(tf, stage, dict(list(_inputs(tf, stage).items())[10:]))


def _sums(tf, stage):
    of = tf.contrib.layers

    def made(*names, outputs=1, how="weighted_sum", **options):
        function = getattr(of, how + "_from_feature_columns")
        sums, variables, bias = function(_features(tf), _named(tf, *names), outputs, **options)
        if isinstance(variables, dict):
            stage.say(
                [
                    (c.name, [v.op.name for v in variables[c]])
                    for c in sorted(variables, key=lambda c: c.key)
                ]
            )
        else:
            stage.say([v.name for v in variables])
        stage.say(bias.name)
        return [sums, tf.gradients(sums, tf.trainable_variables())]

    def cut_sums(*names, **options):
        with tf.variable_scope("cut", partitioner=tf.fixed_size_partitioner(2)):
            function = of.weighted_sum_from_feature_columns
            sums, variables, bias = function(_features(tf), _named(tf, *names), 2, **options)
            stage.say(sorted(len(v) for v in variables.values()), type(bias).__name__)
            return sums

    joint = {"how": "joint_weighted_sum"}
    return {
        "all": lambda: made(*_WIDE, outputs=2),
        "fixed": lambda: made("keys", "price", trainable=False),
        "collected": lambda: made("keys", "price", weight_collections=["mine"]),
        "in a scope": lambda: made("keys", scope="mine"),
        "cut": lambda: cut_sums("keys", "hashed"),
        "cut numbers": lambda: cut_sums("price"),
        "joint": lambda: made("keys", "hashed", "bucketized", outputs=2, **joint),
        "joint fixed": lambda: made("hashed", "keys", trainable=False, scope="j", **joint),
        "joint collected": lambda: made("keys", weight_collections=["mine"], **joint),
        "joint weighted": lambda: made("weighted", **joint),
        "joint means": lambda: made("keys_default", **joint),
        "joint numbers": lambda: made("price", **joint),
        "joint of none": lambda: made(**joint),
        "none": lambda: made(),
        "embedded": lambda: made("embedding"),
        "one-hot": lambda: made("one_hot"),
        "scattered": lambda: made("scattered"),
        "twice": lambda: made("keys", "keys"),
    }


def sums_of_joint_columns(tf, stage):
    _said(tf, stage, dict(list(_sums(tf, stage).items())[6:]), 0.5)


def _ranks(tf):
    of = tf.contrib.layers
    numbers = lambda: of.real_valued_column("x", 2)  # noqa: E731
    ids = lambda: of.sparse_column_with_integerized_feature("x", 4)  # noqa: E731
    embedded = lambda: of.embedding_column(ids(), 2, initializer=tf.ones_initializer())  # noqa: E731
    deep, steps = of.input_from_feature_columns, of.sequence_input_from_feature_columns
    wide = lambda given, columns: of.weighted_sum_from_feature_columns(given, columns, 2)[0]  # noqa: E731

    def sparse(shape, known=True):
        places = [[0] * len(shape), [n - 1 for n in shape]]
        values = tf.constant([3, 6], tf.int64)
        if known:
            return tf.SparseTensor(places, values, shape)
        return tf.SparseTensor(
            places, values, tf.placeholder_with_default(tf.constant(shape, tf.int64), [None])
        )

    fed = scenes.unknown(tf)
    cube = [[[1.0, 2.0], [3.0, 4.0]], [[5.0, 6.0], [7.0, 8.0]]]
    buckets = lambda: of.bucketized_column(of.real_valued_column("x", 2), [2.0, 4.0])  # noqa: E731
    given = {
        "vector": (numbers, lambda: tf.constant([1.0, 2.0])),
        "matrix": (numbers, lambda: tf.constant(cube[0])),
        "cube": (numbers, lambda: tf.constant(cube)),
        "deeper": (numbers, lambda: tf.constant([cube, cube])),
        "number": (numbers, lambda: tf.constant(1.0)),
        "ranked": (numbers, lambda: tf.placeholder_with_default(cube, [None, None, 2])),
        "unranked": (numbers, lambda: fed(cube)),
        "buckets": (buckets, lambda: tf.constant(cube[0])),
        "integers": (ids, lambda: tf.constant([3, 5])),
        "integer rows": (embedded, lambda: tf.constant([[3, -1], [5, 0]])),
        "integer cube": (embedded, lambda: tf.constant([[[3, -1], [5, 0]]])),
        "sparse vector": (embedded, lambda: sparse([2])),
        "sparse": (embedded, lambda: sparse([2, 3])),
        "sparse cube": (embedded, lambda: sparse([2, 3, 2])),
        "sparse unknown": (embedded, lambda: sparse([2, 3], False)),
        "counted": (lambda: of.one_hot_column(ids()), lambda: sparse([2, 3, 2])),
        "of ids": (ids, lambda: sparse([2, 3, 2])),
    }
    cases = {}
    for name, (column, tensor) in given.items():
        for way in (deep, steps, wide):
            cases[f"{name} {getattr(way, '__name__', 'wide')}"] = (
                lambda column=column, tensor=tensor, way=way: way({"x": tensor()}, [column()])
            )
    return cases


def features_of_other_ranks(tf, stage):
    _said(tf, stage, dict(list(_ranks(tf).items())[:21]))


def ids_of_other_ranks(tf, stage):
    _said(tf, stage, dict(list(_ranks(tf).items())[21:]))


def columns_from_checkpoints(tf, stage):
    of = tf.contrib.layers
    with tf.Graph().as_default(), tf.Session() as session:
        tf.get_variable("table", initializer=[[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]])
        tf.get_variable("crossed", initializer=[[1.0], [2.0], [3.0], [4.0]])
        session.run(tf.global_variables_initializer())
        path = tf.train.Saver().save(session, stage.folder + "/model")
    keys = of.sparse_column_with_keys("words", ["a", "b", "c"])
    hashed = of.sparse_column_with_hash_bucket("numbers", 5, dtype=tf.int64)
    embedded = of.embedding_column(keys, 2, "sqrtn", None, path, "table", trainable=False)
    shared = of.shared_embedding_columns(
        [keys, of.sparse_column_with_keys("dense_words", ["a", "b", "c"])],
        2,
        ckpt_to_load_from=path,
        tensor_name_in_ckpt="table",
    )
    crossed = of.crossed_column(
        [keys, hashed], 4, ckpt_to_load_from=path, tensor_name_in_ckpt="crossed"
    )

    def cut():
        with tf.variable_scope("cut", partitioner=tf.fixed_size_partitioner(2)):
            return of.input_from_feature_columns(_features(tf), [embedded])

    _said(
        tf,
        stage,
        {
            "shared": lambda: of.input_from_feature_columns(_features(tf), shared),
            "cut": cut,
            "crossed": lambda: of.weighted_sum_from_feature_columns(_features(tf), [crossed], 1)[0],
        },
    )
    stage.attempts(lambda: of.crossed_column([keys, hashed], 4, ckpt_to_load_from=path))


def columns_as_texts(tf, stage):
    of = tf.contrib.layers
    for name, column in _columns(tf).items():
        stage.say(name, repr(column), str(column) == repr(column))
    keys = of.sparse_column_with_keys("words", ["a", "b", "c"])
    others = {
        "same": of.sparse_column_with_keys("other", ["a", "b", "c"]),
        "longer": of.sparse_column_with_keys("other", ["a", "b", "c", "d"]),
        "default": of.sparse_column_with_keys("other", ["a", "b", "c"], 0),
        "hashed": of.sparse_column_with_hash_bucket("hashed", 3),
        "longer hashed": of.sparse_column_with_hash_bucket("hashed", 4),
        "integers": of.sparse_column_with_integerized_feature("numbers", 3),
        "more integers": of.sparse_column_with_hash_bucket("numbers", 3, dtype=tf.int32),
        "file": of.sparse_column_with_vocabulary_file("words", "file", 1, 2),
    }
    for name, column in others.items():
        weighted = of.weighted_sparse_column(column, "w", tf.float64)
        stage.say(name, column.length, str(sorted(weighted.config.items())))
        stage.attempts(
            lambda: keys.is_compatible(column),  # noqa: B023  called here
            lambda: column.is_compatible(keys),  # noqa: B023  called here
            lambda: others["integers"].is_compatible(column),  # noqa: B023  called here
            lambda: weighted.is_compatible(keys),  # noqa: B023  called here
            lambda: weighted.is_compatible(weighted),  # noqa: B023  called here
            lambda: [
                c.name
                for c in of.shared_embedding_columns([keys, column], 2)  # noqa: B023
            ],
            lambda: [
                (c.shared_embedding_name, c.length)
                for c in of.shared_embedding_columns([weighted, column], 2)  # noqa: B023
            ],
        )
    hashed = [of.sparse_column_with_hash_bucket(name, 5) for name in ("d", "b", "c", "a", "e")]
    made = of.shared_embedding_columns(hashed, 2, max_norm=1.0, trainable=False)
    stage.say([(c.name, c.shared_embedding_name, c.max_norm, c.trainable) for c in made])
    made = of.shared_embedding_columns(tuple(hashed[:3]), 2, shared_embedding_name="mine")
    stage.say(type(made).__name__, [(c.key.split("init")[0], c.combiner) for c in made])
    one = of.shared_embedding_columns(hashed[:1], 3, "sum", "mine")
    stage.say(type(one).__name__, one[0].name, one[0].length, one[0].shared_vocab_size)
