"""Public identifiers: time-ordered UUIDs, so that lists by id are lists by time."""

import os
import time
import uuid


def uuid7() -> uuid.UUID:
    """A version 7 UUID: 48 bits of Unix milliseconds, then 74 random bits (RFC 9562, section 5.7)."""
    milliseconds = time.time_ns() // 1_000_000
    random_bits = int.from_bytes(os.urandom(10))
    value = (milliseconds & (2**48 - 1)) << 80 | random_bits
    value = value & ~(0xF << 76) | 0x7 << 76
    value = value & ~(0x3 << 62) | 0x2 << 62
    return uuid.UUID(int=value)
