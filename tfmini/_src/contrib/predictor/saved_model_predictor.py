"""Predictors that run a SavedModel on dicts of arrays in a session."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tfmini._src.base.read_only import read_only
from tfmini._src.graph.graph import Graph
from tfmini._src.saved_model.loader import load_graph
from tfmini._src.saved_model.signature_constants import DEFAULT_SERVING_SIGNATURE_DEF_KEY
from tfmini._src.session.session import Session

if TYPE_CHECKING:
    from tfmini._src.base import proto


_DEFAULT_TAGS = "serve"


def from_saved_model(
    export_dir: str,
    signature_def_key: str | None = None,
    signature_def: proto.SignatureDef | None = None,
    input_names: dict[str, str] | None = None,
    output_names: dict[str, str] | None = None,
    tags: str | None = None,
    graph: Graph | None = None,
    config: proto.ConfigProto | None = None,
) -> SavedModelPredictor:
    """Returns the predictor of a SavedModel, a function from a dict of arrays to a dict of arrays.

    Args:
      export_dir: directory of the SavedModel.
      signature_def_key: key of the signature, by default "serving_default".
      signature_def: a SignatureDef, instead of a signature of the SavedModel.
      input_names, output_names: dicts of tensor names, instead of a signature.
      tags: comma-separated tags of the graph, by default "serve".
      graph: graph to load the model into, by default a new one.
      config: a ConfigProto for the session.

    Raises:
      OSError: if the SavedModel does not exist.
      RuntimeError: if it contains no graph with these tags.
      ValueError: for an unknown signature, conflicting arguments, or only one of `input_names` and `output_names`.

    Example:
      predict = tf.contrib.predictor.from_saved_model("/tmp/served/1")
      predict({"x": np.ones([1, 4])})["y"]
    """
    if (input_names is None) != (output_names is None):
        raise ValueError(
            "input_names and output_names must both be specified or both be unspecified."
        )
    if sum(value is not None for value in (signature_def_key, signature_def, input_names)) > 1:
        raise ValueError(
            "You must specify at most one of signature_def_key OR signature_def OR"
            "(input_names AND output_names)."
        )
    tag_list = (tags or _DEFAULT_TAGS).split(",")
    graph = graph or Graph()
    with graph.as_default():
        session = Session(config=config)
        message = load_graph(session, tag_list, export_dir)
    if input_names is None or output_names is None:
        if signature_def is None:
            signature_def = _signature(message, signature_def_key)
        input_names = {key: info.name for key, info in signature_def.inputs.items()}
        output_names = {key: info.name for key, info in signature_def.outputs.items()}
    return SavedModelPredictor(session, input_names, output_names)


def _signature(message: Any, key: str | None) -> Any:
    key = key or DEFAULT_SERVING_SIGNATURE_DEF_KEY
    signatures = message.signature_def
    for name in (key, f"default_input_alternative:{key}"):
        if name in signatures:
            return signatures[name]
    # TensorFlow intends an error, but returns a predictor without inputs and outputs.
    raise ValueError(
        f'Got signature_def_key "{key}". Available signatures are {sorted(signatures)}. '
        f"Original error:\n{key!r}"
    )


class SavedModelPredictor:
    """Session with a SavedModel, and its input and output tensors."""

    session: Session = read_only("The session that holds the model's values.")
    feed_tensors: dict[str, Any] = read_only("Feed tensors, by input key.")
    fetch_tensors: dict[str, Any] = read_only("Fetched tensors, by output key.")
    graph: Graph = read_only("The graph into which the SavedModel was loaded.", "_session.graph")

    def __init__(self, session: Session, input_names: dict[str, str], output_names: dict[str, str]):
        self._session = session
        tensor = session.graph.get_tensor_by_name
        self._feed_tensors = {key: tensor(name) for key, name in input_names.items()}
        self._fetch_tensors = {key: tensor(name) for key, name in output_names.items()}

    def __repr__(self) -> str:
        return (
            f"{type(self).__name__} with feed tensors {self._feed_tensors} and fetch_tensors "
            f"{self._fetch_tensors}"
        )

    def __call__(self, input_dict: dict[str, Any]) -> dict[str, Any]:
        """Returns the output arrays by key, for inputs by key; inputs that are missing or None are not fed.

        Raises:
          ValueError: for an unknown input key.
        """
        expected = set(self._feed_tensors)
        unexpected = set(input_dict) - expected
        if unexpected:
            raise ValueError(
                f"Got unexpected keys in input_dict: {unexpected}\nexpected: {expected}"
            )
        feeds = {
            tensor: input_dict[key]
            for key, tensor in self._feed_tensors.items()
            if input_dict.get(key) is not None
        }
        return self._session.run(self._fetch_tensors, feed_dict=feeds)
