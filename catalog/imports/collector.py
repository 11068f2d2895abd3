"""The search for cyclic garbage, put off while a long file is read: its rows are many and hold no cycles."""

import gc
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def collected_later() -> Iterator[None]:
    """Around reading and planning. What is no longer needed is freed as ever, by the count of its references."""
    was_on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_on:
            gc.enable()
