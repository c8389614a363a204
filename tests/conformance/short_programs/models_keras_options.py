"""tf.keras: one option of a layer, function or callback per program."""

import json
import os

import numpy as np

from tests.conformance.short_programs import rows, table_of


def programs(tf):
    K = tf.keras
    random = np.random.RandomState(3)

    def made(layer, value):
        """A layer's output, losses, variables after a training step, and attributes."""
        config = {
            k: str(v)
            for k, v in layer.get_config().items()
            if k not in ("name", "layer", "function", "backward_layer")
        }
        said = tf.constant(json.dumps(config, sort_keys=True, default=str))
        if value is None:
            return said
        given = layer(tf.constant(value))
        parts = [tf.cast(tf.reduce_sum(part), tf.float32) for part in tf.nest.flatten(given)]
        if not layer.trainable_weights:
            return [said, given, layer.losses]
        loss = tf.add_n([*parts, *(tf.cast(each, tf.float32) for each in layer.losses)])
        with tf.control_dependencies([tf.train.GradientDescentOptimizer(0.1).minimize(loss)]):
            after = [variable.read_value() for variable in layer.trainable_weights]
        return [said, after]

    def stepped(optimizer):
        w = K.backend.variable([1.0, 2.0])
        step = optimizer.get_updates(K.backend.sum(w * w), [w])
        session = K.backend.get_session()
        session.run(step)
        session.run(step)
        return [
            session.run([w, *optimizer.weights]),
            {k: str(v) for k, v in optimizer.get_config().items()},
        ]

    def seeded(call):
        np.random.seed(5)
        return call()

    def again(call):
        np.random.seed(5)
        given = call()
        return list(given) if isinstance(given, tuple) else given

    def written(*args, **options):
        with tf.Graph().as_default():
            model = K.models.Sequential([K.layers.Dense(1, input_shape=[2])])
            model.compile("sgd", "mse")
            K.models.save_model(model, *args, **options)
        return sorted(n for n in os.listdir(".") if n != "f.csv")

    class Other(K.layers.Dense):
        pass

    def progress(*args, **options):
        bar = K.utils.Progbar(*args, **options)
        bar.update(1, [("a", 2.0)])
        bar.add(1, [("a", 4.0)])
        return [
            bar.target,
            bar.width,
            bar.verbose,
            bar.interval,
            bar.unit_name,
            sorted(bar.stateful_metrics),
            str(bar._values),
        ]

    def batches(sequence):
        return [sequence[i] for i in range(len(sequence))]

    def tokens(tokenizer):
        tokenizer.fit_on_texts(["A b,a c", "b a d"])
        return [
            tokenizer.texts_to_sequences(["a,b e"]),
            tokenizer.texts_to_matrix(["a,b e"], "count"),
            tokenizer.document_count,
            tokenizer.word_index,
        ]

    def fitted(generator, **options):
        generator.fit(pictures, **options)
        return [generator.mean, generator.std, generator.principal_components]

    picture = (np.arange(48).reshape(4, 4, 3) * 5).astype("f")
    pictures = np.stack([picture, picture + 1, picture * 2, picture[::-1]])
    arrays = {"X": random.rand(4, 3).astype("f"), "S": random.randn(2, 3, 4).astype("f")}
    arrays.update(
        S4=random.randn(2, 3, 3, 4).astype("f"),
        S5=random.randn(2, 2, 3, 3, 4).astype("f"),
        PICTURE=picture,
        SET=pictures,
    )
    return rows(
        table_of(__file__),
        tf=tf, np=np, os=os, K=K, L=K.layers, B=K.backend, U=K.utils, P=K.preprocessing, I=K.preprocessing.image,
        A=tf.constant,
        again=again, written=written, OTHER=Other,
        DENSE={"class_name": "Dense", "config": {"name": "d", "units": 2}},
        made=made, stepped=stepped, seeded=seeded, progress=progress, batches=batches, tokens=tokens, fitted=fitted,
        **arrays,
    )  # fmt: skip
