"""A supplier's description as comparable words: one spelling of forms, editions, abbreviations and memory."""

import re
import unicodedata
from dataclasses import dataclass

MEMORY = re.compile(r"(?<![\d.,])(\d{1,4})(?:[.,]0)? ?(?:gb|gib|gbyte|go|g)(?![a-z0-9/])")
SXM = re.compile(r"\bsxm ?([2-6])?\b")
_ACCENTS = str.maketrans("áàâãéèêëíìîïóòôúùûñç", "aaaaeeeeiiiiooouuunc")
_SPLIT = re.compile(
    r"\b(?:rtx|gtx|gaudi|hailo)(?=a?\d)|\brtx(?=pro\b|pro\d)|(?<=\bpro)(?=\d{4})|(?<=\brtxpro)(?=\d{4})"
    r"|(?<=\d{4})(?=ada\b|sff)|(?<=sff)(?=ada\b)|(?<=[hab][12]00)(?=(?:nvl|pcie|sxm[2-6]?)\b)"
    r"|\bnv(?=(?:[ablht]\d|rtx))"
)
_SPELLINGS = tuple(
    (re.compile(pattern), instead)
    for pattern, instead in (
        (r"\b(?:blkwl|blkwell|blckwl|blackw|bwell|bckwl)\b", "blackwell"),
        (r"\b(?:wkstn|wrkstn|wksta|wks|wst|workst)\b", "workstation"),
        (r"\b(?:svr|srv|srvr)\b", "server"),
        (r"\b(?:edn|edtn|edit)\b", "edition"),
        (r"(?<=\bgpu )([a-z]+\d+[a-z]?) d\b", r"\1"),  # UCSC-GPU-A40-D
        (r"\bso dimm\b", "sodimm"),
        (r"\b(?:338|345|403|470|490) [a-z]{4}\b", ""),  # Dell's option number: 490-BHXN
        (r"\b([a-z0-9]*\d[a-z0-9]{4,}) kit\b(?! f)", r"\1"),  # the end of a part number: NVH100TCGPU-KIT
        (r"\bmax ?q\b", "maxq"),
        (r"\bmaxq (?:workstation|ws)\b(?: ed\w*)?", "maxq workstationedition"),
        (r"\bbse\b", "blackwell server edition"),
        (r"(?<=[0-9]{4} )bw\b", "blackwell"),
        (r"(?<=blackwell )se\b", "server edition"),
        (r"(?<=blackwell )(server|workstation)(?=$| \d+ ?gb)", r"\1 edition"),
        (r"(?<=blackwell )ws\b(?! ed)", "workstation edition"),
        (r"\b(server|workstation)[ -]?(?:edition|ed)\b", r"\1edition"),
        (r"\bpci ?(?:e|express)\b|\bpcie ?[3456](?:\.0)?\b|\bpcie(?= |x)", "pcie"),
    )
)


@dataclass(frozen=True, slots=True)
class Text:
    words: tuple[str, ...]
    memories: frozenset[int]
    forms: frozenset[str]
    plain: str


def plain_text(text: str) -> str:
    """Lower case, signs as blanks, grown-together model names apart, "server edition" as one word."""
    plain = unicodedata.normalize("NFKC", text.replace("®", " ").replace("™", " ")).casefold()  # NFKC makes "™" a "TM"
    plain = plain.translate(_ACCENTS)
    plain = re.sub(r"(?<![a-z0-9])f/ ?(?=[a-z])", "for ", plain)
    plain = re.sub(r"[^a-z0-9äöüß.,×]+", " ", plain)
    plain = _SPLIT.sub(lambda found: f"{found.group()} ", plain)
    plain = re.sub(r"(?<![0-9])[.,]|[.,](?![0-9])", " ", plain)
    plain = " ".join(plain.split())
    for pattern, instead in _SPELLINGS:
        plain = pattern.sub(instead, plain)
    return " ".join(plain.split())


def read_text(description: str) -> Text:
    plain = plain_text(description)
    memories = frozenset(int(found[1]) for found in MEMORY.finditer(plain))
    forms = {f"sxm{found[1] or ''}" for found in SXM.finditer(plain)}
    for word, form in (("pcie", "pcie"), ("oam", "oam"), ("mezzanine", "oam"), ("nvl", "nvl"), ("hgx", "sxm")):
        if re.search(rf"\b{word}", plain):
            forms.add(form)
    return Text(tuple(plain.split()), memories, frozenset(forms), plain)
