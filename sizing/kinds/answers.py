"""From the question of a kind to its recommendation, with the explicit assumptions that go with it."""

from sizing.core.kinds.search import KindRecommendation, Progress, recommend_kind
from sizing.core.kinds.several import SeveralQuestion, recommend_several
from sizing.kinds.load import load_kind_coefficients
from sizing.kinds.questions import KindAsked


def kind_recommendation(question: KindAsked, *, progress: Progress | None = None) -> KindRecommendation:
    """Options and rejections in the core's order.

    Raises InvalidHardware for a pinned device that is not offered, Cancelled from `progress`.
    """
    if isinstance(question.core, SeveralQuestion):
        return recommend_several(question.core, progress=progress)
    return recommend_kind(question.core, load_kind_coefficients(), progress=progress)
