"""Recorded requests: what is read, what is refused, and what is replayed."""

from datetime import date

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.utils.datastructures import MultiValueDict

from sizing import traces
from sizing.core.errors import InvalidWorkload
from sizing.core.simulate.arrivals import busiest, gap_variation, rate_of, replayed
from sizing.forms import WorkloadForm, initial_of
from sizing.requests import RequestProblem, read_request

TODAY = date(2026, 12, 1)
KVOTE = "time_s,input_tokens,output_tokens\n0,1000,100\n2.5,500,50\n1,2000,200\n"
AZURE = (
    "TIMESTAMP,ContextTokens,GeneratedTokens\n2023-11-16 18:15:46.6805900,374,44\n2023-11-16 18:15:50.9951690,396,109\n"
)
MOONCAKE = (
    '{"timestamp": 0, "input_length": 6755, "output_length": 500}\n'
    '{"timestamp": 3000, "input_length": 7319, "output_length": 490}\n'
)
BURST_GPT = "Timestamp,Model,Request tokens,Response tokens,Total tokens,Log Type\n5,ChatGPT,472,18,490,Conversation log\n45,ChatGPT,1087,230,1317,Conversation log\n"  # noqa: E501


def test_rows_come_in_order_of_time_and_start_at_zero() -> None:
    assert traces.trace_rows(KVOTE) == [(0.0, 1000, 100), (1.0, 2000, 200), (2.5, 500, 50)]


@pytest.mark.parametrize(
    ("text", "second"),
    [(AZURE, (4.314579, 396, 109)), (MOONCAKE, (3.0, 7319, 490)), (BURST_GPT, (40.0, 1087, 230))],
    ids=["Azure", "Mooncake", "BurstGPT"],
)
def test_published_traces_are_read_as_they_are(text: str, second: tuple[float, int, int]) -> None:
    row = traces.trace_rows(text)[1]
    assert row == pytest.approx(second, abs=1e-5)


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("a,b,c\n1,2,3\n", "trace_columns_missing"),
        ("time_s,input_tokens,output_tokens\n1,2,3\n", "trace_row_count"),
        ("time_s,input_tokens,output_tokens\n1,2,3\n1,4,5\n", "trace_without_span"),
        ("time_s,input_tokens,output_tokens\n1,2,3\n2,many,5\n", "trace_row_wrong"),
        ("time_s,input_tokens,output_tokens\n1,2,3\n2,0,5\n", "trace_row_wrong"),
        ("time_s,input_tokens,output_tokens\n1,2,3\nnan,4,5\n", "trace_row_wrong"),
        ("time_s,input_tokens,output_tokens\n1,2,3\n2\n", "trace_row_wrong"),
        ('{"timestamp": 0', "trace_not_readable"),
    ],
)
def test_what_is_no_trace_is_refused_with_its_reason(text: str, code: str) -> None:
    with pytest.raises(InvalidWorkload) as refused:
        traces.trace_rows(text)
    assert refused.value.code == code


def test_a_wrong_row_is_named_by_its_line() -> None:
    with pytest.raises(InvalidWorkload) as refused:
        traces.trace_rows("time_s,input_tokens,output_tokens\n1,2,3\n2,many,5\n")
    assert refused.value.message.params["line"] == 3


def stated(**traffic: object) -> dict[str, object]:
    return {"kind": "llm_serving", "model": {"id": "meta-llama/Llama-3.1-8B-Instruct"}, "traffic": traffic}


def test_a_request_takes_the_lengths_of_its_trace() -> None:
    traffic = read_request(stated(trace=KVOTE), today=TODAY)["traffic"]
    assert traffic["trace"] == [[0.0, 1000, 100], [1.0, 2000, 200], [2.5, 500, 50]]
    assert traffic["input_tokens"] == {"mean": pytest.approx(3500 / 3), "p95": 2000, "min": 500, "max": 2000}
    assert traffic["output_tokens"]["mean"] == pytest.approx(350 / 3)


def test_stated_lengths_stand() -> None:
    traffic = read_request(stated(trace=KVOTE, input_tokens=900), today=TODAY)["traffic"]
    assert traffic["input_tokens"]["mean"] == 900


def test_a_trace_and_a_rate_contradict_each_other() -> None:
    with pytest.raises(RequestProblem) as refused:
        read_request(stated(trace=KVOTE, requests_per_s=2), today=TODAY)
    assert {error.code for error in refused.value.errors} == {"one_of"}


def test_a_wrong_trace_is_pointed_at() -> None:
    with pytest.raises(RequestProblem) as refused:
        read_request(stated(trace="a,b\n", input_tokens=1, output_tokens=1), today=TODAY)
    assert [error.pointer for error in refused.value.errors] == ["/traffic/trace"]


def test_the_fastest_part_of_a_trace_is_replayed() -> None:
    rows = [(float(t), 100, 10) for t in (0, 10, 20, 21, 22, 30)]
    window = busiest(rows, 3)
    assert [row[0] for row in window] == [20.0, 21.0, 22.0]
    assert rate_of(window) == pytest.approx(1.0)
    assert [arrival.time_s for arrival in replayed(window)] == [0.0, 1.0, 2.0]


def test_even_gaps_do_not_vary_and_bursts_do() -> None:
    assert gap_variation([(float(t), 1, 1) for t in range(10)]) == pytest.approx(0.05)  # the least that is used
    assert gap_variation([(t, 1, 1) for t in (0.0, 0.1, 0.2, 10.0, 10.1, 10.2)]) > 1.0


def form(files: MultiValueDict | None = None, **changes: object) -> WorkloadForm:
    data = {"model": "meta-llama/Llama-3.1-8B-Instruct", "load_by": "users", "input_tokens": 10, "output_tokens": 10}
    known = {"meta-llama/llama-3.1-8b-instruct": "meta-llama/Llama-3.1-8B-Instruct"}
    return WorkloadForm(data | changes, files, known_models=known)


def test_an_uploaded_trace_takes_the_place_of_load_and_lengths() -> None:
    upload = MultiValueDict({"trace_file": [SimpleUploadedFile("trace.csv", KVOTE.encode())]})
    filled = form(upload)
    assert filled.is_valid(), filled.errors
    traffic = filled.request_json()["traffic"]
    assert traffic["users"] is traffic["requests_per_s"] is traffic["input_tokens"] is None
    stated = read_request(filled.request_json(), today=TODAY)
    assert stated["traffic"]["input_tokens"]["max"] == 2000
    assert initial_of(stated)["trace_text"].splitlines()[1:] == ["0,1000,100", "1,2000,200", "2.5,500,50"]


def test_a_wrong_trace_is_said_at_its_field() -> None:
    filled = form(trace_text="a,b\n1,2\n")
    assert not filled.is_valid()
    assert list(filled.errors) == ["trace_text"]
