"""PNG files, read with Pillow and written with zlib. Values are converted as by libpng in TensorFlow.

Pillow reads eight bits per channel. The two bytes of a 16-bit pixel are independent (PNG predicts each from the same
byte of the neighboring pixels), so a 16-bit file is read as several 8-bit gray images.
"""

from __future__ import annotations

import struct
import zlib
from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np

from tfmini._src.devices.host.codecs.pillow import UnreadableImageError, decode_headerless
from tfmini._src.devices.host.native.images import png_filters

SIGNATURE = b"\x89PNG\r\n\x1a\n"
_MODES = {0: "L", 2: "RGB", 3: "P", 4: "LA", 6: "RGBA"}  # Pillow's modes
_CHANNELS = {0: 1, 2: 3, 3: 1, 4: 2, 6: 4}
_DEPTHS = {0: (1, 2, 4, 8, 16), 2: (8, 16), 3: (1, 2, 4, 8), 4: (8, 16), 6: (8, 16)}
_MAX_SIZE = 1_000_000  # libpng's limit on width and height
_MAX_PIXELS = 1 << 29  # maximum number of pixels, as in TensorFlow
_MAX_EXPANSION = 1032  # zlib's maximum expansion of a byte
# Adam7 passes: first row and column, row and column stride.
_PASSES = (
    *((0, 0, 8, 8), (0, 4, 8, 8), (4, 0, 8, 4), (0, 2, 4, 4)),
    *((2, 0, 4, 2), (0, 1, 2, 2), (1, 0, 2, 1)),
)
# Weights of red and green in luminance, in units of 1/32768.
_RED_WEIGHT, _GREEN_WEIGHT = 9797, 19234
_BLUE_WEIGHT = 32768 - _RED_WEIGHT - _GREEN_WEIGHT


class BadHeader(Exception):
    """Raised for data with the PNG signature but without a valid header."""


class InvalidSizeError(Exception):
    """Raised for an invalid image size."""


class _File(NamedTuple):
    """A file: its size, bits per channel, color type, interlacing and chunks, and whether it has an end chunk."""

    width: int
    height: int
    depth: int
    color: int
    interlaced: bool
    palette: bytes
    transparent: bytes
    data: bytes
    has_end: bool

    @property
    def channels(self) -> int:
        return _CHANNELS[self.color]


def _chunks(data: bytes) -> Iterator[tuple[bytes, bytes]]:
    """Yields (type, content) of each complete chunk with a valid checksum."""
    offset = len(SIGNATURE)
    while offset + 12 <= len(data):
        length, chunk_type = struct.unpack_from(">I4s", data, offset)
        end = offset + 8 + length
        if end + 4 > len(data):
            return
        content = data[offset + 8 : end]
        if struct.unpack_from(">I", data, end)[0] != zlib.crc32(content, zlib.crc32(chunk_type)):
            return
        yield chunk_type, content
        offset = end + 4
        if chunk_type == b"IEND":
            return


def _parse_header(data: bytes) -> _File:
    header, palette, transparent, parts, has_begun, chunk_type = None, b"", b"", [], False, b""
    for chunk_type, content in _chunks(data):
        if header is None and chunk_type != b"IHDR":
            break
        if chunk_type == b"IHDR" and len(content) == 13:
            header = struct.unpack(">IIBBBBB", content)
        elif chunk_type == b"PLTE" and not has_begun:
            if palette:
                raise BadHeader
            palette = content
        elif chunk_type == b"tRNS":
            transparent = content
        elif chunk_type == b"IDAT":
            has_begun = True
            parts.append(content)
    if header is None:
        raise BadHeader
    width, height, depth, color, compression, filtering, interlace = header
    is_invalid = compression or filtering or interlace > 1
    is_invalid = is_invalid or not (0 < width <= _MAX_SIZE and 0 < height <= _MAX_SIZE)
    if is_invalid or depth not in _DEPTHS.get(color, ()) or (color == 3 and not palette):
        raise BadHeader
    if not has_begun and data.find(b"IDAT") < 0:
        raise BadHeader
    if color == 3:
        if len(palette) % 3:
            raise BadHeader
        palette = palette[: 3 << depth]
        if 3 * len(transparent) > len(palette):  # as in libpng, which then ignores the entire chunk
            transparent = b""
    packed = b"".join(parts)
    has_ended = chunk_type == b"IEND"
    return _File(
        width, height, depth, color, bool(interlace), palette, transparent, packed, has_ended
    )


def _check_size(data: bytes) -> _File:
    """Returns the file if it is long enough for the number of pixels that its header declares."""
    file = _parse_header(data)
    if file.width * file.height >= _MAX_PIXELS:
        raise InvalidSizeError(f"PNG size too large for int: {file.width} by {file.height}")
    line = (file.width * file.channels * file.depth + 7) // 8
    if not file.has_end or line * file.height > _MAX_EXPANSION * (len(file.data) + 1):
        raise UnreadableImageError("not enough pixel data")
    return file


# Reading ---------------------------------------------------------------------------------------------


def decode(data: bytes, channels: int, is_16_bit: bool) -> np.ndarray:
    """Decodes a file to [rows, columns, channels], uint8, or uint16 if `is_16_bit`; with 0 channels, the file
    determines their number.

    Raises:
      BadHeader, InvalidSizeError, UnreadableImageError: if it is not an image.
    """
    file = _check_size(data)
    array = _read_bytes(file) if file.depth < 16 else _read_words(file)
    array = _expand_channels(file, array, channels)
    if is_16_bit and file.depth < 16:
        return array.astype(np.uint16) * np.uint16(257)
    return array if is_16_bit or file.depth < 16 else (array >> 8).astype(np.uint8)


def _read_bytes(file: _File) -> np.ndarray:
    """Returns the file's values per channel: gray scaled to 8 bits, or palette indices."""
    mode, bits = _MODES[file.color], file.depth
    lines = mode if bits == 8 else f"{mode};{bits}"
    if mode == "L" and bits == 1:
        mode = lines = "1"
    size = file.width, file.height
    array = decode_headerless("zip", mode, size, file.data, lines, file.interlaced)
    if array.dtype == bool:
        array = array.astype(np.uint8) * np.uint8(255 if file.color == 0 else 1)
    return array


def _read_words(file: _File) -> np.ndarray:
    """Returns the values of a 16-bit file."""
    planes = 2 * file.channels
    limit = (file.width * planes + 1) * file.height + 7 * file.height + 8
    expander = zlib.decompressobj()
    try:
        raw = expander.decompress(file.data, limit)
    except zlib.error as error:
        raise UnreadableImageError(str(error)) from None
    parts = []
    for index in range(planes):
        plane = b"".join(_byte_plane(raw, file, index, planes))
        size, squeezed = (file.width, file.height), zlib.compress(plane, 1)
        parts.append(decode_headerless("zip", "L", size, squeezed, "L", file.interlaced))
    both = np.concatenate(parts, axis=2)
    shape = (file.height, file.width, file.channels)
    return np.ascontiguousarray(both).view(">u2").astype(np.uint16).reshape(shape)


def _byte_plane(raw: bytes, file: _File, index: int, planes: int) -> Iterator[bytes]:
    """Yields the filter byte of each row, followed by the byte at position `index` of each group of `planes` bytes."""
    offset = 0
    for rows, columns in _pass_sizes(file):
        step = 1 + columns * planes
        if columns == 0:
            continue
        if offset + rows * step > len(raw):
            raise UnreadableImageError("not enough pixel data")
        lines = np.frombuffer(raw, np.uint8, rows * step, offset).reshape(rows, step)
        yield np.concatenate([lines[:, :1], lines[:, 1 + index :: planes]], axis=1).tobytes()
        offset += rows * step


def _pass_sizes(file: _File) -> Iterator[tuple[int, int]]:
    """Yields (rows, columns) of each interlacing pass."""
    if not file.interlaced:
        yield file.height, file.width
        return
    for top, left, row_step, column_step in _PASSES:
        yield -(-(file.height - top) // row_step), -(-(file.width - left) // column_step)


def _expand_channels(file: _File, array: np.ndarray, channels: int) -> np.ndarray:
    """Returns the pixels with the requested number of channels, converted as by libpng."""
    # Libpng's filler value for alpha has the file's bit depth.
    max_value = (1 << file.depth) - 1
    if file.color == 3:
        array = _apply_palette(file, array[..., 0])
        if not file.transparent and channels == 0:
            channels = 3
    elif file.transparent and channels in (0, 4) and file.color in (0, 2):
        array = _add_alpha(file, array)
        if channels == 0:
            channels = file.channels
    have = array.shape[2]
    channels = channels or have
    alpha = array[..., -1:] if have in (2, 4) else None
    colors = array[..., : have - (alpha is not None)]
    if channels < 3 and colors.shape[2] == 3:
        colors = _gray(colors)
    elif channels >= 3 and colors.shape[2] == 1:
        colors = np.repeat(colors, 3, axis=2)
    if channels % 2:
        return colors
    if alpha is None:
        alpha = np.full((*array.shape[:2], 1), max_value, array.dtype)
    return np.concatenate([colors, alpha], axis=2)


def _apply_palette(file: _File, indices: np.ndarray) -> np.ndarray:
    """Returns the RGB values of palette indices, with alpha if present."""
    table = np.zeros((256, 4), np.uint8)
    table[:, 3] = 255
    colors = np.frombuffer(file.palette, np.uint8).reshape(-1, 3)
    table[: len(colors), :3] = colors
    alphas = np.frombuffer(file.transparent, np.uint8)
    table[: len(alphas), 3] = alphas
    return table[indices] if len(alphas) else table[indices][..., :3]


def _add_alpha(file: _File, array: np.ndarray) -> np.ndarray:
    """Returns the pixels with an alpha channel that is 0 for the color declared transparent in the file."""
    count = file.channels
    if len(file.transparent) != 2 * count:
        return array
    transparent = np.array(struct.unpack_from(f">{count}H", file.transparent))
    if file.depth < 8:
        transparent = transparent * (255 // (2**file.depth - 1))
    hidden = (array == transparent).all(axis=2, keepdims=True)
    alpha = np.where(hidden, 0, np.iinfo(array.dtype).max).astype(array.dtype)
    return np.concatenate([array, alpha], axis=2)


def _gray(rgb: np.ndarray) -> np.ndarray:
    red, green, blue = (rgb[..., n : n + 1].astype(np.uint32) for n in range(3))
    total = (
        red * np.uint32(_RED_WEIGHT)
        + green * np.uint32(_GREEN_WEIGHT)
        + blue * np.uint32(_BLUE_WEIGHT)
    )
    if rgb.dtype == np.uint16:
        total = (total.astype(np.uint64) + 16384).astype(np.uint64)
    gray = (total >> 15).astype(rgb.dtype)
    return np.where((red == green) & (red == blue), rgb[..., :1], gray)


# Writing: the bytes are libpng's ---------------------------------------------------------------------

_CHUNK = 8192  # bytes of an IDAT chunk


def _chunk(chunk_type: bytes, content: bytes) -> bytes:
    checksum = zlib.crc32(content, zlib.crc32(chunk_type))
    return struct.pack(">I4s", len(content), chunk_type) + content + struct.pack(">I", checksum)


def _write_file(header: tuple[int, ...], compressed: bytes) -> bytes:
    parts = [_chunk(b"IHDR", struct.pack(">IIBBBBB", *header))]
    for start in range(0, len(compressed) + 1, _CHUNK):
        parts.append(_chunk(b"IDAT", compressed[start : start + _CHUNK]))
    return SIGNATURE + b"".join([*parts, _chunk(b"IEND", b"")])


def encode(array: np.ndarray, compression: int) -> bytes:
    """Encodes an image, uint8 or uint16 [rows, columns, 1 to 4], as a PNG file; compression -1 is zlib's default."""
    rows, columns, channels = array.shape
    is_16_bit = array.dtype == np.uint16
    samples = np.ascontiguousarray(array.astype(">u2") if is_16_bit else array)
    lines = samples.view(np.uint8).reshape(rows, -1)
    color = {1: 0, 2: 4, 3: 2, 4: 6}[channels]
    size = rows + lines.size
    bits = 15  # of the window; the file may state fewer
    while size + 262 <= 1 << (bits - 1):
        bits -= 1
    squeezer = zlib.compressobj(compression, zlib.DEFLATED, bits, 9, zlib.Z_FILTERED)
    step = channels * (2 if is_16_bit else 1)
    parts = []
    block = max(1, (1 << 18) // max(lines.shape[1], 1))
    for start in range(0, rows, block):
        parts.append(squeezer.compress(_filter_rows(lines, start, start + block, step).tobytes()))
    parts.append(squeezer.flush())
    compressed = b"".join(parts)
    while bits > 8 and size <= 1 << (bits - 1):
        bits -= 1
    method, level = (bits - 8) << 4 | zlib.DEFLATED, compressed[1] & 0xE0
    level += 31 - (method * 256 + level) % 31
    compressed = bytes((method, level)) + compressed[2:]
    return _write_file((columns, rows, 16 if is_16_bit else 8, color, 0, 0, 0), compressed)


def _filter_rows(lines: np.ndarray, start: int, end: int, step: int) -> np.ndarray:
    """Filters each row with the filter that gives the smallest result; the filter's number precedes the row."""
    if (result := png_filters.filter_rows(lines, start, end, step)) is not None:
        return result
    block_lines = lines[start:end]
    padded_rows = np.zeros((len(block_lines) + 1, step + block_lines.shape[1]), np.int16)
    padded_rows[1:, step:] = block_lines
    if start:
        padded_rows[0, step:] = lines[start - 1]
    left, above, corner = padded_rows[1:, :-step], padded_rows[:-1, step:], padded_rows[:-1, :-step]
    predictions = np.zeros((5, *block_lines.shape), np.uint8)
    predictions[1], predictions[2] = left, above
    predictions[3] = (left + above) >> 1
    predictions[4] = _paeth(left, above, corner)
    differences = block_lines - predictions
    sizes = np.minimum(differences, -differences).sum(axis=2, dtype=np.int64)
    if len(lines) == 1:
        sizes[2:] = np.iinfo(np.int64).max
    if lines.shape[1] == step:
        sizes[[1, 3, 4]] = np.iinfo(np.int64).max
    filters = sizes.argmin(axis=0)
    result = np.empty((len(block_lines), block_lines.shape[1] + 1), np.uint8)
    result[:, 0] = filters
    result[:, 1:] = differences[filters, np.arange(len(block_lines))]
    return result


def _paeth(left: Any, above: Any, corner: Any) -> np.ndarray:
    """Returns Paeth's predictor: among three neighbors, the one nearest to left + above - corner."""
    left_change, above_change = left - corner, above - corner
    to_left, to_above, to_corner = (
        np.abs(above_change),
        np.abs(left_change),
        np.abs(left_change + above_change),
    )
    nearest_value = np.where(to_above <= to_corner, above, corner)
    is_left = (to_left <= to_above) & (to_left <= to_corner)
    return np.where(is_left, left, nearest_value)
