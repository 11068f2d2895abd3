"""More worked cases of the same kinds, in other words: each answer follows from the rules and the dated lists.

A case is what it changes in a plain federal purchase of half a million dollars on 1 December 2026.
"""

import csv
import io

import pytest

from quotes.compliance.lists import load_lists
from quotes.compliance.table import COLUMNS, answer, read_cases

PLAIN = {
    "buyer_type": "us_federal_civilian",
    "est_value_usd": "500000",
    "quote_date": "2026-12-01",
    "line_type": "goods",
    "category": "accelerator",
    "manufacturer": "NVIDIA Corporation",
    "origin_evidence": "manufacturer_letter",
    "origin_evidence_date": "2026-10-01",
}
FEED = {"origin_evidence": "distributor_feed", "origin_evidence_date": "2026-11-15"}

# origin as received -> flag, rule, origin
ORIGINS = [
    ("TWN", "pass TAA-002 TW"),
    ("Made in Taiwan, R.O.C.", "pass TAA-002 TW"),
    ("Product of: Taiwan", "pass TAA-002 TW"),
    ("台灣製造", "pass TAA-002 TW"),
    ("CHN", "fail TAA-003 CN"),
    ("PRC", "fail TAA-003 CN"),
    ("MADE IN P R C", "fail TAA-003 CN"),
    ("People’s Republic of China", "fail TAA-003 CN"),
    ("Mainland China", "fail TAA-003 CN"),
    ("Hergestellt in der VR China", "fail TAA-003 CN"),
    ("Fabriqué en Chine", "fail TAA-003 CN"),
    ("中华人民共和国", "fail TAA-003 CN"),
    ("Made in Germany", "pass TAA-002 DE"),
    ("Hergestellt in der Bundesrepublik Deutschland", "pass TAA-002 DE"),
    ("Vereinigte Staaten von Amerika", "pass TAA-001 US"),
    ("Manufactured in the U.S.", "pass TAA-001 US"),
    ("Südkorea", "pass TAA-002 KR"),
    ("Republik Korea", "pass TAA-002 KR"),
    ("R.O.K.", "pass TAA-002 KR"),
    ("Nordkorea", "fail SRC-001 KP"),
    ("Islamic Republic of Iran", "fail SRC-001 IR"),
    ("Kuba", "fail SRC-001 CU"),
    ("KP/IR", "fail TAA-003 IR|KP"),
    ("Macau", "fail TAA-003 MO"),
    ("HKG", "pass TAA-002 HK"),
    ("Holland", "pass TAA-002 NL"),
    ("Scotland", "pass TAA-002 GB"),
    ("Tschechien", "pass TAA-002 CZ"),
    ("Singapur", "pass TAA-002 SG"),
    ("Viet Nam", "fail TAA-003 VN"),
    ("THA", "fail TAA-003 TH"),
    ("Philippinen", "fail TAA-003 PH"),
    ("Indien", "fail TAA-003 IN"),
    ("Norwegen", "pass TAA-002 NO"),
    ("China, P.R.", "fail TAA-003 CN"),
    ("Macao, China", "fail TAA-003 MO"),
    ("Korea DPR", "fail SRC-001 KP"),
    ("made-in-China", "fail TAA-003 CN"),
    ("TW - Taiwan", "pass TAA-002 TW"),
    ("CN: China, People's Republic of", "fail TAA-003 CN"),
    ("DE-FR", "unknown TAA-004 "),
    ("Kanada", "pass TAA-002 CA"),
    ("产地：马来西亚", "fail TAA-003 MY"),
    ("原产国: 越南", "fail TAA-003 VN"),
    ("ベトナム製", "fail TAA-003 VN"),
    ("Brasilien", "fail TAA-003 BR"),
    ("Guam", "pass TAA-001 GU"),
    ("Samoa", "pass TAA-002 WS"),
    ("Isle of Man", "review TAA-005 IM|GB"),
    ("Congo", "review TAA-005 CG|CD"),
    ("Taiwan, China", "review TAA-005 TW|CN"),
    ("China und Taiwan", "review TAA-005 CN|TW"),
    ("Taiwan or Vietnam", "review TAA-005 TW|VN"),
    ("Made in USA / Made in Mexico", "pass TAA-002 MX|US"),
    ("DE, FR & IT", "pass TAA-002 DE|FR|IT"),
    ("MY;TH", "fail TAA-003 MY|TH"),
    ("European Union", "review TAA-005 "),
    ("Asien", "review TAA-005 "),
    ("Penang", "unknown TAA-004 "),
    ("Taiwan / Penang", "unknown TAA-004 "),
    ("siehe Datenblatt", "unknown TAA-004 "),
    ("to be determined", "unknown TAA-004 "),
    ("???", "unknown TAA-004 "),
    ("Final assembly: Taiwan", "review TAA-006 TW"),
    ("Configured in the USA", "review TAA-006 US"),
    ("Montiert in Deutschland", "review TAA-006 DE"),
    ("Assembled in China", "review TAA-006 CN"),
]  # fmt: skip

# changes -> applicability, flag, rule, origin
TAA = [
    ({"origin_text": "Hongkong", **FEED}, "applies review TAA-014 HK"),
    ({"origin_text": "TW", "origin_evidence_date": "2025-12-01"}, "applies pass TAA-002 TW"),
    ({"origin_text": "TW", "origin_evidence_date": "2025-11-30"}, "applies review TAA-008 TW"),
    ({"origin_text": "TW", "origin_evidence_date": ""}, "applies review TAA-008 TW"),
    ({"origin_text": "TW", "origin_evidence_date": "2026-12-02"}, "applies review TAA-008 TW"),
    ({"origin_text": "JP", **FEED, "origin_evidence_date": "2026-09-02"}, "applies pass TAA-002 JP"),
    ({"origin_text": "JP", **FEED, "origin_evidence_date": "2026-09-01"}, "applies review TAA-008 JP"),
    ({"origin_text": "JP", "origin_evidence": "datasheet", "origin_evidence_date": "2019-01-01"},
     "applies review TAA-007 JP"),
    ({"origin_text": "JP", "origin_evidence": "web page"}, "applies review TAA-007 JP"),
    ({"origin_text": "US", "origin_evidence": "final determination", "origin_evidence_date": "2016-05-04"},
     "applies pass TAA-001 US"),
    ({"origin_text": "US", "origin_evidence": "cbp_ruling", "origin_evidence_date": ""}, "applies review TAA-008 US"),
    ({"origin_text": "Mexico", "transformation_note": "boards populated in Juarez", **FEED},
     "applies review TAA-006 MX"),
    ({"origin_text": "China", "transformation_note": "loaded with software in Texas", "origin_evidence": "cbp_ruling"},
     "applies review TAA-006 CN"),
    ({"origin_text": "Mexico", "transformation_note": "n/a"}, "applies pass TAA-002 MX"),
    ({"origin_text": "Malaysia", "buyer_type": "us_dod"}, "applies fail TAA-003 MY"),
    ({"origin_text": "Ägypten", "buyer_type": "us_dod"}, "applies review TAA-015 EG"),
    ({"origin_text": "Egypt"}, "applies fail TAA-003 EG"),
    ({"origin_text": "Türkei / Ägypten", "buyer_type": "us_dod"}, "applies review TAA-015 EG|TR"),
    ({"origin_text": "India", "line_type": "service", "category": "support", "supplier": "Example Services Pvt"},
     "applies fail TAA-009 IN"),
    ({"origin_text": "", "line_type": "service", "category": "support", "supplier": "Example Services"},
     "applies unknown TAA-009 "),
    ({"origin_text": "Korea", "line_type": "service", "category": "support"}, "applies unknown TAA-009 KR|KP"),
    ({"origin_text": "Germany", "line_type": "software", "category": "software"}, "applies pass TAA-002 DE"),
    ({"origin_text": "Germany", "line_type": "software", "category": "software", "origin_evidence": "none"},
     "applies unknown TAA-010 DE"),
    ({"origin_text": "n/a", "line_type": "system", "category": "server", "components": "Micron|dimm|Singapore"},
     "applies unknown TAA-011 "),
    ({"origin_text": "", "components": "Micron|dimm|Singapore"}, "applies unknown TAA-004 "),
    ({"origin_text": "MX", "line_type": "system", "category": "server", "components": "Delta|psu|PRC;WD|hdd|Thailand"},
     "applies pass TAA-002 MX"),
    # who buys, for how much, on which day
    ({"origin_text": "CN", "est_value_usd": "173999.99"}, "not_applicable fail TAA-003 CN"),
    ({"origin_text": "CN", "est_value_usd": "174000.00", "quote_date": "2026-01-01"}, "applies fail TAA-003 CN"),
    ({"origin_text": "CN", "est_value_usd": "182999", "quote_date": "2023-12-31"}, "not_applicable fail TAA-003 CN"),
    ({"origin_text": "CN", "est_value_usd": "183000", "quote_date": "2022-01-01"}, "applies fail TAA-003 CN"),
    ({"origin_text": "CN", "est_value_usd": "182999", "quote_date": "2024-01-01"}, "applies fail TAA-003 CN"),
    ({"origin_text": "CN", "est_value_usd": "182700", "quote_date": "2028-01-01"}, "undetermined fail TAA-003 CN"),
    ({"origin_text": "CN", "est_value_usd": "182701", "quote_date": "2028-01-01"}, "applies fail TAA-003 CN"),
    ({"origin_text": "CN", "est_value_usd": "165299", "quote_date": "2029-12-31"}, "not_applicable fail TAA-003 CN"),
    ({"origin_text": "CN", "est_value_usd": "174000", "quote_date": "2031-05-05"}, "undetermined fail TAA-003 CN"),
    ({"origin_text": "CN", "buyer_type": "us_gsa_mas", "est_value_usd": "", "set_aside": "yes"},
     "applies fail TAA-003 CN"),
    ({"origin_text": "CN", "buyer_type": "us_fed_subcontractor"}, "undetermined fail TAA-003 CN"),
    ({"origin_text": "CN", "buyer_type": "us_fed_subcontractor", "taa_by_contract": "yes"}, "applies fail TAA-003 CN"),
    ({"origin_text": "CN", "buyer_type": "commercial", "taa_by_contract": "yes"}, "applies fail TAA-003 CN"),
    ({"origin_text": "CN", "buyer_type": "us_state_local"}, "not_applicable fail TAA-003 CN"),
    ({"origin_text": "CN", "buyer_type": "us_federal_grant"}, "not_applicable fail TAA-003 CN"),
    ({"origin_text": "CN", "buyer_type": "unknown"}, "undetermined fail TAA-003 CN"),
    ({"origin_text": "CN", "buyer_type": "us_dod", "set_aside": "yes"}, "not_applicable fail TAA-003 CN"),
    ({"origin_text": "CN", "set_aside": "yes", "est_value_usd": ""}, "undetermined fail TAA-003 CN"),
    ({"origin_text": "CN", "set_aside": "yes", "taa_by_contract": "yes", "est_value_usd": ""},
     "applies fail TAA-003 CN"),
]  # fmt: skip

LETTER = {"s889_evidence": "manufacturer_letter", "s889_evidence_date": "2026-06-01"}
S889 = [
    ({"manufacturer": "HUAWEI TECH. CO., LTD", "category": "router"}, "applies fail S889-001"),
    ({"manufacturer": "Huawei Technologies Nederland B. V.", "category": "switch"}, "applies fail S889-001"),
    ({"manufacturer": "Huawei Polska Sp. z o.o.", "category": "access point"}, "applies fail S889-001"),
    ({"manufacturer": "Huawei Technologies de México S.A. de C.V.", "category": "firewall"}, "applies fail S889-001"),
    ({"manufacturer": "Huawei Technologies München GmbH", "category": "Network Switches"}, "applies fail S889-001"),
    ({"manufacturer": "华为数字技术(苏州)有限公司", "category": "5G base station"}, "applies fail S889-001"),
    ({"manufacturer": "Huawei 华为", "category": "switch"}, "applies fail S889-001"),
    ({"manufacturer": "ZTE中兴", "category": "modem"}, "applies fail S889-001"),
    ({"manufacturer": "Z.T.E. (H.K.) Limited", "category": "wireless access point"}, "applies fail S889-001"),
    ({"manufacturer": "中興通訊股份有限公司", "category": "optical transceiver"}, "applies fail S889-001"),
    ({"manufacturer": "Futurewei Technologies", "category": "switch"}, "applies fail S889-001"),
    ({"manufacturer": "", "brand": "HiLook", "category": "network video recorder"}, "applies fail S889-002"),
    ({"manufacturer": "Example OEM Ltd", "brand": "EZVIZ", "category": "IP cameras"}, "applies fail S889-002"),
    ({"manufacturer": "DAHUA TECHNOLOGY USA INC.", "category": "dome camera"}, "applies fail S889-002"),
    ({"manufacturer": "浙江大華技術股份有限公司", "category": "nvr"}, "applies fail S889-002"),
    ({"manufacturer": "Hytera Communications Corp. Ltd.", "category": "two-way radio"}, "applies fail S889-002"),
    ({"manufacturer": "Hangzhou Hikvision Digital Technology Co Ltd", "category": "switch"}, "applies fail S889-002"),
    ({"manufacturer": "Huawei", "category": "Network interface card"}, "applies fail S889-001"),
    ({"manufacturer": "Huawei", "category": "Switch (32 x 100GbE)"}, "applies fail S889-001"),
    ({"manufacturer": "Huawei", "category": "telecommunications equipment"}, "applies fail S889-001"),
    ({"manufacturer": "Dahua", "category": "video surveillance system"}, "applies fail S889-002"),
    ({"manufacturer": "Dahua", "category": "video card"}, "applies review S889-003"),
    ({"manufacturer": "Huawei", "category": "network cable"}, "applies review S889-003"),
    ({"manufacturer": "Broadcom", "category": "network interface card"}, "applies unknown S889-009"),
    ({"manufacturer": "Broadcom", "category": "storage controller"}, "applies pass S889-007"),
    ({"manufacturer": "Hikvision", "category": "ssd"}, "applies review S889-003"),
    ({"manufacturer": "Huawei", "category": "accelerator"}, "applies review S889-003"),
    ({"components": "ZTE|LTE modem|China", "category": "camera"}, "applies fail S889-004"),
    ({"components": "HiSilicon|BMC chip|China;Micron|dimm|Singapore", "category": "server"}, "applies fail S889-004"),
    ({"components": "Shanghai HiSilicon Technologies Co., Ltd.|network controller|", "category": "server"},
     "applies fail S889-004"),
    ({"components": "Dahua Technology|camera module|", "category": "appliance"}, "applies fail S889-004"),
    ({"components": "Huawei|power supply|China", "category": "server"}, "applies review S889-003"),
    ({"components": "Hisilicom|soc|", "category": "camera"}, "applies review S889-005"),
    ({"components": "Kunpeng|cpu|", "category": "server"}, "applies review S889-005"),
    ({"manufacturer": "Huawai Technologies", "category": "switch"}, "applies review S889-005"),
    ({"manufacturer": "Нuаwеi Technologies", "category": "switch"}, "applies review S889-005"),  # Cyrillic Н, а, е
    ({"manufacturer": "НІКVІЅІОΝ", "category": "camera"}, "applies review S889-005"),  # Cyrillic and Greek letters
    ({"manufacturer": "H1KVISI0N", "category": "camera"}, "applies review S889-005"),
    ({"manufacturer": "Хуавэй", "category": "switch"}, "applies review S889-005"),
    ({"manufacturer": "ファーウェイ株式会社", "category": "switch"}, "applies review S889-005"),
    ({"manufacturer": "하이크비전", "category": "camera"}, "applies review S889-005"),
    ({"manufacturer": "ООО «Хуавэй»", "category": "switch"}, "applies review S889-005"),
    ({"manufacturer": "中兴微电子", "category": "switch"}, "applies review S889-005"),
    ({"manufacturer": "海康", "category": "camera"}, "applies review S889-005"),
    ({"manufacturer": "Example Corp, formerly Huawei", "category": "switch"}, "applies review S889-005"),
    ({"manufacturer": "Hytera Mobilfunk GmbH", "category": "radio"}, "applies review S889-006"),
    ({"manufacturer": "Luminys Systems Corp.", "category": "camera"}, "applies review S889-006"),
    ({"manufacturer": "Amcrest", "category": "camera"}, "applies review S889-006"),
    ({"manufacturer": "Sepura plc", "category": "radio"}, "applies review S889-006"),
    ({"manufacturer": "超聚变", "category": "server"}, "applies review S889-006"),
    ({"manufacturer": "HONOR Device Co., Ltd.", "category": "phone"}, "applies review S889-006"),
    ({"manufacturer": "ZTEsoft Technology", "line_type": "software", "category": "software"},
     "applies review S889-006"),
    ({"manufacturer": "unknown", "brand": "-", "category": "switch"}, "applies unknown S889-008"),
    ({"manufacturer": "OEM / ODM", "category": "switch"}, "applies unknown S889-008"),
    ({"manufacturer": "Dell Inc.", "category": "storage array"}, "applies unknown S889-009"),
    ({"manufacturer": "Dell Inc.", "category": "storage array", **LETTER}, "applies pass S889-007"),
    ({"manufacturer": "Dell Inc.", "category": "server", **LETTER, "s889_evidence_date": "2025-11-30"},
     "applies unknown S889-009"),
    ({"manufacturer": "Dell Inc.", "category": "server", **LETTER, "s889_evidence": "distributor_feed"},
     "applies unknown S889-009"),
    ({"manufacturer": "Axis Communications AB", "category": "camera", "components": "Axis|soc|;Sony|sensor|JP",
      "bom_complete": "yes"}, "applies pass S889-007"),
    ({"manufacturer": "Axis Communications AB", "category": "camera", "components": "Axis|soc|;n/a|sensor|JP",
      "bom_complete": "yes"}, "applies unknown S889-009"),
    ({"manufacturer": "Schweitzer Engineering", "category": "dimm"}, "applies pass S889-007"),
    ({"manufacturer": "国立中興大学", "line_type": "service", "category": "audit"}, "applies pass S889-007"),
    ({"manufacturer": "", "supplier": "Huawei Cloud", "line_type": "service", "category": "cloud"},
     "applies fail S889-010"),
    ({"manufacturer": "", "supplier": "Example Hosting AG", "line_type": "service", "category": "hosting", **LETTER},
     "applies pass S889-007"),
    ({"manufacturer": "", "supplier": "Example Field GmbH", "line_type": "service", "category": "installation"},
     "applies unknown S889-010"),
    ({"supplier": "Huawei Technologies", "category": "gpu"}, "applies pass S889-007"),
    ({"manufacturer": "Huawei", "category": "switch", "buyer_type": "us_federal_grant"}, "applies fail S889-001"),
    ({"manufacturer": "Huawei", "category": "switch", "buyer_type": "us_state_local"}, "undetermined fail S889-001"),
    ({"manufacturer": "Huawei", "category": "switch", "buyer_type": "eu_public"}, "not_applicable fail S889-001"),
]  # fmt: skip

REST = [
    ("S5949", {"manufacturer": "SMIC"}, "applies review S5949-001"),
    ("S5949", {"manufacturer": "中芯国际", "contract_start": "2028-01-01"}, "applies fail S5949-002"),
    ("S5949", {"components": "Yangtze Memory Technologies Corp.|nand|", "contract_start": "2027-12-22"},
     "applies review S5949-001"),
    ("S5949", {"brand": "ZhiTai", "contract_start": "2027-12-23"}, "applies fail S5949-002"),
    ("S5949", {"components": "ChangXin Memory Technologies, Inc.|dram|CN", "contract_start": "2028-06-01"},
     "applies fail S5949-002"),
    ("S5949", {"components": "Micron|dram|US;Phison|controller|TW", "bom_complete": "yes"}, "applies pass S5949-004"),
    ("S5949", {"components": "Micron|dram|US"}, "applies unknown S5949-003"),
    ("S5949", {"manufacturer": "YMTC", "buyer_type": "commercial"}, "not_applicable review S5949-001"),
    ("S1260H", {"buyer_type": "us_dod", "supplier": "Alibaba Cloud"}, "applies fail S1260H-001"),
    ("S1260H", {"buyer_type": "us_dod", "supplier": "Quectel", "quote_date": "2026-06-29"},
     "applies review S1260H-001"),
    ("S1260H", {"buyer_type": "us_dod", "manufacturer": "TP-Link Technologies"}, "applies review S1260H-002"),
    ("S1260H", {"buyer_type": "us_dod", "manufacturer": "浪潮集团", "contract_start": "2027-06-30"},
     "applies fail S1260H-003"),
    ("S1260H", {"buyer_type": "us_dod", "manufacturer": "Example Inc", "components": "BYD|battery|",
                "contract_start": "2027-07-01"}, "applies review S1260H-004"),
    ("S1260H", {"buyer_type": "us_dod", "manufacturer": "Lenovo"}, "applies pass S1260H-006"),
    ("S1260H", {"buyer_type": "us_dod", "manufacturer": ""}, "applies unknown S1260H-005"),
    ("S1260H", {"manufacturer": "Innolight"}, "not_applicable review S1260H-002"),
    ("EXPORT", {"destination": "DE", "eccn": "ECCN 4A090.a"}, "applies review EXP-001"),
    ("EXPORT", {"destination": "AT", "eccn": "5A992.z"}, "applies review EXP-001"),
    ("EXPORT", {"destination": "GB", "eccn": "5A992z"}, "applies review EXP-001"),
    ("EXPORT", {"destination": "FR", "eccn": "5A992.c / 3A090.a"}, "applies review EXP-001"),
    ("EXPORT", {"destination": "Deutschland", "eccn": "EAR 99"}, "applies pass EXP-005"),
    ("EXPORT", {"destination": "Frankreich", "eccn": "3A991.p"}, "applies pass EXP-005"),
    ("EXPORT", {"destination": "Macau", "eccn": "EAR99"}, "applies review EXP-005"),
    ("EXPORT", {"destination": "China", "eccn": "3a090"}, "applies review EXP-001"),
    ("EXPORT", {"destination": "DE", "eccn": "see data sheet"}, "applies unknown EXP-002"),
    ("EXPORT", {"destination": "DE", "eccn": "8471.50"}, "applies unknown EXP-002"),
    ("EXPORT", {"destination": "", "eccn": "EAR99"}, "undetermined unknown EXP-004"),
    ("EXPORT", {"destination": "Russische Föderation", "eccn": "EAR99"}, "applies fail EXP-003"),
    ("EXPORT", {"destination": "Weißrussland", "eccn": ""}, "applies fail EXP-003"),
    ("EXPORT", {"destination": "U.S.A.", "eccn": "3A090.a"}, "not_applicable  EXP-000"),
]  # fmt: skip

CASES = [
    *(("TAA", {"origin_text": text}, f"applies {expected}") for text, expected in ORIGINS),
    *(("TAA", changes, expected) for changes, expected in TAA),
    *(("S889", changes, expected) for changes, expected in S889),
    *REST,
]


def answered() -> list[str]:
    """The answers to all cases, read from one table as a user would write it."""
    text = io.StringIO()
    writer = csv.DictWriter(text, COLUMNS, restval="")
    writer.writeheader()
    for number, (regime, changes, _expected) in enumerate(CASES):
        writer.writerow({**PLAIN, "case_id": str(number), "scope": "line", "regime": regime, **changes})
    said = [answer(case, load_lists(case.context.quote_date)) for case in read_cases(text.getvalue().encode())]
    assert [one.case_id for one in said] == [str(number) for number in range(len(CASES))]
    return [
        f"{one.applicability} {one.flag or ''} {one.rule_id}" + (f" {one.origin}" if case[0] == "TAA" else "")
        for one, case in zip(said, CASES, strict=True)
    ]


ANSWERS = answered()


@pytest.mark.parametrize("number", range(len(CASES)), ids=[f"{case[0]}-{case[1]}"[:60] for case in CASES])
def test_case_in_other_words(number: int) -> None:
    regime, changes, expected = CASES[number]
    assert ANSWERS[number] == expected, (regime, changes)
