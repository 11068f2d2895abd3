"""The form of answers from documents."""

from django import forms
from django.utils.translation import gettext_lazy

from sizing.kinds.form_base import KindForm, Row, number_field

INDEX_PLACES = [
    ("auto", gettext_lazy("Whatever serves best")),
    ("memory", gettext_lazy("In the memory of the server")),
    ("drives", gettext_lazy("On NVMe drives")),
]


class RagForm(KindForm):
    """The language model is any of the catalogue's; the models before it are those of embedding."""

    kind = "rag"
    load_heading = gettext_lazy("Questions and documents")
    load_lead = gettext_lazy("Embedding, search, ranking and answer share one limit.")
    load_rows = (
        Row(
            name="queries_per_s",
            unit=gettext_lazy("questions/s"),
            why=gettext_lazy("At the busiest moment."),
        ),
        Row(
            name="passages",
            unit=gettext_lazy("million passages"),
            why=gettext_lazy("A page of text makes about two."),
            factor=1e6,
        ),
        Row(
            name="tokens_per_passage",
            unit=gettext_lazy("tokens"),
            note=gettext_lazy("Empty: 400."),
        ),
        Row(
            name="candidates_per_query",
            unit=gettext_lazy("per question"),
            note=gettext_lazy("Empty: 50."),
        ),
        Row(
            name="passages_in_prompt",
            unit=gettext_lazy("passages"),
            why=gettext_lazy("What the language model reads; the longest part of its work."),
            note=gettext_lazy("Empty: 8."),
        ),
        Row(
            name="answer_tokens",
            path=("rag", "output_tokens"),
            unit=gettext_lazy("tokens"),
            note=gettext_lazy("Empty: 250."),
        ),
        Row(name="embedding_model", note=gettext_lazy("Empty: BAAI/bge-m3.")),
        Row(
            name="reranker_model",
            note=gettext_lazy("Empty: BAAI/bge-reranker-v2-m3."),
        ),
        Row(name="index_place"),
    )
    target_rows = (
        Row(
            name="latency_s",
            path=("targets", "latency_ms", "p95"),
            unit=gettext_lazy("s or less"),
            why=gettext_lazy("From the question to the last word, in 95 of 100 cases."),
            factor=1000.0,
        ),
    )
    queries_per_s = number_field(gettext_lazy("Questions at the peak"), low=0.0001, high=1e6, initial=2, required=True)
    passages = number_field(gettext_lazy("Passages"), low=0.000001, high=1e6, initial=5, required=True)
    tokens_per_passage = number_field(gettext_lazy("Length of a passage"), low=1, high=100_000)
    candidates_per_query = number_field(gettext_lazy("Passages to rank"), low=1, high=10_000, whole=True)
    passages_in_prompt = number_field(gettext_lazy("Passages in the prompt"), low=1, high=1000, whole=True)
    answer_tokens = number_field(gettext_lazy("Length of an answer"), low=1, high=1_000_000)
    embedding_model = forms.CharField(label=gettext_lazy("Model for embedding"), max_length=200, required=False)
    reranker_model = forms.CharField(label=gettext_lazy("Model for ranking"), max_length=200, required=False)
    index_place = forms.ChoiceField(label=gettext_lazy("Index"), choices=INDEX_PLACES, required=False, initial="auto")
    latency_s = number_field(gettext_lazy("Whole answer, p95"), low=0.01, high=86_400, initial=10)
