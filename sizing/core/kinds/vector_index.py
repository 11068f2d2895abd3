"""The index of a retrieval system: main memory, drives, time of one search and the cores that it keeps busy.

    in memory (HNSW):  N (d b + 10 M) bytes, ef log2(N) distances of d b bytes each at the pace of random reads
    on drives (DiskANN): N 64 bytes in memory, N ceil((d b + 4 R) / 4096) 4096 bytes on drives
Source: docs/method.md#rag.
"""

from dataclasses import dataclass
from enum import StrEnum
from math import ceil, log2

LINKS = 16  # [M]
BYTES_PER_LINK = 10.0
"""A graph in memory takes M x 8 to 10 bytes an element beside the vector. Source: hnswlib, ALGO_PARAMS.md."""

SEARCH_WIDTH = 64  # [ef] candidates kept during a search (assumption: usual for a recall of about 0.95)
RANDOM_READ_BYTES_PER_S = 4e9  # one core following links through main memory (assumption)
COMPRESSED_BYTES = 64.0
"""Compressed copy of a vector in memory while graph and vectors lie on drives: one billion points with 64 GB.
Source: DiskANN, NeurIPS 2019."""

DRIVE_LINKS = 64  # [R] neighbours of a point on drives (DiskANN, NeurIPS 2019)
BYTES_PER_DRIVE_LINK = 4.0
SECTOR_BYTES = 4096
DRIVE_SEARCH_S = 5e-3
"""Planned for p95: DiskANN states below 3 ms in the mean for a billion points at 95 % recall (NeurIPS 2019)."""

DRIVE_CORE_S = 16 / 5000  # core time of a search: more than 5,000 queries a second on 16 cores (same source)
TEXT_BYTES_PER_TOKEN = 6.0
MOST_IN_MEMORY_BYTES = 512e9  # larger indexes go to drives where the request leaves it open (assumption)
BYTES_PER_DIMENSION = 4.0


class IndexPlace(StrEnum):
    AUTO = "auto"
    MEMORY = "memory"
    DRIVES = "drives"


@dataclass(frozen=True, slots=True, kw_only=True)
class VectorIndex:
    """Passages of a collection, one vector each."""

    passages: float
    dimension: float
    tokens_per_passage: float
    wanted: IndexPlace = IndexPlace.AUTO

    @property
    def vector_bytes(self) -> float:
        return self.dimension * BYTES_PER_DIMENSION

    @property
    def whole_bytes(self) -> float:
        """Vectors and graph held in memory."""
        return self.passages * (self.vector_bytes + LINKS * BYTES_PER_LINK)

    @property
    def place(self) -> IndexPlace:
        if self.wanted is not IndexPlace.AUTO:
            return self.wanted
        return IndexPlace.MEMORY if self.whole_bytes <= MOST_IN_MEMORY_BYTES else IndexPlace.DRIVES

    @property
    def memory_bytes(self) -> float:
        """Main memory of the server that searches."""
        return self.whole_bytes if self.place is IndexPlace.MEMORY else self.passages * COMPRESSED_BYTES

    @property
    def drive_bytes(self) -> float:
        """The texts, and the index: its copy for a restart, or the graph itself."""
        texts = self.passages * self.tokens_per_passage * TEXT_BYTES_PER_TOKEN
        if self.place is IndexPlace.MEMORY:
            return texts + self.whole_bytes
        point = ceil((self.vector_bytes + DRIVE_LINKS * BYTES_PER_DRIVE_LINK) / SECTOR_BYTES) * SECTOR_BYTES
        return texts + self.passages * point

    @property
    def search_s(self) -> float:
        """One search on one core."""
        if self.place is IndexPlace.DRIVES:
            return DRIVE_SEARCH_S
        distances = SEARCH_WIDTH * log2(max(self.passages, 2.0))
        return distances * self.vector_bytes / RANDOM_READ_BYTES_PER_S

    def cores(self, queries_per_s: float) -> float:
        """Cores that searches keep busy."""
        each = DRIVE_CORE_S if self.place is IndexPlace.DRIVES else self.search_s
        return queries_per_s * each
