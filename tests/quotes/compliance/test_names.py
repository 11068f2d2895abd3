"""Name matching: the examples that come with the list, and thousands of made-up maker names."""

import csv

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from quotes.compliance.firm_name import is_blank
from quotes.compliance.lists import FOLDER, load_lists
from quotes.compliance.words import GENERIC, PLACES

ENTITIES = list(csv.DictReader((FOLDER / "ndaa889_entities.csv").open(encoding="utf-8", newline="")))
INDEX = load_lists().s889
REAL_MAKERS = (
    "Super Micro Computer, Inc.", "NVIDIA Corporation", "Advanced Micro Devices", "Intel Corporation",
    "Micron Technology", "SK hynix", "Samsung Electronics Co., Ltd.", "Kioxia Corporation",
    "Western Digital", "Seagate Technology LLC", "Solidigm", "Broadcom Inc.", "Marvell Technology",
    "Mellanox Technologies", "Arista Networks, Inc.", "Cisco Systems", "Juniper Networks",
    "Dell Technologies", "Hewlett Packard Enterprise", "Lenovo", "GIGABYTE Technology", "ASUSTeK",
    "Quanta Cloud Technology", "Wistron", "Wiwynn", "Inventec", "Foxconn Industrial Internet",
    "Delta Electronics, Inc.", "Lite-On Technology", "Vertiv", "Schneider Electric SE", "Eaton",
    "Rittal GmbH & Co. KG", "Fujitsu", "ASPEED Technology", "STMicroelectronics", "ST Microelectronics",
    "Silicon Labs", "Silicon Motion", "Phison Electronics", "Realtek", "Hanwha Vision",
    "Axis Communications AB", "Bosch Security Systems", "Avigilon", "Hyster", "Honeywell", "AZTEC Networks",
    "ZT Systems", "Schweitzer Engineering Laboratories", "PNY Technologies", "Zotac", "Palit",
    "Hitachi Vantara", "Huber+Suhner AG", "Hurray Systems", "Luxtera", "Rolex", "Toga Ltd",
    "Honor Electric", "Thomas-Krenn.AG", "bluechip Computer AG", "Extra Computer GmbH", "Nordwerk GmbH",
    "Tallinn Kabel OÜ", "大华银行", "大华会计师事务所", "中兴大学", "中興保全", "海康人寿", "华威大学",
    "台積電", "鴻海精密工業",
)  # fmt: skip


def strong_hits(name: str) -> list[str]:
    return [hit.row.entity_id for hit in INDEX.find(name) if hit.strong]


@pytest.mark.parametrize("row", ENTITIES, ids=[row["entity_id"] for row in ENTITIES])
def test_every_listed_name_and_example_is_seen(row: dict[str, str]) -> None:
    examples = [text.strip() for text in row["true_hit_examples"].split(";")]
    for name in filter(None, (*row["strong_aliases"].split("|"), row["native_name"], *examples)):
        hits = INDEX.find(name)
        assert hits, name
        if row["hit_flag"] == "fail" and name in (*row["strong_aliases"].split("|"), row["native_name"]):
            assert hits[0].strong, name


@pytest.mark.parametrize("row", ENTITIES, ids=[row["entity_id"] for row in ENTITIES])
def test_no_false_example_is_strong(row: dict[str, str]) -> None:
    for name in filter(None, (text.strip() for text in row["false_positive_examples"].split(";"))):
        assert not strong_hits(name), name


@pytest.mark.parametrize("name", REAL_MAKERS)
def test_a_real_maker_gives_no_hit(name: str) -> None:
    assert not INDEX.find(name)


@pytest.mark.parametrize(
    ("name", "entity_id"),
    [
        ("HUA WEI TECHNOLOGIES", "HW-01"),
        ("Huawei\u200bTechnologies", "HW-01"),
        ("ＨＵＡＷＥＩ", "HW-01"),
        ("華為技術有限公司", "HW-01"),
        ("Z.T.E. Corp.", "ZT-01"),
        ("ZTE Deutschland GmbH", "ZT-01"),
        ("Hi-Silicon", "HW-03"),
        ("Dahua Technologies", "DH-01"),
        ("浙江大華技術股份有限公司", "DH-01"),
        ("中興通訊", "ZT-01"),
    ],
)
def test_spellings_of_a_listed_name_are_strong(name: str, entity_id: str) -> None:
    assert INDEX.find(name)[0].row.entity_id == entity_id
    assert INDEX.find(name)[0].strong


@pytest.mark.parametrize(
    "name",
    [
        "Hikvison Digital Technology", "Hauwei", "Hitera", "Ezvis", "Huawei Pharmaceutical", "Dahua Street Electronics",
        "Dahua Germany GmbH", "Honor", "中兴", "大华", "海康", "Хуавэй", "Nubia", "Lorex", "Hydera Communications",
        "中华为民基金会", "Kunpeng", "HiLook IPC-B140", "Hytera Mobilfunk GmbH", "Hikvison Deutschland GmbH",
        "HIKVlSlON", "ООО Хуавей Технолоджис",
    ],
)  # fmt: skip
def test_a_doubt_asks_a_person(name: str) -> None:
    hits = INDEX.find(name)
    assert hits
    assert not any(hit.strong for hit in hits)


@pytest.mark.parametrize(
    "name", ["Huaxin Technologies", "Luminus", "Lorax Systems", "HikSense", "EasyViz Software", "大华酒店"]
)
def test_a_near_miss_beyond_the_limits_is_no_hit(name: str) -> None:
    assert not INDEX.find(name)


def test_a_separate_firm_of_a_like_name_is_a_doubt_only() -> None:
    index = load_lists().s1260h.index
    assert [hit.strong for hit in index.find("TP-Link Systems Inc.")] == [False]
    assert index.find("TP-Link Technologies Co., Ltd.")[0].strong


@pytest.mark.parametrize("text", ["", "  ", "N/A", "n.a.", "unknown", "TBD", "-", "Inc."])
def test_filler_names_nobody(text: str) -> None:
    assert is_blank(text) is (text != "Inc.")


FAIL_ALIASES = sorted(
    alias for row in ENTITIES if row["hit_flag"] == "fail" for alias in row["strong_aliases"].split("|") if alias
)
ALIASES = sorted(alias for row in ENTITIES for alias in row["strong_aliases"].split("|") if alias)
LISTED_WORDS = {
    word.lower()
    for alias in ALIASES
    for word in alias.replace("-", " ").split()
    if word.lower() not in GENERIC | PLACES
}
SYLLABLES = ("ar", "be", "cor", "da", "el", "fi", "gen", "ha", "hua", "hik", "ix", "ko", "lu", "mi", "no", "or", "pra",
             "qu", "ro", "si", "ta", "tec", "ul", "vi", "vision", "wei", "xo", "ya", "zen", "zt")  # fmt: skip
LEGAL = ("", " Inc.", " GmbH", " Co., Ltd.", " AG", " LLC", " Corp.", " S.A.", " B.V.", " Oy", " (USA) Inc.")
EXTRA = ("", " Technologies", " Networks", " Electronics", " Systems", " Deutschland", " Digital Technology")
made_up = st.builds(
    lambda parts, extra, legal: "".join(parts).capitalize() + extra + legal,
    st.lists(st.sampled_from(SYLLABLES), min_size=2, max_size=4),
    st.sampled_from(EXTRA),
    st.sampled_from(LEGAL),
)
written = st.sampled_from(
    (str.upper, str.lower, str.title, lambda text: text.replace(" ", "  "), lambda text: f" {text}.")
)


def assert_no_false_fail(name: str) -> None:
    """A name that holds no listed word, spaced or squeezed, never fails."""
    squeezed = "".join(sign for sign in name.lower() if sign.isalnum())
    if not any(len(word) > 2 and word in squeezed for word in LISTED_WORDS):
        assert not strong_hits(name), name


def assert_seen(alias: str, write: object, extra: str, legal: str) -> None:
    name = write(alias + extra + legal)  # type: ignore[operator]
    hits = INDEX.find(name)
    assert hits, name
    if alias in FAIL_ALIASES and not extra:
        assert hits[0].strong, name


def assert_edit_never_fails(alias: str, at: int, letter: str) -> None:
    """A changed letter inside a listed word leaves a doubt or nothing, unless the result is listed itself."""
    word = alias.replace(" ", "")
    at %= len(word)
    if not word[at].isalpha() or word[at].lower() == letter:
        return
    name = word[:at] + letter + word[at + 1 :]
    if name.lower() not in {other.replace(" ", "").lower() for other in ALIASES}:
        assert all(hit.step == "token" for hit in INDEX.find(name) if hit.strong), name


@pytest.mark.parametrize(
    "latin_and_other", ["aа", "eе", "oо", "iі", "hн", "tт", "xх", "sѕ", "oο", "vν", "o0", "i1", "s5"]
)
def test_a_letter_that_only_looks_latin_leaves_a_doubt(latin_and_other: str) -> None:
    """Cyrillic and Greek letters and digits: seen as the listed firm, never a fail."""
    latin, other = latin_and_other
    for alias in FAIL_ALIASES:
        if latin in alias.lower():
            drawn = alias.lower().replace(latin, other, 1)
            assert INDEX.find(drawn), drawn
            assert not any(hit.strong and hit.step != "token" for hit in INDEX.find(drawn)), drawn


EDITS = (st.sampled_from(FAIL_ALIASES), st.integers(0, 40), st.sampled_from("bcdfgkmpqrtvxz"))


@settings(max_examples=150, deadline=None)
@given(made_up)
def test_made_up_makers_never_fail(name: str) -> None:
    assert_no_false_fail(name)


@settings(max_examples=150, deadline=None)
@given(st.sampled_from(ALIASES), written, st.sampled_from(EXTRA), st.sampled_from(LEGAL[:9]))
def test_known_aliases_are_always_seen(alias: str, write: object, extra: str, legal: str) -> None:
    assert_seen(alias, write, extra, legal)


@settings(max_examples=100, deadline=None)
@given(*EDITS)
def test_near_misses_never_fail(alias: str, at: int, letter: str) -> None:
    assert_edit_never_fails(alias, at, letter)


@pytest.mark.full
@settings(max_examples=2000, deadline=None)
@given(made_up)
def test_two_thousand_made_up_makers_never_fail(name: str) -> None:
    assert_no_false_fail(name)


@pytest.mark.full
@settings(max_examples=1500, deadline=None)
@given(st.sampled_from(ALIASES), written, st.sampled_from(EXTRA), st.sampled_from(LEGAL[:9]))
def test_fifteen_hundred_spellings_of_aliases_are_seen(alias: str, write: object, extra: str, legal: str) -> None:
    assert_seen(alias, write, extra, legal)


@pytest.mark.full
@settings(max_examples=1500, deadline=None)
@given(*EDITS)
def test_fifteen_hundred_near_misses_never_fail(alias: str, at: int, letter: str) -> None:
    assert_edit_never_fails(alias, at, letter)
