"""NASNet-A's normal and reduction cells, functions of the two preceding cells' outputs."""

from __future__ import annotations

from typing import Any

from tfmini._src.graph.scopes import name_scope
from tfmini._src.models.keras.applications import imagenet_model
from tfmini._src.models.keras.applications.layer_classes import layers

_CHANNELS = -1


def normalize(x: Any, name: str) -> Any:
    """Applies batch normalization with slow moving averages."""
    return layers.BatchNormalization(axis=_CHANNELS, momentum=0.9997, epsilon=1e-3, name=name)(x)


def _project(x: Any, filters: int, name: str) -> Any:
    return layers.Conv2D(
        filters, 1, padding="same", use_bias=False, name=name, kernel_initializer="he_normal"
    )(x)


def _separable(x: Any, filters: int, kernel: int, name: str, strides: int = 1) -> Any:
    """Applies ReLU, separable convolution and normalization twice; `strides` applies to the first convolution."""
    with name_scope(f"separable_conv_block_{name}"):
        x = layers.Activation("relu")(x)
        if strides == 2:
            pad = imagenet_model.stride_2_padding(x, kernel)
            x = layers.ZeroPadding2D(padding=pad, name=f"separable_conv_1_pad_{name}")(x)
        for index in (1, 2):
            if index == 2:
                x = layers.Activation("relu")(x)
            halving = index == 1 and strides == 2
            x = layers.SeparableConv2D(
                filters,
                kernel,
                strides=2 if halving else 1,
                name=f"separable_conv_{index}_{name}",
                padding="valid" if halving else "same",
                use_bias=False,
                kernel_initializer="he_normal",
            )(x)
            x = normalize(x, f"separable_conv_{index}_bn_{name}")
    return x


def _mean(x: Any, name: str) -> Any:
    return layers.AveragePooling2D(3, strides=1, padding="same", name=name)(x)


class Cells:
    """A stack of cells, with the outputs of the last two."""

    def __init__(self, first: Any) -> None:
        self.current = first
        self.previous: Any = None

    def keep(self, filters: int, name: str) -> None:
        """Appends a normal cell."""

        def separable(x: Any, kernel: int, position: str) -> Any:
            return _separable(x, filters, kernel, f"normal_{position}_{name}")

        def both(first_layer: Any, other: Any, index: int) -> Any:
            return layers.add([first_layer, other], name=f"normal_add_{index}_{name}")

        with name_scope(f"normal_A_block_{name}"):
            p, h = self._inputs(filters, name, "normal")
            with name_scope("block_1"):
                x1 = both(separable(h, 5, "left1"), separable(p, 3, "right1"), 1)
            with name_scope("block_2"):
                x2 = both(separable(p, 5, "left2"), separable(p, 3, "right2"), 2)
            with name_scope("block_3"):
                x3 = both(_mean(h, f"normal_left3_{name}"), p, 3)
            with name_scope("block_4"):
                left = _mean(p, f"normal_left4_{name}")
                x4 = both(left, _mean(p, f"normal_right4_{name}"), 4)
            with name_scope("block_5"):
                x5 = both(separable(h, 3, "left5"), h, 5)
            x = layers.concatenate(
                [p, x1, x2, x3, x4, x5], axis=_CHANNELS, name=f"normal_concat_{name}"
            )
        self.previous, self.current = self.current, x

    def reduce(self, filters: int, name: str) -> None:
        """Appends a reduction cell, which halves the size."""

        def halve(x: Any, kernel: int, position: str) -> Any:
            return _separable(x, filters, kernel, f"reduction_{position}_{name}", strides=2)

        def pool(layer_class: Any, x: Any, position: str) -> Any:
            return layer_class(3, strides=2, padding="valid", name=f"reduction_{position}_{name}")(
                x
            )

        with name_scope(f"reduction_A_block_{name}"):
            p, h = self._inputs(filters, name, "reduction")
            pad = imagenet_model.stride_2_padding(h, 3)
            h3 = layers.ZeroPadding2D(padding=pad, name=f"reduction_pad_1_{name}")(h)
            with name_scope("block_1"):
                both = [halve(h, 5, "left1"), halve(p, 7, "right1")]
                x1 = layers.add(both, name=f"reduction_add_1_{name}")
            with name_scope("block_2"):
                both = [pool(layers.MaxPooling2D, h3, "left2"), halve(p, 7, "right2")]
                x2 = layers.add(both, name=f"reduction_add_2_{name}")
            with name_scope("block_3"):
                both = [pool(layers.AveragePooling2D, h3, "left3"), halve(p, 5, "right3")]
                x3 = layers.add(both, name=f"reduction_add3_{name}")
            with name_scope("block_4"):
                x4 = layers.add([x2, _mean(x1, f"reduction_left4_{name}")])
            with name_scope("block_5"):
                again = _separable(x1, filters, 3, f"reduction_left4_{name}")
                both = [again, pool(layers.MaxPooling2D, h3, "right5")]
                x5 = layers.add(both, name=f"reduction_add4_{name}")
            x = layers.concatenate(
                [x2, x3, x4, x5], axis=_CHANNELS, name=f"reduction_concat_{name}"
            )
        self.previous, self.current = self.current, x

    def _inputs(self, filters: int, name: str, cell: str) -> tuple[Any, Any]:
        """Returns the previous output in the current output's shape, and the current output with `filters` channels."""
        previous = self._adjust(filters, name)
        x = _project(layers.Activation("relu")(self.current), filters, f"{cell}_conv_1_{name}")
        return previous, normalize(x, f"{cell}_bn_1_{name}")

    def _adjust(self, filters: int, name: str) -> Any:
        current, x = self.current, self.previous
        with name_scope("adjust_block"):
            if x is None:
                return current
            if imagenet_model.sizes(x)[-2] != imagenet_model.sizes(current)[-2]:
                with name_scope(f"adjust_reduction_block_{name}"):
                    return _halve(x, filters, name)
            if imagenet_model.sizes(x)[_CHANNELS] == filters:
                return x
            with name_scope(f"adjust_projection_block_{name}"):
                x = _project(
                    layers.Activation("relu")(x), filters, f"adjust_conv_projection_{name}"
                )
                return normalize(x, f"adjust_bn_{name}")


def _halve(x: Any, filters: int, name: str) -> Any:
    """Returns every second position and its neighbor, each projected to half of the channels."""

    def thin_out(x: Any, index: int) -> Any:
        pool = f"adjust_avg_pool_{index}_{name}"
        x = layers.AveragePooling2D(1, strides=2, padding="valid", name=pool)(x)
        return _project(x, filters // 2, f"adjust_conv_{index}_{name}")

    x = layers.Activation("relu", name=f"adjust_relu_1_{name}")(x)
    first = thin_out(x, 1)
    shifted = layers.ZeroPadding2D(padding=((0, 1), (0, 1)))(x)
    shifted = layers.Cropping2D(cropping=((1, 0), (1, 0)))(shifted)
    x = layers.concatenate([first, thin_out(shifted, 2)], axis=_CHANNELS)
    return normalize(x, f"adjust_bn_{name}")
