"""Small SavedModels of TensorFlow 2.21, Keras 3, and two earlier releases, served with the same results."""

import pytest

import tfmini as tf
from tests.conformance.second_release import serving
from tests.support import goldens
from tfmini._src.session.eager.enable import eager_mode

pytestmark = pytest.mark.usefixtures("quiet_logs")

GOLDEN = goldens.path_of("second_release", "models.tar.xz")
EARLIER = goldens.path_of("second_release", "earlier_models.tar.xz")


def names(archive):
    return sorted({name.split("/")[0] for name in goldens.read_files(archive)})


NAMES = names(GOLDEN)


def extracted(name, folder, archive=GOLDEN):
    if name.startswith(("strings", "text")):
        pytest.importorskip("re2")
    goldens.extract(archive, folder, f"{name}/")
    return folder / name


@pytest.mark.parametrize("name", NAMES)
def test_signature_results_match_tensorflow_2(name, tmp_path):
    found = serving.differences(extracted(name, tmp_path))
    assert max(found.values()) < 2e-6, found


@pytest.mark.parametrize("name", names(EARLIER))
def test_earlier_releases(name, tmp_path):
    """2.4 stores the words in a mutable table of the checkpoint; 2.12 saves iterator functions."""
    found = serving.differences(extracted(name, tmp_path, EARLIER))
    assert max(found.values()) < 2e-6, found


def test_eager_tables_are_initialized_on_load(tmp_path):
    folder = extracted("text_2_4", tmp_path, EARLIER)
    (recorded,) = serving.values(folder).values()
    with eager_mode():
        served = tf.saved_model.load_v2(str(folder / "model")).signatures["serving_default"]
        outputs = served(**{key: tf.constant(value) for key, value in recorded["feeds"].items()})
        gaps = [
            serving.difference(outputs[key].numpy(), value)
            for key, value in recorded["values"].items()
        ]
    assert max(gaps) < 2e-6


def test_server_results_match_tensorflow_2(tmp_path):
    pytest.importorskip("re2")
    goldens.extract(GOLDEN, tmp_path)
    found = serving.differences_by_rest(tmp_path)
    assert max(found.values()) < 2e-6, found
    assert len({model for model, _ in found}) == len(NAMES) == 19


def test_revived_object_has_functions_and_variables(tmp_path):
    folder = extracted("signatures", tmp_path)
    with tf.Graph().as_default(), tf.Session() as session:
        revived = tf.saved_model.load_v2(str(folder / "model"))
        session.run(tf.global_variables_initializer())
        assert session.run(revived.slope) == 3
        assert session.run(revived.parts[1]).tolist() == [[5, 6]]
        assert session.run(revived.scale(tf.constant([2.0])))["y"].tolist() == [6.0]
        assert revived.tensorflow_version.startswith("2.")
