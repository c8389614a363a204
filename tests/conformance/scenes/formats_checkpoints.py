"""Slices and dtypes in both checkpoint formats: saved, restored and rejected."""

import numpy as np

from tests.conformance.scenes.formats_files import _part

_SPECS = [
    *(
        "",
        "4 3 -:-",
        "4 3 0,2:-",
        "4 3 1,2:0,3",
        "4 3 3,1:1,1",
        "4 3 -:1,2",
        "4 3 2,2:2,1",
        "4 3",
        "4",
        "-",
    ),
    *("4 3 0,5:-", "4 3 -1,2:-", "4 3 0,0:-", "4 3 1:-", "4 3 1,2,3:-", "4 x -:-", "4 3 -"),
    *(
        "4 3 -:-:-",
        "4 3 a,b:-",
        "5 3 -:-",
        "4  3 -:-",
        " 4 3 -:-",
        "4 3 -:- ",
        "4 3 0,1:-:",
        "4 3 4,1:-",
    ),
]


def slices(tf, stage):
    """Tensor slices that can be saved and restored, in either format."""
    matrix = np.arange(12, dtype="f").reshape(4, 3)
    raw, at = tf.raw_ops, _part(stage)
    with tf.Session() as session:
        name = tf.placeholder(tf.string, [])
        spec = tf.placeholder(tf.string, [])
        value = tf.placeholder(tf.float32, None)
        save2 = raw.SaveV2(
            prefix=name, tensor_names=["m"], shape_and_slices=[spec], tensors=[value], name="s2"
        )
        save1 = raw.SaveSlices(
            filename=name, tensor_names=["m"], shapes_and_slices=[spec], data=[value], name="s1"
        )
        back2 = raw.RestoreV2(
            prefix=name, tensor_names=["m"], shape_and_slices=[spec], dtypes=[tf.float32], name="r2"
        )
        back1 = raw.RestoreSlice(
            file_pattern=name, tensor_name="m", shape_and_slice=spec, dt=tf.float32, name="r1"
        )
        for save, whole, back in ((save2, "w2", back2), (save1, "w1", back1)):
            session.run(save, {name: at + whole, spec: "", value: matrix})
            for each in _SPECS:
                stage.say(save.name, each)
                part = {spec: each, name: at + "part_" + whole}
                for given in (matrix, matrix[1:3], matrix[:, 1:]):
                    with stage.failing():
                        session.run(save, {**part, value: given})
                        reader = tf.train.NewCheckpointReader(at + "part_" + whole)
                        stage.say(reader.get_variable_to_shape_map(), np.shape(given))
                        stage.attempt(session.run, back, {**part, spec: ""})
                        stage.attempt(session.run, back, part)
                stage.attempt(session.run, back, {name: at + whole, spec: each})


def parts(tf, stage):
    """Several slices of one tensor, and mismatches."""
    raw, at = tf.raw_ops, _part(stage)
    rows = np.arange(28.0).reshape(7, 4)
    with tf.Session() as session:
        cases = {
            "two": [("0,3:-", rows[:3]), ("3,4:-", rows[3:])],
            "hole": [("0,3:-", rows[:3]), ("4,3:-", rows[4:])],
            "overlap": [("0,4:-", rows[:4]), ("3,4:-", rows[3:])],
            "corners": [("0,3:0,2", rows[:3, :2]), ("0,3:2,2", rows[:3, 2:]), ("3,4:-", rows[3:])],
            "too_small": [("0,3:-", rows[:2]), ("3,4:-", rows[3:])],
        }
        asked = ["", "7 4 -:-", "7 4 2,3:-", "7 4 0,3:1,2", "7 4 2,1:3,1", "7 5 -:-", "7 4 6,1:-"]
        for name, given in cases.items():
            stage.say(name)
            specs = ["7 4 " + spec for spec, _ in given]
            values = [tf.constant(value) for _, value in given]
            names = ["p"] * len(given)
            for save in (
                raw.SaveV2(
                    prefix=at + name, tensor_names=names, shape_and_slices=specs, tensors=values
                ),
                raw.SaveSlices(
                    filename=at + name + "1",
                    tensor_names=names,
                    shapes_and_slices=specs,
                    data=values,
                ),
            ):
                stage.attempt(session.run, save)
            for each in asked:
                for back in (
                    raw.RestoreV2(
                        prefix=at + name,
                        tensor_names=["p"],
                        shape_and_slices=[each],
                        dtypes=[tf.float64],
                    )[0],
                    raw.RestoreSlice(
                        file_pattern=at + name + "1",
                        tensor_name="p",
                        shape_and_slice=each,
                        dt=tf.float64,
                    ),
                ):
                    stage.attempt(session.run, back)
        for op in (
            lambda: raw.SaveV2(
                prefix=at + "x", tensor_names=["a"], shape_and_slices=["", ""], tensors=[rows]
            ),
            lambda: raw.SaveV2(
                prefix=at + "x", tensor_names=["a", "b"], shape_and_slices=["", ""], tensors=[rows]
            ),
            lambda: raw.SaveV2(
                prefix=at + "x", tensor_names=[["a"]], shape_and_slices=[""], tensors=[rows]
            ),
            lambda: raw.SaveV2(
                prefix=[at + "x"], tensor_names=["a"], shape_and_slices=[""], tensors=[rows]
            ),
            lambda: raw.SaveV2(
                prefix=at + "none/x", tensor_names=["a"], shape_and_slices=[""], tensors=[rows]
            ),
            lambda: raw.Save(
                filename=at + "o", tensor_names=["a", "b"], data=[rows, [True, False]]
            ),
            lambda: raw.Save(filename=at + "o", tensor_names=["a", "a"], data=[rows, rows]),
            lambda: raw.Save(filename=at + "none/o", tensor_names=["a"], data=[rows]),
            lambda: raw.Restore(file_pattern=at + "o", tensor_name="b", dt=tf.bool),
            lambda: raw.Restore(file_pattern=at + "o", tensor_name="b", dt=tf.int32),
            lambda: raw.Restore(file_pattern=at + "o", tensor_name="c", dt=tf.bool),
            lambda: raw.Restore(
                file_pattern=at + "o*", tensor_name="b", dt=tf.bool, preferred_shard=0
            ),
            lambda: raw.Restore(file_pattern=at + "none*", tensor_name="b", dt=tf.bool),
            lambda: raw.RestoreV2(
                prefix=at + "two", tensor_names=["p"], shape_and_slices=[""], dtypes=[tf.float32]
            ),
            lambda: raw.RestoreV2(
                prefix=at + "two", tensor_names=["q"], shape_and_slices=[""], dtypes=[tf.float32]
            ),
            lambda: raw.RestoreV2(
                prefix=at + "two",
                tensor_names=["p", "p"],
                shape_and_slices=[""],
                dtypes=[tf.float64],
            ),
            lambda: raw.RestoreV2(
                prefix=at + "none", tensor_names=["p"], shape_and_slices=[""], dtypes=[tf.float64]
            ),
            lambda: raw.MergeV2Checkpoints(checkpoint_prefixes=[], destination_prefix=at + "m"),
            lambda: raw.MergeV2Checkpoints(
                checkpoint_prefixes=[at + "none"], destination_prefix=at + "m"
            ),
        ):
            stage.attempt(lambda o=op: session.run(o()))


def stored_kinds(tf, stage):
    """A tensor of each dtype, in either format, as shown by readers."""
    raw, at = tf.raw_ops, _part(stage)
    values = {
        "half": np.array([1.5, -2], np.float16),
        "double": np.array([[1e300, -0.0]]),
        "float": np.float32([np.inf, np.nan]),
        "int8": np.array([-128, 127], np.int8),
        "uint8": np.array([0, 255], np.uint8),
        "int16": np.array([-32768], np.int16),
        "uint16": np.array([65535], np.uint16),
        "int32": np.array(-(2**31)),
        "int64": np.array([2**63 - 1, -(2**63)]),
        "bool": np.array([True, False]),
        "complex64": np.array([1 + 2j], np.complex64),
        "complex128": np.array([1 - 2j]),
        "text": np.array([b"", b"a\0b", b"x" * 300], object),
        "empty": np.zeros([0, 3], np.float32),
        "none": np.array([], object),
        "scalar": np.float32(7),
    }
    with tf.Session() as session:
        tensors = {name: tf.constant(value) for name, value in values.items() if name != "none"}
        tensors["uint32"] = tf.bitcast(tf.constant([-1]), tf.uint32)
        tensors["uint64"] = tf.bitcast(tf.constant(-1, tf.int64), tf.uint64)
        tensors["bfloat16"] = tf.cast([1.0, 3.14159], tf.bfloat16)
        tensors["none"] = tf.constant([], tf.string)
        tensors["quantized"] = tf.bitcast(tf.constant([3, 4], tf.uint8), tf.quint8)
        names = sorted(tensors)
        ordered = [tensors[name] for name in names]
        session.run(
            raw.SaveV2(
                prefix=at + "v2",
                tensor_names=names,
                shape_and_slices=[""] * len(names),
                tensors=ordered,
            )
        )
        olds = []
        for name in names:
            with stage.failing():
                session.run(raw.Save(filename=at + name, tensor_names=[name], data=[tensors[name]]))
                olds.append(name)
        back = raw.RestoreV2(
            prefix=at + "v2",
            tensor_names=names,
            shape_and_slices=[""] * len(names),
            dtypes=[tensors[name].dtype for name in names],
        )
        for name, value in zip(names, back):
            stage.attempt(session.run, value) if name != "bfloat16" else None
        reader = tf.train.NewCheckpointReader(at + "v2")
        stage.say(sorted(reader.get_variable_to_shape_map().items()))
        stage.say(sorted(reader.get_variable_to_dtype_map().items()))
        stage.say(sorted(reader.debug_string().decode().split("\n")))
        stage.attempts(
            lambda: (reader.has_tensor("half"), reader.has_tensor("hal"), reader.has_tensor("")),
            *[
                lambda n=name: reader.get_tensor(n)
                for name in names
                if name not in ("bfloat16", "quantized")
            ],
            lambda: reader.get_tensor("other"),
        )
        for name in olds:
            old = tf.train.NewCheckpointReader(at + name)
            stage.say(name, old.get_variable_to_shape_map(), old.get_variable_to_dtype_map())
            if name in ("double", "float", "int16", "int32", "int64", "int8", "text", "uint8"):
                stage.attempt(old.get_tensor, name)
            if name != "bfloat16":
                stage.attempt(
                    session.run,
                    raw.Restore(file_pattern=at + name, tensor_name=name, dt=tensors[name].dtype),
                )
