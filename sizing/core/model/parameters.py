"""Parameter counts of a model: total, active per token, by role."""

from collections import Counter

from sizing.core.model.architecture import AttentionKind, ModelArchitecture
from sizing.core.model.modules import Role


def parameters_by_role(model: ModelArchitecture) -> Counter[Role]:
    """Parameters of all layers and outer modules, without towers."""
    counts: Counter[Role] = Counter()
    for group in model.groups:
        for module in group.modules:
            counts[module.role] += group.count * module.parameters
    for module in model.modules:
        counts[module.role] += module.parameters
    return counts


def total_parameters(model: ModelArchitecture) -> int:
    """All weights of the checkpoint's model, tied tables once, without multi-token prediction layers."""
    if model.stated_parameters is not None:
        return model.stated_parameters
    towers = sum(tower.parameters for tower in model.towers if tower.in_total)
    return sum(parameters_by_role(model).values()) + towers


def idle_expert_parameters(model: ModelArchitecture) -> int:
    """Routed experts' weights that one token does not use."""
    idle = 0
    for group in model.groups:
        feed = group.feed_forward
        if feed is not None and feed.experts:
            idle += group.count * (feed.experts - feed.experts_per_token) * feed.expert_parameters
    return idle


def active_parameters(model: ModelArchitecture) -> int:
    """Weights that one token passes: total - routed x (1 - active/experts)."""
    return total_parameters(model) - idle_expert_parameters(model)


def matmul_flops_per_token(model: ModelArchitecture) -> int:
    """2 x (active - input embedding - towers), the LM head included, attention products not.

    Source: two operations per weight and token.
    """
    counted = active_parameters(model)
    counted -= sum(tower.parameters for tower in model.towers if tower.in_total)
    tables = [module for module in model.modules if module.role is Role.EMBEDDING]
    counted -= sum(module.parameters for module in tables)
    if model.tied_embeddings and not _encodes(model):
        counted += model.vocab_size * model.hidden_size
    return 2 * counted


def _encodes(model: ModelArchitecture) -> bool:
    """Whether an encoder stands in the model, whose tables cost no product per output token."""
    return any(group.attention is not None and group.attention.kind is AttentionKind.ENCODER for group in model.groups)
