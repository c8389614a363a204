"""SavedModels written by `models.py`, served in four ways, and the distance of the results from TensorFlow 2's.

usage: python -m tests.conformance.second_release.serving FOLDER      (prints a table of its models)
"""

import base64
import collections
import os
import sys
from pathlib import Path

import numpy as np

import tfmini as tf
from tests.programs.serving import served


def values(folder):
    """The feeds and output values of each signature, by name."""
    found = collections.defaultdict(lambda: {"feeds": {}, "values": {}})
    with np.load(os.path.join(folder, "values.npz")) as kept:
        for name in kept.files:
            signature, part, key = name.split("/", 2)
            value = kept[name]
            if value.dtype.kind == "S":  # each ends with an extra letter
                texts = [text[:-1] for text in value.ravel().tolist()]
                value = np.array(texts, object).reshape(value.shape)
            found[signature][part][key] = value
    return found


def by_loader(folder, signature, feeds):
    """`tf.saved_model.loader.load` into a session."""
    with tf.Session(graph=tf.Graph()) as session:
        message = tf.compat.v1.saved_model.load(session, ["serve"], folder)
        described = message.signature_def[signature]
        fed = {info.name: feeds[key] for key, info in described.inputs.items()}
        return session.run({key: info.name for key, info in described.outputs.items()}, fed)


def by_predictor(folder, signature, feeds):
    return tf.contrib.predictor.from_saved_model(folder, signature)(feeds)


def by_objects(folder, signature, feeds):
    """`load_v2`, and a call of the signature's function."""
    with tf.Graph().as_default(), tf.Session() as session:
        served = tf.saved_model.load_v2(folder).signatures[signature]
        outputs = served(**{key: tf.constant(value) for key, value in feeds.items()})
        session.run([tf.global_variables_initializer(), tf.tables_initializer()])
        return session.run(outputs)


WAYS = (by_loader, by_predictor, by_objects)


def difference(got, want):
    """The maximum difference, relative to the maximum value; 0 if strings and integers are equal."""
    got = np.asarray(got, object if want.dtype == object else None)
    assert got.shape == want.shape, f"shape {got.shape}, TensorFlow 2's {want.shape}"
    if want.dtype.kind != "f":
        assert got.tolist() == want.tolist()
        return 0.0
    assert got.dtype == want.dtype
    gap = np.abs(got.astype("d") - want)
    return float(gap.max(initial=0) / max(np.abs(want).max(initial=0), 1e-30))


def by_rest(server, model, signature, given):
    """The maximum difference of outputs over a server's REST interface; numbers are as exact as their dtype."""
    inputs = {key: _as_json(value) for key, value in given["feeds"].items()}
    status, answer = server.post(
        f"{model}:predict", {"signature_name": signature, "inputs": inputs}
    )
    assert status == 200, answer
    wanted = given["values"]
    outputs = answer["outputs"] if len(wanted) > 1 else {next(iter(wanted)): answer["outputs"]}
    assert set(outputs) == set(wanted)
    gaps = [0.0]
    for key, want in wanted.items():
        got = np.array(outputs[key], want.dtype)
        if want.dtype == object:
            got.reshape(-1)[:] = [text.encode() for text in got.reshape(-1)]
        gaps.append(difference(got, want))
    return max(gaps)


def _as_json(value):
    """An array as nested lists, bytes in base64."""
    if value.dtype != object:
        return value.tolist()
    coded = np.empty(value.shape, object)
    coded.reshape(-1)[:] = [{"b64": base64.b64encode(each).decode()} for each in value.reshape(-1)]
    return coded.tolist()


def differences_by_rest(folder):
    """The maximum difference of outputs of `tfmini serve`, by model and signature, for the models of a folder."""
    models = [each for each in Path(folder).iterdir() if each.is_dir()]
    config = Path(folder, "models.config")
    rows = [f'config {{ name: "{each.name}" base_path: "{each}/served" }}' for each in models]
    config.write_text(f"model_config_list {{ {' '.join(rows)} }}")
    for each in models:
        (each / "served").mkdir()
        (each / "served" / "1").symlink_to(each / "model")
    with served.serving("--config", config) as server:
        return {
            (each.name, signature): by_rest(server, each.name, signature, given)
            for each in models
            for signature, given in values(each).items()
        }


def differences(folder):
    """The maximum difference of outputs, by signature and way of serving."""
    found = {}
    for signature, given in values(folder).items():
        for way in WAYS:
            got = way(os.path.join(folder, "model"), signature, given["feeds"])
            assert set(got) == set(given["values"])
            found[signature, way.__name__] = max(
                difference(got[key], want) for key, want in given["values"].items()
            )
    return found


if __name__ == "__main__":
    tf.logging.set_verbosity(tf.logging.ERROR)
    for name in sorted(os.listdir(sys.argv[1])):
        found = differences(os.path.join(sys.argv[1], name))
        print(f"| {name} | {len({key for key, _ in found})} | {max(found.values()):.1e} |")
