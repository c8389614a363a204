"""DEBUG messages of warm starts and checkpoints; paths as bytes; checkpoints of unusual values."""

import os


def _saved(tf, folder, values, name="m"):
    with tf.Graph().as_default(), tf.Session() as session:
        made = {key: tf.Variable(value) for key, value in values.items()}
        session.run(tf.global_variables_initializer())
        return tf.train.Saver(made).save(session, os.path.join(folder, name), 3)


def warm_starts_told(tf, stage):
    tf.logging.set_verbosity(tf.logging.DEBUG)
    path = _saved(tf, stage.folder, {"a": [1.0, 2.0], "b": 3.0, "e": [[1.0], [2.0], [3.0]]})
    for name, words in (("old", "p q r"), ("new", "r s p q")):
        with open(f"{stage.folder}/{name}", "w") as file:
            file.write("\n".join(words.split()) + "\n")
    old, new = stage.folder + "/old", stage.folder + "/new"
    info = tf.train.VocabInfo

    def fill(shape, dtype=tf.float32, partition_info=None):
        return -tf.ones(shape, dtype)

    zeros = tf.zeros_initializer()
    for asks in (
        {},
        {"vars_to_warm_start": "[ab]"},
        {"vars_to_warm_start": ["a", "e"], "var_name_to_vocab_info": {"e": info(new, 4, 0, old)}},
        {
            "vars_to_warm_start": ".*",
            "var_name_to_vocab_info": {
                "e": info(
                    new_vocab=new,
                    new_vocab_size=3,
                    num_oov_buckets=1,
                    old_vocab=old,
                    old_vocab_size=2,
                    backup_initializer=fill,
                )
            },
            "var_name_to_prev_var_name": {"a": "a", "b": "b", "e": "e"},
        },
    ):
        stage.say(sorted(asks))
        with tf.Graph().as_default(), tf.Session() as session, stage.failing():
            made = [
                tf.get_variable("a", [2]),
                tf.get_variable("b", [], initializer=zeros),
                tf.get_variable("e", [4, 1]),
            ]
            made.append(tf.get_variable("cut", [2], partitioner=tf.fixed_size_partitioner(2)))
            if "vars_to_warm_start" not in asks or asks["vars_to_warm_start"] == ".*":
                tf.get_collection_ref(tf.GraphKeys.TRAINABLE_VARIABLES)[:] = made[:3]
            tf.train.warm_start(path, **asks)
            tf.set_random_seed(1)
            session.run(tf.global_variables_initializer())
            stage.say(session.run(made[:2]), session.run(made[2]).shape)
            if "var_name_to_prev_var_name" in asks:
                stage.say(session.run(made[2]))
    with tf.Graph().as_default():
        tf.get_variable("a", [2])
        tf.train.init_from_checkpoint(path, {"/": "/"})
    tf.logging.vlog(1, "a low one")
    tf.logging.vlog(tf.logging.ERROR, "a high one %d", 3)
