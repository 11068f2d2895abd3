"""Embedding and reranking: documents or pairs per second through an encoder.

    F(S) = F_0 (S / S_0) ((1 - a) + a S / S_0), a = S_0 / (S_0 + 6 H)     H taken as 1,024 where not known
Source: docs/method.md#embedding.
"""

from collections.abc import Mapping
from dataclasses import dataclass

from sizing.core.hardware import Accelerator
from sizing.core.kinds.batching import batched
from sizing.core.kinds.fitted import KindCoefficients, banded
from sizing.core.kinds.task import Host, Served
from sizing.core.kinds.work import Run, served_share
from sizing.core.precision import StorageFormat
from sizing.core.units import MS_PER_S
from sizing.core.values import Estimate, Message

FAMILY = "embedding"
USUAL_HIDDEN = 1024
BYTES_PER_TOKEN_ON_THE_WIRE = 6
ACTIVATION_BYTES_PER_TOKEN = 1024 * 2 * 12  # twelve 16-bit states of width 1,024 at once


@dataclass(frozen=True, slots=True, kw_only=True)
class Encoder:
    """A text encoder as published: operations of one text of a reference length."""

    name: str
    parameters: float
    flops: float
    reference_tokens: float


@dataclass(frozen=True, slots=True, kw_only=True)
class EmbeddingTask:
    """Texts (or query-document pairs) of one length; `per_query` pairs make one query of a reranker."""

    model: Encoder
    tokens: float
    demand_per_s: float
    limit_p95_s: float | None
    per_query: int = 1
    random_arrivals: bool = True
    family: str = FAMILY

    @property
    def network(self) -> str:
        return self.model.name

    @property
    def weight_parameters(self) -> float:
        return self.model.parameters

    @property
    def host(self) -> Host:
        return Host(payload_bytes_per_item=self.tokens * BYTES_PER_TOKEN_ON_THE_WIRE + 4096)

    @property
    def flops(self) -> float:
        share = self.model.reference_tokens / (self.model.reference_tokens + 6 * USUAL_HIDDEN)
        ratio = self.tokens / self.model.reference_tokens
        return self.model.flops * ratio * ((1.0 - share) + share * ratio)

    @property
    def activation_bytes(self) -> float:
        """Working space of one text."""
        return self.tokens * ACTIVATION_BYTES_PER_TOKEN

    def served(
        self, device: Accelerator, weights: StorageFormat, engine: str, coefficients: KindCoefficients
    ) -> Served | Message:
        run = Run(
            flops=self.flops,
            rate=weights.compute,
            weight_bytes=self.model.parameters * weights.bytes_per_value,
            launches=1,
        )
        return batched(
            run,
            device,
            self.family,
            coefficients,
            engine,
            self.limit_p95_s,
            activation_bytes_per_item=self.activation_bytes,
        )

    def figures(
        self, served: Served, device: Accelerator, replicas: int, coefficients: KindCoefficients
    ) -> Mapping[str, Estimate]:
        sustained = served.items_per_s * served_share(device, self.family, coefficients)

        def made(value: float, unit: str, explain: str) -> Estimate:
            return banded(value, unit, device, self.family, self.network, coefficients, explain=explain)

        found = {
            "documents_per_s": made(sustained * replicas, "documents/s", "embedding_rate"),
            "documents_per_s_per_replica": made(sustained, "documents/s", "embedding_rate"),
            "tokens_per_s": made(sustained * replicas * self.tokens, "tokens/s", "embedding_rate"),
            "device_ms": made(served.batch_s * MS_PER_S, "ms", "embedding_batch"),
        }
        if self.per_query > 1:
            found["queries_per_s"] = made(sustained * replicas / self.per_query, "queries/s", "embedding_rate")
        return found
