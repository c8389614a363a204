"""Draws models as box diagrams: `model_to_dot`, `plot_model`."""

from __future__ import annotations

import os
import shutil
import subprocess
from typing import Any

from tfmini._src.base.nest.structure import flatten
from tfmini._src.nn.layers.base_layer import Layer


class DotGraph:
    """A graph in the DOT language.

    Args:
      header: opening keywords: "digraph G", or "subgraph" and a name.
      settings: attributes of the graph.
    """

    def __init__(self, header: str, settings: dict[str, Any]):
        self._header = header
        self._lines = [f"{key}={_quote(value)};" for key, value in settings.items()]
        self._edges: dict[tuple[str, str], None] = {}

    def add(self, line: str) -> None:
        """Appends a line."""
        self._lines.append(line)

    def add_edge(self, source: str, target: str) -> None:
        """Adds an edge between two boxes if it does not exist."""
        self._edges[source, target] = None

    def to_string(self) -> str:
        """Returns the graph as DOT text."""
        edges = [f"{source} -> {target};" for source, target in self._edges]
        return "\n".join([f"{self._header} {{", *self._lines, *edges, "}", ""])

    __str__ = to_string

    def create(self, prog: str = "dot", format: str = "ps") -> bytes:
        """Renders an image with Graphviz; returns the DOT text for the formats "dot" and "raw".

        Args:
          prog: the Graphviz program.
          format: "png", "svg", "pdf" ...

        Raises:
          ImportError: if the program is not installed.
        """
        if format in ("dot", "raw"):
            return self.to_string().encode()
        if shutil.which(prog) is None:
            raise ImportError(
                "Failed to import pydot. You must install pydot and graphviz for `pydotprint` to work.\n"
                f"tfmini requires only Graphviz's program `{prog}`; .dot files require neither."
            )
        process = subprocess.run(
            [prog, "-T" + format], input=self.to_string().encode(), stdout=-1, check=True
        )
        return process.stdout

    def write(self, path: Any, prog: str = "dot", format: str = "raw") -> bool:
        """Writes the image or text to a file; arguments are as in `create`."""
        picture = self.create(prog, format)
        with open(path, "wb") as file:
            file.write(picture)
        return True


def _quote(value: Any) -> str:
    if isinstance(value, (bool, int)):
        return str(value).lower()
    escaped = str(value).replace('"', '\\"').replace("\n", "\\n")
    return f'"{escaped}"'


def _cluster(name: str) -> DotGraph:
    settings = {"style": "dashed", "label": name, "labeljust": "l"}
    return DotGraph("subgraph " + _quote("cluster_" + name), settings)


class _Boxes:
    """Draws layers as boxes, with fixed options: shapes, names, and expansion of nested models."""

    def __init__(self, shapes: bool, names: bool, nested: bool):
        self.shapes = shapes
        self.names = names
        self.nested = nested

    def draw(self, model: Any, dot: DotGraph) -> tuple[str, str]:
        """Draws a model's layers; returns the names of the first and last box."""
        if not model._is_graph_network:
            box = str(id(model))
            dot.add(f"{box} [label={_quote(model.name)}];")
            return box, box
        ends: dict[Any, tuple] = {}
        for layer in model._layers:
            nested = self._nested_model(layer)
            box = str(id(layer))
            if nested is not None:
                cluster = _cluster(nested.name)
                within = self.draw(nested, cluster)
                dot.add(cluster.to_string())
                if nested is layer:
                    ends[layer] = within
                    continue
                ends[layer] = (box, within[1])
                dot.add_edge(box, within[0])
            dot.add(f"{box} [label={_quote(self._label(layer, nested))}];")
            ends.setdefault(layer, (box, box))
        for layer in model._layers:
            for node_index, node in enumerate(layer._inbound_nodes):
                if f"{layer.name}_ib-{node_index}" in model._network_nodes:
                    for inbound_layer in flatten(node.inbound_layers):
                        dot.add_edge(ends[inbound_layer][1], ends[layer][0])
        rows = [ends[layer] for layer in model._layers]
        return rows[0][0], rows[-1][1]

    def _nested_model(self, layer: Any) -> Any:
        """Returns the model that a layer is or wraps if nested models are expanded, else None."""
        inner = _wrapped_layer(layer) or layer
        return inner if self.nested and hasattr(inner, "_is_graph_network") else None

    def _label(self, layer: Any, nested: Any) -> str:
        name, class_name = layer.name, type(layer).__name__
        if nested is None and _wrapped_layer(layer) is not None:
            name = f"{name}({layer.layer.name})"
            class_name = f"{class_name}({type(layer.layer).__name__})"
        label = f"{name}: {class_name}" if self.names else class_name
        if not self.shapes:
            return label
        input_shape, result = (
            _shape_text(layer, attribute) for attribute in ("input_shape", "output_shape")
        )
        return f"{label}\n|{{input:|output:}}|{{{{{input_shape}}}|{{{result}}}}}"


def _wrapped_layer(layer: Any) -> Any:
    """Returns the layer inside a wrapper, or None for other layers."""
    inner = vars(layer).get("layer")
    return inner if isinstance(inner, Layer) else None


def _shape_text(layer: Any, attribute: str) -> str:
    try:
        return str(getattr(layer, attribute)).replace("None", "?")
    except AttributeError:
        return "?"


def model_to_dot(
    model: Any,
    show_shapes: bool = False,
    show_layer_names: bool = True,
    rankdir: str = "TB",
    expand_nested: bool = False,
    dpi: int = 96,
    subgraph: bool = False,
) -> Any:
    """Converts a model to a graph with one box per layer, for `to_string` (DOT text) and `create` (an image).

    Args:
      model: the model.
      show_shapes: whether to show input and output shapes.
      show_layer_names: whether to show layer names next to classes.
      rankdir: "TB" from top to bottom, "LR" from left to right.
      expand_nested: whether to expand nested models.
      dpi: dots per inch.
      subgraph: whether to create a cluster, to be embedded in a larger graph.

    Returns:
      A DotGraph.
    """
    if subgraph:
        dot = _cluster(model.name)
    else:
        dot = DotGraph("digraph G", {"rankdir": rankdir, "concentrate": True, "dpi": dpi})
        dot.add("node [shape=record];")
    _Boxes(show_shapes, show_layer_names, expand_nested).draw(model, dot)
    return dot


def plot_model(
    model: Any,
    to_file: str = "model.png",
    show_shapes: bool = False,
    show_layer_names: bool = True,
    rankdir: str = "TB",
    expand_nested: bool = False,
    dpi: int = 96,
) -> Any:
    """Writes an image of a model; requires the Graphviz program `dot`, except for .dot files.

    Args:
      to_file: file path; the extension determines the format: png, svg, pdf, dot.
      model, show_shapes, show_layer_names, rankdir, expand_nested, dpi: as in `model_to_dot`.

    Returns:
      An image for notebooks if IPython is installed and supports the format, else None.

    Raises:
      ImportError: if Graphviz is not installed.
    """
    dot = model_to_dot(
        model,
        show_shapes=show_shapes,
        show_layer_names=show_layer_names,
        rankdir=rankdir,
        expand_nested=expand_nested,
        dpi=dpi,
    )
    file_format = os.path.splitext(to_file)[1][1:] or "png"
    dot.write(to_file, format=file_format)
    if file_format not in ("png", "jpg", "jpeg", "gif"):  # IPython embeds no other formats
        return None
    try:
        from IPython import display  # type: ignore  # noqa: PLC0415
    except ImportError:
        return None
    return display.Image(filename=to_file)
