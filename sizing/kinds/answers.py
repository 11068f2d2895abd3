"""From the question of a kind to its recommendation, with the explicit assumptions that go with it."""

from sizing.calibration.load import load_coefficients
from sizing.core.kinds.rag import recommend_rag
from sizing.core.kinds.rag_question import RagQuestion
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
    if isinstance(question.core, RagQuestion):
        return recommend_rag(question.core, load_kind_coefficients(), load_coefficients(), progress=progress)
    return recommend_kind(question.core, load_kind_coefficients(), progress=progress)
