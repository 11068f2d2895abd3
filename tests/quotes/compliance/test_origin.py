"""Origin texts as senders write them."""

import pytest

from quotes.compliance.lists import load_lists
from quotes.compliance.origin import resolve, resolve_destination

TABLES = load_lists().origins


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("Made in P. R. China", "CN"),
        ("Country of Origin: Taiwan", "TW"),
        ("Ursprungsland: Deutschland", "DE"),
        ("原产国：中国", "CN"),
        ("中国制造", "CN"),
        ("Product of the U.S.A.", "US"),
        ("Made in America", "US"),
        ("hergestellt in Österreich", "AT"),
        ("CÔTE D’IVOIRE", "CI"),
        ("Großbritannien", "GB"),
        ("ＵＳＡ", "US"),
        ("Trinidad and Tobago / USA", "TT|US"),
        ("Germany and Poland", "DE|PL"),
        ("Taiwan, China", "TW|CN"),
        ("Virgin Islands (U.S.)", "VI"),
        ("St. Martin", "MF|SX"),
        ("Hong Kong SAR, China", "HK"),
        ("Macau", "MO"),
        ("대한민국", "KR"),
        ("Viet Nam", "VN"),
        ("Republic of China", "TW"),
        ("People's Republic of China", "CN"),
    ],
)
def test_text_names_its_countries(text: str, shown: str) -> None:
    assert resolve(text, TABLES).shown == shown


@pytest.mark.parametrize("text", ["", " ", "N/A", "n. a.", "k.A.", "unbekannt", "TBD", "-", "various"])
def test_filler_is_blank(text: str) -> None:
    assert resolve(text, TABLES).is_blank


@pytest.mark.parametrize("text", ["Atlantis", "China or Atlantis", "Korea-ish", "Shenzhen", "=cmd()", "\x00\x01", "¿?"])
def test_one_unknown_part_leaves_all_unresolved(text: str) -> None:
    assert resolve(text, TABLES).candidates == ()


@pytest.mark.parametrize(
    "text", ["Assembled in Mexico", "Final assembly: Mexico", "Mexico (final assembly)", "Endmontage in Mexiko"]
)
def test_assembly_is_kept_apart_from_origin(text: str) -> None:
    origin = resolve(text, TABLES)
    assert (origin.shown, origin.is_assembly) == ("MX", True)


def test_assembly_in_one_part_marks_the_whole() -> None:
    origin = resolve("Made in Germany; assembled in Poland", TABLES)
    assert (origin.shown, origin.is_assembly) == ("DE|PL", True)


@pytest.mark.parametrize("text", ["EU", "Made in EU", "Asia", "EU / USA"])
def test_a_region_is_no_country(text: str) -> None:
    assert resolve(text, TABLES).is_region


@pytest.mark.parametrize(("text", "code"), [("CH", "CH"), ("Germany", "DE"), ("Korea", ""), ("EU", ""), ("", "")])
def test_destination_is_one_country_or_none(text: str, code: str) -> None:
    assert resolve_destination(text, TABLES) == code


@pytest.mark.parametrize(
    ("text", "codes"),
    [
        ("VN (Vietnam)", ("VN",)),
        ("Vietnam (VN)", ("VN",)),
        ("Korea (ROK)", ("KR",)),
        ("China (Taiwan)", ("TW", "CN")),
        ("EU (DE)", ()),
        ("Germany (FR)", ()),
        ("Mexico (USMCA)", ()),
        ("Fabricado en México", ("MX",)),
        ("Prodotto in Italia", ("IT",)),
        ("P.R. of China", ("CN",)),
        ("中国台湾", ("TW", "CN")),
        ("Shenzhen, China", ()),
    ],
)
def test_a_name_beside_its_code_is_one_country_and_a_contradiction_none(text: str, codes: tuple[str, ...]) -> None:
    assert resolve(text, load_lists().origins).candidates == codes
