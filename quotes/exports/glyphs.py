"""Which signs the fonts of the documents can print, read from their character maps (OpenType 1.9, cmap 4 and 12)."""

import struct
from functools import lru_cache
from pathlib import Path

FONTS = Path(__file__).parent / "fonts"
_UNICODE_MAPS = {(0, 3), (0, 4), (0, 6), (3, 1), (3, 10)}  # platform and encoding
# Signs that leave no mark of their own: controls, joiners, variation selectors, byte order mark.
_UNSEEN = frozenset({*range(0x20), *range(0x7F, 0xA0), 0xAD, *range(0x200B, 0x2010), *range(0xFE00, 0xFE10), 0xFEFF})


def missing_signs(text: str) -> tuple[str, ...]:
    """The signs of the text that no bundled font holds, once each, in their order; ASCII is never missing."""
    if text.isascii():
        return ()
    known = printable()
    missing = [sign for sign in set(text) if ord(sign) not in known and ord(sign) not in _UNSEEN]
    return tuple(sorted(missing, key=text.index))


@lru_cache(maxsize=1)
def printable() -> frozenset[int]:
    """Every code point that a bundled upright font maps to a glyph."""
    found: set[int] = set()
    for path in sorted(FONTS.glob("*.ttf")):
        if "It" not in path.stem:
            found |= code_points(path.read_bytes())
    return frozenset(found)


def code_points(font: bytes) -> set[int]:
    """The code points of one TrueType font."""
    start = _table(font, b"cmap")
    (count,) = struct.unpack_from(">H", font, start + 2)
    found: set[int] = set()
    for number in range(count):
        platform, encoding, offset = struct.unpack_from(">HHI", font, start + 4 + 8 * number)
        if (platform, encoding) in _UNICODE_MAPS:
            at = start + offset
            (kind,) = struct.unpack_from(">H", font, at)
            found |= {4: _segments, 12: _groups}.get(kind, _nothing)(font, at)
    return found


def _table(font: bytes, tag: bytes) -> int:
    (count,) = struct.unpack_from(">H", font, 4)
    for number in range(count):
        name, _check, offset, _length = struct.unpack_from(">4sIII", font, 12 + 16 * number)
        if name == tag:
            return int(offset)
    raise ValueError(f"the font has no table {tag!r}")


def _nothing(_font: bytes, _at: int) -> set[int]:
    return set()


def _segments(font: bytes, at: int) -> set[int]:
    """Format 4: segments of the basic plane, by delta or by an array of glyphs."""
    (twice,) = struct.unpack_from(">H", font, at + 6)
    count = twice // 2
    ends, starts = at + 14, at + 16 + twice
    deltas, offsets = starts + twice, starts + 2 * twice
    found: set[int] = set()
    for number in range(count):
        end, start, delta, offset = (
            struct.unpack_from(">H", font, base + 2 * number)[0] for base in (ends, starts, deltas, offsets)
        )
        for code in range(start, end + 1):
            if code == 0xFFFF:
                continue
            glyph = (code + delta) & 0xFFFF
            if offset:
                place = offsets + 2 * number + offset + 2 * (code - start)
                (raw,) = struct.unpack_from(">H", font, place)
                glyph = (raw + delta) & 0xFFFF if raw else 0
            if glyph:
                found.add(code)
    return found


def _groups(font: bytes, at: int) -> set[int]:
    """Format 12: groups of the whole of Unicode."""
    (count,) = struct.unpack_from(">I", font, at + 12)
    found: set[int] = set()
    for number in range(count):
        start, end, glyph = struct.unpack_from(">III", font, at + 16 + 12 * number)
        found.update(range(start + (1 if glyph == 0 else 0), end + 1))
    return found
