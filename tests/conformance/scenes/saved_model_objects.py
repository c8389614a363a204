"""Object-based SavedModels: saved, called, served and rejected; signatures, files and graphs."""

import os


def _adder(tf, **options):
    class Adder(tf.Module):
        def __init__(self):
            super().__init__()
            self.v = tf.Variable(5.0, name="mine", **options)
            self.rows = [tf.Variable([1, 2], trainable=False), {"deep": tf.Variable("text")}]
            self.number, self.text = 3, "plain"

        @tf.function(input_signature=[tf.TensorSpec([None], tf.float32)])
        def add(self, x):
            return x + self.v

        @tf.function
        def scale(self, x, by=2.0, negate=False):
            y = x * self.v * by
            return {"y": -y if negate else y}

    return Adder()


def kept(tf, stage):
    def saved(obj, *args):
        tf.saved_model.save(obj, stage.folder, *args)
        return tf.saved_model.load_v2(stage.folder)

    def state():
        adder = _adder(tf)
        adder.v.assign(7.0)
        found = saved(adder)
        v = found.v
        return v.name, v.trainable, v.numpy(), found.rows[0].numpy(), found.rows[1]["deep"].numpy()

    def calls():
        adder = _adder(tf)
        adder.scale(tf.constant(1.0))
        adder.scale(tf.constant(1.0), negate=True)
        found = saved(adder)
        return (
            found.add(tf.constant([1.0])),
            found.scale(tf.constant(2.0)),
            found.scale(tf.constant(2.0), 2.0, True),
            found.scale(x=tf.constant(2.0), negate=True),
        )

    def not_traced():
        found = saved(_adder(tf))
        return found.scale(tf.constant(2.0))

    def other_arguments(*args, **kwargs):
        adder = _adder(tf)
        adder.scale(tf.constant(1.0))
        found = saved(adder)
        return found.scale(*args, **kwargs)

    def of_signature(*args, **kwargs):
        found = saved(_adder(tf))
        return found.signatures["serving_default"](*args, **kwargs)

    def gradients():
        found = saved(_adder(tf))
        x = tf.constant([1.0, 2.0])
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = found.add(x) * x
        return tape.gradient(y, [x, found.v])

    def shared():
        adder = _adder(tf)
        adder.same = adder.v
        found = saved(adder)
        return found.same is found.v

    def again():
        found = saved(_adder(tf))
        found.v.assign(8.0)
        tf.saved_model.save(found, stage.folder + "/more")
        more = tf.saved_model.load_v2(stage.folder + "/more")
        return more.add(tf.constant([1.0]))

    def several():
        adder = _adder(tf)
        other = adder.scale.get_concrete_function(tf.TensorSpec([], tf.float32, name="given"))
        found = saved(adder, {"add": adder.add, "scale": other})
        return (
            sorted(found.signatures),
            found.signatures["scale"](given=tf.constant(2.0)),
            found.signatures["add"](tf.constant([2.0])),
        )

    def asset():
        path = os.path.join(stage.folder, "words.txt")
        with open(path, "w") as file:
            file.write("a\nb\n")
        module = tf.Module()
        table = tf.lookup.StaticHashTable(
            tf.lookup.TextFileInitializer(
                path,
                tf.string,
                tf.lookup.TextFileIndex.WHOLE_LINE,
                tf.int64,
                tf.lookup.TextFileIndex.LINE_NUMBER,
            ),
            -1,
        )
        module.table = table
        module.find = tf.function(
            lambda x: table.lookup(x), input_signature=[tf.TensorSpec([None], tf.string)]
        )
        tf.saved_model.save(module, stage.folder + "/assets_too")
        os.remove(path)
        found = tf.saved_model.load_v2(stage.folder + "/assets_too")
        return found.find(tf.constant(["b", "c"])), os.listdir(stage.folder + "/assets_too/assets")

    cases = {
        "state": state,
        "calls": calls,
        "not_traced": not_traced,
        "other_dtype": lambda: other_arguments(tf.constant(1)),
        "number": lambda: other_arguments(1.0),
        "too_many": lambda: other_arguments(1.0, 2.0, False, 4),
        "signature_list": lambda: of_signature([1.0]),
        "gradients": gradients,
        "shared": shared,
        "again": again,
        "several": several,
        "asset": asset,
    }
    stage.each_eagerly(cases)


def refused(tf, stage):
    def saved(obj, *args):
        tf.saved_model.save(obj, stage.folder, *args)
        return "saved"

    def with_function(function, signature=None):
        module = tf.Module()
        module.f = tf.function(function, input_signature=signature)
        return module

    def served(*args):
        adder = _adder(tf)
        return saved(adder, *[arg(adder) for arg in args])

    def untracked():
        v = tf.Variable(1.0)
        return saved(with_function(lambda x: x * v, [tf.TensorSpec([], tf.float32)]))

    def in_function():
        @tf.function
        def f():
            tf.saved_model.save(tf.Module(), stage.folder)
            return 1

        return f()

    def renamed():
        module = tf.Module()
        module.signatures = {"a": 3}
        return saved(module)

    spec = tf.TensorSpec
    cases = {
        "number": lambda: saved(3),
        "dict": lambda: saved({"a": tf.Variable(1.0)}),
        "signature_number": lambda: served(lambda a: 3),
        "signature_function": lambda: served(lambda a: lambda x: x),
        "result_none": lambda: saved(with_function(lambda x: None, [spec([], tf.float32)])),
        "untracked": untracked,
        "in_function": in_function,
        "renamed": renamed,
    }
    stage.each_eagerly(cases)
