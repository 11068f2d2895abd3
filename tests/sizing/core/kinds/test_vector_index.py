"""The index of a retrieval system: memory, drives and time with the sum written out."""

from math import log2

import pytest

from sizing.core.kinds.vector_index import IndexPlace, VectorIndex


def index(passages: float = 5e6, place: IndexPlace = IndexPlace.AUTO) -> VectorIndex:
    return VectorIndex(passages=passages, dimension=1024, tokens_per_passage=400, wanted=place)


def test_memory_of_vectors_and_links() -> None:
    # 5e6 x (1,024 x 4 + 16 x 10) = 21.28 GB (hnswlib: M x 8 to 10 bytes beside the vector)
    assert index().memory_bytes == pytest.approx(21.28e9)
    assert index().place is IndexPlace.MEMORY


def test_drives_hold_texts_and_a_copy() -> None:
    # 5e6 x 400 x 6 = 12 GB of text, 21.28 GB of index
    assert index().drive_bytes == pytest.approx(33.28e9)


def test_a_search_visits_by_the_logarithm() -> None:
    # 64 x log2(5e6) = 1,424 vectors of 4,096 bytes at 4e9 bytes/s: 1.458 ms
    assert index().search_s == pytest.approx(64 * log2(5e6) * 4096 / 4e9)
    assert index(10e6).search_s < 1.05 * index(5e6).search_s


def test_a_billion_points_go_to_drives_as_published() -> None:
    # DiskANN, NeurIPS 2019: one billion points in 64 GB of memory, more than 5,000 searches/s on 16 cores
    large = index(1e9)
    assert large.place is IndexPlace.DRIVES
    assert large.memory_bytes == pytest.approx(64e9)
    assert large.cores(5000) == pytest.approx(16)
    # 4,096 + 64 x 4 = 4,352 bytes take two sectors: 8,192 bytes a point, and 2.4 TB of text
    assert large.drive_bytes == pytest.approx(8.192e12 + 2.4e12)


def test_the_request_may_settle_the_place() -> None:
    assert index(1e9, IndexPlace.MEMORY).memory_bytes == pytest.approx(1e9 * 4256)
    assert index(1e6, IndexPlace.DRIVES).search_s == 5e-3
