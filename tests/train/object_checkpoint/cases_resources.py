"""Tables, iterators, templates, functions, Python state."""

import numpy as np

from tests.train.object_checkpoint.held_values import module_of, variable

# Tables, iterators, templates, functions, Python -------------------------------------------------


def tables(tf):
    filled = tf.lookup.KeyValueTensorInitializer(["a"], np.array([1], "i8"))
    file = tf.lookup.TextFileInitializer("/none", tf.string, 0, tf.int64, 1)
    return [
        tf.lookup.StaticHashTable(filled, -1),
        tf.lookup.StaticHashTable(file, -1),
        tf.contrib.lookup.HashTable(filled, -1),
        tf.lookup.StaticVocabularyTable(filled, 2),
        tf.contrib.lookup.MutableHashTable(tf.string, tf.int64, -1, name="mutable"),
        tf.contrib.lookup.MutableHashTable(tf.string, tf.float32, [0.0, 0.0], checkpoint=False),
        tf.contrib.lookup.MutableDenseHashTable(tf.int64, tf.float32, [0.0, 0.0], -1, -2, 8),
        filled,
        file,
    ]


def table_alone(tf):
    return tf.contrib.lookup.MutableHashTable(tf.string, tf.int64, -1)


def iterators(tf):
    data = tf.data.Dataset.range(5)
    return [
        data.make_initializable_iterator(),
        data.map(lambda x: x + 1).batch(2).make_initializable_iterator(),
    ]


def iterator_attribute(tf):
    return module_of(tf, batches=tf.data.Dataset.range(5).batch(2).make_initializable_iterator())


def datasets(tf):
    data = tf.data.Dataset.from_tensor_slices([1.0, 2.0])
    return module_of(
        tf,
        plain=data,
        mapped=data.map(lambda x: x + 1.0).batch(2).repeat(),
        both=tf.data.Dataset.zip((data, data)),
        of_range=tf.data.Dataset.range(3).shuffle(2).prefetch(1).take(1).filter(lambda x: x > 0),
        joined=data.concatenate(data),
    )


def templates(tf):
    def inner_function(x):
        return x * tf.get_variable("inner", [2])

    inner = tf.make_template("within", inner_function)

    def function(x):
        with tf.variable_scope("deeper"):
            x = x + tf.get_variable("b", [2])
        return inner(x) + tf.get_variable("a", [2])

    template = tf.make_template("outer", function)
    template(tf.ones([2]))
    template(tf.ones([2]))
    return template


def functions(tf):
    v = variable(tf, use_resource=True)

    @tf.function
    def function(x):
        return x * v

    module = module_of(tf, function=function, v=v)
    function(tf.ones([2]))
    module.concrete = function.get_concrete_function(tf.TensorSpec([2], tf.float32))
    return module


def function_alone(tf):
    return tf.function(lambda x: x)


def python_state(tf):
    class Text(tf.train.experimental.PythonState):
        def serialize(self):
            return "text"

        def deserialize(self, string_value):
            self.there = string_value

    return [Text(), Text()]


def linear_operators(tf):
    linalg = tf.linalg
    diagonal = linalg.LinearOperatorDiag(variable(tf, use_resource=True))
    return [
        diagonal,
        linalg.LinearOperatorFullMatrix(tf.eye(2)),
        linalg.LinearOperatorIdentity(2),
        linalg.LinearOperatorComposition([diagonal, diagonal]),
        linalg.LinearOperatorKronecker([diagonal, linalg.LinearOperatorIdentity(2)]),
    ]


def feature_columns(tf):
    column = tf.feature_column
    price = column.numeric_column("price")
    kinds = column.categorical_column_with_identity("kind", 3)
    columns = [price, column.embedding_column(kinds, 2), column.indicator_column(kinds)]
    layer = tf.keras.layers.DenseFeatures(columns)
    layer({"price": tf.ones([1, 1]), "kind": tf.ones([1, 1], tf.int64)})
    return layer


def containers(tf):
    of = tf.contrib.checkpoint
    listed = of.List([variable(tf), {"x": variable(tf, "x")}])
    listed.append(of.Mapping(a=variable(tf, "a"), b=[variable(tf, "b")]))
    unique = of.UniqueNameTracker()
    unique.track(variable(tf, "u"), "u")
    unique.track(variable(tf, "u"), "u")
    arrays = of.NumpyState()
    arrays.x, arrays.y = np.zeros([2]), np.float32(1.0)
    v = variable(tf, "split")
    parts = of.split_dependency(
        ("p", "q"),
        (tf.float32, tf.float32),
        lambda found: found.update(zip("pq", tf.split(v, 2))),
        lambda there: v.assign(tf.concat([there["p"], there["q"]], 0)),
        "/cpu:0",
    )
    return module_of(tf, listed=listed, unique=unique, arrays=arrays, parts=parts)


def containers_in_a_model(tf):
    class Model(tf.keras.Model):
        def __init__(self):
            super().__init__()
            self.listed = tf.contrib.checkpoint.List([tf.keras.layers.Dense(2)])
            self.named = tf.contrib.checkpoint.Mapping(last=tf.keras.layers.Dense(1))

        def call(self, x):
            return self.named["last"](self.listed[0](x))

    model = Model()
    model(tf.ones([1, 2]))
    assert len(model.weights) == 4, model.weights
    return model
