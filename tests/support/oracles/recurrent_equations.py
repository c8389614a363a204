"""Recurrent networks by NVIDIA's formulas for `cudnnRNNForward`, in NumPy, with gradients.

Sequences are [time, batch, size], with a length for each; a layer's two directions are concatenated in its outputs.
"""

from dataclasses import dataclass

import numpy as np

GATES = {"rnn_relu": 1, "rnn_tanh": 1, "lstm": 4, "gru": 3}


@dataclass
class Direction:
    """A layer direction's parameters: a matrix [units, width] and a bias [units] per gate.

    w: for inputs, None if these are added unchanged; r: for the state; p: an LSTM's projection, or None.
    """

    w: list
    r: list
    b_w: list
    b_r: list
    p: np.ndarray | None = None

    def zeros(self):
        return Direction(
            *(
                None if parts is None else [np.zeros_like(part) for part in parts]
                for parts in (self.w, self.r, self.b_w, self.b_r)
            ),
            None if self.p is None else np.zeros_like(self.p),
        )


def sigmoid(x):
    return 1 / (1 + np.exp(-x))


def step(mode, of_x, of_h, h, c):
    """(the state before a projection, the memory, values for the gradient), from the gates' pre-activations."""
    if mode == "gru":
        r, u = sigmoid(of_x[0] + of_h[0]), sigmoid(of_x[1] + of_h[1])
        n = np.tanh(of_x[2] + r * of_h[2])
        return (1 - u) * n + u * h, c, (r, u, n, of_h[2], h)
    if mode == "lstm":
        i, f, g, o = (x + h for x, h in zip(of_x, of_h))
        i, f, g, o = sigmoid(i), sigmoid(f), np.tanh(g), sigmoid(o)
        new = f * c + i * g
        return o * np.tanh(new), new, (i, f, g, o, c, new)
    total = of_x[0] + of_h[0]
    new = np.tanh(total) if mode == "rnn_tanh" else np.maximum(total, 0)
    return new, c, (new,)


def step_back(mode, kept, grad, grad_c):
    """Gradients of (the input pre-activations, the state pre-activations, the state itself, the memory)."""
    if mode == "gru":
        r, u, n, of_h, h = kept
        at_n = grad * (1 - u) * (1 - n * n)
        at_r, at_u = at_n * of_h * r * (1 - r), grad * (h - n) * u * (1 - u)
        return [at_r, at_u, at_n], [at_r, at_u, at_n * r], grad * u, grad_c
    if mode == "lstm":
        i, f, g, o, c, new = kept
        bent = np.tanh(new)
        grad_c = grad_c + grad * o * (1 - bent * bent)
        sums = [
            grad_c * g * i * (1 - i),
            grad_c * c * f * (1 - f),
            grad_c * i * (1 - g * g),
            grad * bent * o * (1 - o),
        ]
        return sums, sums, 0, grad_c * f
    (new,) = kept
    at = grad * (1 - new * new if mode == "rnn_tanh" else new > 0)
    return [at], [at], 0, grad_c


def run_direction(mode, x, h, c, lengths, backwards, weights):
    """(outputs, last state, last memory, values for the gradient)."""
    time = len(x)
    outputs, trace = np.zeros((time, *h.shape)), []
    gates = range(GATES[mode])
    for t in reversed(range(time)) if backwards else range(time):
        of_x = [
            (x[t] if weights.w is None else x[t] @ weights.w[k].T) + weights.b_w[k] for k in gates
        ]
        of_h = [h @ weights.r[k].T + weights.b_r[k] for k in gates]
        raw, new_c, kept = step(mode, of_x, of_h, h, c)
        new = raw if weights.p is None else raw @ weights.p.T
        runs = (t < lengths)[:, None]
        trace.append((t, runs, h, raw, kept))
        h, c = np.where(runs, new, h), np.where(runs, new_c, c) if mode == "lstm" else c
        outputs[t] = np.where(runs, h, 0)
    return outputs, h, c, trace


def back_direction(mode, x, trace, weights, grad_y, grad_h, grad_c):
    """Gradients of (x, the initial state and memory, the weights)."""
    grad_x, result = np.zeros_like(x), weights.zeros()
    for t, runs, h, raw, kept in reversed(trace):
        here = np.where(runs, grad_y[t] + grad_h, 0)
        if weights.p is not None:
            result.p += here.T @ raw
            here = here @ weights.p
        of_x, of_h, straight, new_c = step_back(mode, kept, here, np.where(runs, grad_c, 0))
        before = straight + np.zeros_like(h)
        for k in range(GATES[mode]):
            result.b_w[k] += of_x[k].sum(0)
            result.b_r[k] += of_h[k].sum(0)
            result.r[k] += of_h[k].T @ h
            before = before + of_h[k] @ weights.r[k]
            if weights.w is None:
                grad_x[t] += of_x[k]
            else:
                result.w[k] += of_x[k].T @ x[t]
                grad_x[t] += of_x[k] @ weights.w[k]
        grad_h = np.where(runs, before, grad_h)
        grad_c = np.where(runs, new_c, grad_c) if mode == "lstm" else grad_c
    return grad_x, grad_h, grad_c, result


class Net:
    """A stack of layers.

    weights: for each layer, a Direction for each direction. masks: for each layer but the last, the factors of its
    outputs, or None.
    """

    def __init__(self, mode, weights, directions=1, masks=None):
        self.mode = mode
        self.weights = weights
        self.directions = directions
        self.masks = masks or [None] * (len(weights) // directions - 1)

    def forward(self, x, h, c, lengths):
        """(outputs, last states, last memories); h and c are [layers * directions, batch, size]."""
        self.inputs, self.traces, last_h, last_c = [], [], [], []
        for i in range(0, len(self.weights), self.directions):
            self.inputs.append(x)
            outputs = []
            for place in range(i, i + self.directions):
                memory = c[place] if self.mode == "lstm" else None
                y, end, end_c, trace = run_direction(
                    self.mode, x, h[place], memory, lengths, place % self.directions, self.weights[place]
                )  # fmt: skip
                outputs.append(y)
                last_h.append(end)
                last_c.append(end_c)
                self.traces.append(trace)
            x = np.concatenate(outputs, 2)
            layer = i // self.directions
            if layer < len(self.masks) and self.masks[layer] is not None:
                x = x * self.masks[layer]
        return x, np.stack(last_h), np.stack(last_c) if self.mode == "lstm" else None

    def backward(self, grad_y, grad_h, grad_c):
        """(gradients of x, h and c, and a list of the weights' gradients), after `forward`."""
        of_h, of_c = np.zeros_like(grad_h), None if grad_c is None else np.zeros_like(grad_c)
        result = [None] * len(self.weights)
        for layer in reversed(range(len(self.inputs))):
            if layer < len(self.masks) and self.masks[layer] is not None:
                grad_y = grad_y * self.masks[layer]
            x, size = self.inputs[layer], grad_y.shape[2] // self.directions
            grad_x = np.zeros_like(x)
            for side in range(self.directions):
                place = layer * self.directions + side
                part = grad_y[..., side * size : (side + 1) * size]
                memory = 0.0 if of_c is None else grad_c[place]
                more, of_h[place], before, result[place] = back_direction(
                    self.mode, x, self.traces[place], self.weights[place], part, grad_h[place], memory
                )  # fmt: skip
                if of_c is not None:
                    of_c[place] = before
                grad_x += more
            grad_y = grad_x
        return grad_y, of_h, of_c, result
