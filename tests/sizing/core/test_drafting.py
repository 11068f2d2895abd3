"""What drafting tokens costs and yields."""

from dataclasses import replace

import numpy as np
import pytest

from sizing.core.extras import Additions, DraftModel
from sizing.core.grid import grid_of
from sizing.core.model.features import model_features, weight_bytes
from sizing.core.parallelism import Layout
from sizing.core.placing import points_at
from sizing.core.recommend import combinations, recommend
from sizing.core.request import CoreRequest
from sizing.core.roofline import step
from sizing.core.simulate.clock import clock_of
from tests.sizing.core import serving
from tests.sizing.core.serving import H100, LLAMA_8B, LLAMA_70B

AT = serving.coefficients()
DRAFT = DraftModel(
    features=model_features(serving.architecture(LLAMA_8B)), weights=weight_bytes(serving.architecture(LLAMA_8B), None)
)


def asked(additions: Additions, concurrent: float = 1, *, drafted: float = 4.0, acceptance: float = 0.7) -> CoreRequest:
    pin = serving.pinned(
        H100,
        count=4,
        tensor_parallel=4,
        engine="vllm",
        speculative={"draft_tokens": drafted, "acceptance": acceptance},
    )
    return serving.request(LLAMA_70B, traffic=serving.traffic(concurrent), pinned=pin, additions=additions)


def tpot_ms(request: CoreRequest) -> float:
    found = recommend(request, serving.catalogue(H100), coefficients=AT).options[0].performance.tpot_ms["mean"].value
    assert found is not None
    return found


def test_a_draft_model_takes_time_that_free_drafts_do_not() -> None:
    free, paid = tpot_ms(asked(Additions())), tpot_ms(asked(Additions(draft=DRAFT)))
    assert paid > 1.2 * free


def test_drafting_pays_with_one_request_and_not_with_a_full_batch() -> None:
    plain = [tpot_ms(replace(asked(Additions(), n), pinned=_without(asked(Additions(), n)))) for n in (1.0, 256.0)]
    drafted = [tpot_ms(asked(Additions(draft=DRAFT), n)) for n in (1.0, 256.0)]
    assert plain[0] / drafted[0] > 1.2
    assert plain[1] / drafted[1] < plain[0] / drafted[0]


def _without(request: CoreRequest) -> object:
    assert request.pinned is not None
    return replace(request.pinned, speculative=None)


def test_a_prediction_layer_is_cheaper_than_a_draft_model() -> None:
    assert tpot_ms(asked(Additions(prediction_layers=1))) < tpot_ms(asked(Additions(draft=DRAFT)))


def test_each_drafted_token_is_one_pass_of_the_draft_model() -> None:
    request = asked(Additions(draft=DRAFT))
    grid = grid_of(request, [H100], combinations(request, serving.catalogue(H100)), AT)
    points = points_at(grid, AT)
    assert points.draft is not None
    four = _decode_s(points, 8.0)
    eight = _decode_s(replace(points, draft_passes=np.asarray(8.0)), 8.0)
    alone = _decode_s(points.draft, 8.0)
    assert eight - four == pytest.approx(4.0 * alone)


def _decode_s(points, batch: float) -> float:
    total = step(
        points,
        AT.step,
        decoding=np.array([batch]),
        verified_tokens=np.ones(1),
        context_tokens=np.array([1024.0]),
        prefill_tokens=np.zeros(1),
        prefill_context=np.zeros(1),
    ).total_s
    return float(total.reshape(-1)[0])


@pytest.mark.parametrize(("batch", "prompt"), [(8.0, 0.0), (8.0, 512.0), (0.0, 512.0)])
def test_the_clock_of_the_simulation_counts_drafts_as_the_step_model(batch: float, prompt: float) -> None:
    request = asked(Additions(draft=DRAFT))
    grid = grid_of(request, [H100], combinations(request, serving.catalogue(H100)), AT)
    points = points_at(grid, AT)
    whole = step(
        points,
        AT.step,
        decoding=np.array([batch]),
        verified_tokens=np.array([5.0]),
        context_tokens=np.array([900.0]),
        prefill_tokens=np.array([prompt]),
        prefill_context=np.array([256.0]),
    )
    seconds = clock_of(points, AT.step).step_s(batch, 900.0, prompt, 256.0, 5.0)
    assert seconds == pytest.approx(float(whole.total_s.reshape(-1)[0]))


def test_experts_on_whole_ranks_change_what_attention_data_parallelism_exchanges() -> None:
    request = serving.request("openai__gpt-oss-120b")
    rows = []
    for expert in (1, 8):
        grid = grid_of(
            request,
            [H100],
            [
                replace(
                    combinations(request, serving.catalogue(H100))[0], layout=Layout(tensor=1, data=8, expert=expert)
                )
            ],
            AT,
        )
        rows.append(float(points_at(grid, AT).exchange_s[0]))
    # 4 experts, 8 ranks: dispatch 4 x 3 bytes / 8 against gather and scatter 2 x 2 bytes of every token
    assert rows[1] / rows[0] == pytest.approx((4 * 3 / 8) / 4)
