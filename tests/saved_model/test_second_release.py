"""Small SavedModels of TensorFlow 2.21, Keras 3, and two earlier releases, served with the same results."""

import pytest

import tfmini as tf
from tests.conformance.second_release import serving
from tests.support import goldens
from tfmini._src.session.eager.enable import eager_mode

pytestmark = pytest.mark.usefixtures("quiet_logs")

GOLDEN = goldens.golden_path("second_release", "models.tar.xz")
EARLIER = goldens.golden_path("second_release", "earlier_models.tar.xz")


def names(archive):
    return sorted({name.split("/")[0] for name in goldens.read_files(archive)})


NAMES = names(GOLDEN)


def extracted(name, directory, archive=GOLDEN):
    if name.startswith(("strings", "text")):
        pytest.importorskip("re2")
    goldens.extract(archive, directory, f"{name}/")
    return directory / name


@pytest.mark.parametrize("name", NAMES)
def test_signature_results_match_tensorflow_2(name, tmp_path):
    result = serving.differences(extracted(name, tmp_path))
    assert max(result.values()) < 2e-6, result


@pytest.mark.parametrize("name", names(EARLIER))
def test_earlier_releases(name, tmp_path):
    """2.4 stores the words in a mutable table of the checkpoint; 2.12 saves iterator functions."""
    result = serving.differences(extracted(name, tmp_path, EARLIER))
    assert max(result.values()) < 2e-6, result


def test_eager_tables_are_initialized_on_load(tmp_path):
    directory = extracted("text_2_4", tmp_path, EARLIER)
    (recorded,) = serving.values(directory).values()
    with eager_mode():
        served = tf.saved_model.load_v2(str(directory / "model")).signatures["serving_default"]
        outputs = served(**{key: tf.constant(value) for key, value in recorded["feeds"].items()})
        gaps = [
            serving.difference(outputs[key].numpy(), value)
            for key, value in recorded["values"].items()
        ]
    assert max(gaps) < 2e-6


def test_server_results_match_tensorflow_2(tmp_path):
    pytest.importorskip("re2")
    goldens.extract(GOLDEN, tmp_path)
    result = serving.differences_by_rest(tmp_path)
    assert max(result.values()) < 2e-6, result
    assert len({model for model, _ in result}) == len(NAMES) == 19


def test_revived_object_has_functions_and_variables(tmp_path):
    directory = extracted("signatures", tmp_path)
    with tf.Graph().as_default(), tf.Session() as session:
        revived = tf.saved_model.load_v2(str(directory / "model"))
        session.run(tf.global_variables_initializer())
        assert session.run(revived.slope) == 3
        assert session.run(revived.parts[1]).tolist() == [[5, 6]]
        assert session.run(revived.scale(tf.constant([2.0])))["y"].tolist() == [6.0]
        assert revived.tensorflow_version.startswith("2.")
