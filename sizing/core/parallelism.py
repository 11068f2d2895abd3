"""How one replica is spread over accelerators, and which splits a model allows."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Layout:
    """Degrees of one replica. `data` is attention data parallelism inside the replica."""

    tensor: int = 1
    pipeline: int = 1
    expert: int = 1
    data: int = 1

    @property
    def accelerators(self) -> int:
        """Accelerators that one replica occupies."""
        return self.tensor * self.pipeline * self.data
