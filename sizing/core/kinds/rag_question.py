"""What a retrieval workload asks, and what its stages before the language model take."""

from collections.abc import Sequence
from dataclasses import dataclass

from sizing.core.kinds.embedding import EmbeddingTask
from sizing.core.kinds.search import KindEngine
from sizing.core.kinds.task import KindMemory
from sizing.core.kinds.vector_index import VectorIndex
from sizing.core.precision import StorageFormat
from sizing.core.request import CoreCatalogue, CoreRequest
from sizing.core.workload import Site


@dataclass(frozen=True, slots=True, kw_only=True)
class RagQuestion:
    """The language model with its load and no limits, the models before it, the index and the one limit."""

    answer: CoreRequest
    catalogue: CoreCatalogue
    embedder: EmbeddingTask  # one question
    ranker: EmbeddingTask | None  # question and passage; `per_query` pairs a question
    index: VectorIndex
    retrieval_weights: StorageFormat
    retrieval_engines: Sequence[KindEngine]
    queries_per_s: float
    limit_p95_s: float | None
    site: Site
    accelerator: str | None = None
    count: int | None = None
    mean_share: float = 1.0

    @property
    def pinned(self) -> bool:
        return self.accelerator is not None or self.count is not None


@dataclass(frozen=True, slots=True, kw_only=True)
class Retrieval:
    """What comes before the language model on devices of one type; times of one question."""

    devices: int
    embed_s: float
    rank_s: float
    search_s: float
    wait_s: float  # p95
    capacity_per_s: float
    memory: KindMemory

    @property
    def total_s(self) -> float:
        return self.embed_s + self.search_s + self.rank_s + self.wait_s
