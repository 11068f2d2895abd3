"""Price files as distributors of seven countries send them, and what a right import gives for each.

One line of `gives` a record that is no text or total: the part number, then the price for one piece, or "held"
or "rejected". `asks` are the questions that must be answered first.
"""

from dataclasses import dataclass


@dataclass(frozen=True)
class File:
    name: str
    text: str
    gives: str
    asks: str = ""
    encoding: str = "utf-8"


FILES = (
    File(
        "de_dashcents",
        "Artikel-Nr.;Herstellernummer;Bezeichnung;HEK;UVP;Verfügbarkeit\n"
        '4711;NW-1;Beschleuniger;"EUR 1.234,-";"1.500,–";sofort\n'
        "4712;NW-2;Karte 2;1.234,–;a. A.;auf Anfrage\n"
        "4713;NW-3;Kabel;a. A.;12,90;ca. 3 Mon.\n"
        "4714;NW-4;Netzteil;219,50;249,00;Lager: 12\n",
        "NW-1 1234; NW-2 1234; NW-3 held; NW-4 219.5",
        asks="currency",
    ),
    File(
        "ch_spaces",
        "Herstellernummer;Marke;Bezeichnung;Nettopreis CHF;Lieferfrist\n"
        "NW-1;Nordwerk;Karte A;26\u202f890,50;3-4 Wochen\n"
        "NW-2;Nordwerk;Karte B;1\xa0234,5;ab Lager\n"
        "NW-3;Nordwerk;Karte C;980,00;KW 12/2027\n",
        "NW-1 26890.5; NW-2 1234.5; NW-3 980",
    ),
    File(
        "us_call",
        "Mfr Part No,Manufacturer,Description,Reseller Price,MSRP,Avail\n"
        'NW-1,Nordwerk,"GPU, 80GB","$28,499.00","$33,990.00",>100\n'
        "NW-2,Nordwerk,Cable,CALL,$12.00,12+\n"
        'NW-3,Nordwerk,PSU,"$1,250","$1,400",0\n'
        "NW-4,Nordwerk,Chassis,POA,POA,EOL\n"
        'NW-5,Nordwerk,Credit,"($120.00)",$0.00,5\n',
        "NW-1 28499; NW-2 held; NW-3 1250; NW-4 held; NW-5 rejected",
    ),
    File(
        "per100",
        "Artikelnummer;Herstellernummer;Bezeichnung;Preis;PE;Währung\n"
        "1;TK-1;Kabelbinder;12,50;100;EUR\n"
        "2;TK-2;Schraube;3,99;1000;EUR\n"
        "3;TK-3;Kabel;219,00;1;EUR\n",
        "TK-1 0.125; TK-2 0.00399; TK-3 219",
    ),
    File(
        "vat_cols",
        "Herst.-Nr.;Bezeichnung;Preis exkl. MwSt;Preis inkl. MwSt;Whg\n"
        "NW-1;Karte;1.000,00;1.190,00;EUR\n"
        "NW-2;Karte;2.000,00;2.380,00;EUR\n",
        "NW-1 1000; NW-2 2000",
    ),
    File(
        "vat_only_incl",
        "Herst.-Nr.;Bezeichnung;Preis inkl. MwSt;Whg\nNW-1;Karte;1.190,00;EUR\n",
        "NW-1 1190",
    ),
    File(
        "tiers_cols",
        "MPN;Bezeichnung;ab 1;ab 10;ab 50;Währung\n"
        "NW-1;Karte;100,00;95,00;90,00;EUR\n"
        "NW-2;Kabel;10,50;9,90;auf Anfrage;EUR\n",
        "NW-1 100; NW-2 10.5",
    ),
    File(
        "tiers_rows",
        "MPN;Bezeichnung;ab Menge;Preis;Währung\n"
        "NW-1;Karte;1;100,00;EUR\n"
        "NW-1;Karte;10;95,00;EUR\n"
        "NW-1;Karte;50;90,00;EUR\n",
        "NW-1 100; NW-1 95; NW-1 90",
    ),
    File(
        "several_cur",
        'MPN,Description,Price,Currency\nNW-1,Card,"1,000.00",EUR\nNW-2,Card,"1,050.00",USD\nNW-3,Card,980.50,CHF\n',
        "NW-1 1000; NW-2 1050; NW-3 980.5",
    ),
    File(
        "cur_cols",
        "MPN;Bezeichnung;Preis EUR;Preis CHF;Preis USD\nNW-1;Karte;1.000,50;950,00;1.100,00\n",
        "NW-1 1000.5",
    ),
    File(
        "dates_dot2",
        "MPN;Bezeichnung;Preis;Währung;gültig bis\nNW-1;Karte;1.000,50;EUR;01.02.27\nNW-2;Karte;950,00;EUR;31.12.26\n",
        "NW-1 1000.5; NW-2 950",
    ),
    File(
        "dates_us_amb",
        'MPN,Description,Price,Currency,Valid until\nNW-1,Card,"1,000.50",USD,2/1/27\n',
        "NW-1 held",
        asks="date_order",
    ),
    File(
        "dates_us_proved",
        'MPN,Description,Price,Currency,Valid until\nNW-1,Card,"1,000.50",USD,2/1/27\nNW-2,Card,5.50,USD,12/31/26\n',
        "NW-1 1000.5; NW-2 5.5",
    ),
    File(
        "fixed_de",
        "Preisliste Muster IT            Stand 01.11.2026\n"
        "\n"
        "Artikelnr      Bezeichnung                        Preis EUR    Lieferzeit\n"
        "-------------------------------------------------------------------------\n"
        "NW-ACC-96      Beschleuniger 96 GB                28.499,00    6-8 Wochen\n"
        "NW-ACC-48      Beschleuniger 48 GB                 6.890,50    ab Lager\n"
        "TK-C19         Netzkabel                               0,89    2 Werktage\n",
        "NW-ACC-96 28499; NW-ACC-48 6890.5; TK-C19 0.89",
    ),
    File(
        "pipe",
        "sep=|\r\n"
        "MPN|Brand|Title|Cost|Cur|Qty Avail|ETA\r\n"
        "NW-1|Nordwerk|GPU|1234.50|USD|4|\r\n"
        "NW-2|Nordwerk|GPU|12.5|USD|0|2027-01-15\r\n",
        "NW-1 1234.5; NW-2 12.5",
    ),
    File(
        "cp850",
        "Artikelnr;Hersteller;Bezeichnung;Preis;Währung;Lieferzeit\r\n"
        "NW-1;Nordwerk;Gehäuse für Server, groß;1.234,50;EUR;verfügbar\r\n"
        "NW-2;Nordwerk;Kühlkörper;12,00;EUR;2 Wochen\r\n",
        "NW-1 1234.5; NW-2 12",
        encoding="cp850",
    ),
    File(
        "mac",
        "MPN;Bezeichnung;Preis;Währung\rNW-1;Karte;1.234,50;EUR\rNW-2;Kabel;12,00;EUR\r",
        "NW-1 1234.5; NW-2 12",
    ),
    File(
        "macroman",
        "MPN;Bezeichnung;Preis;Währung\rNW-1;Gehäuse;1.234,50;EUR\rNW-2;Kühlung;12,00;EUR\r",
        "NW-1 1234.5; NW-2 12",
        encoding="mac_roman",
    ),
    File(
        "embedded",
        "MPN,Description,Price,Currency\n"
        '"NW-1","Card\n'
        'with two lines","1,234.50",EUR\n'
        '"NW-2","Cable ""3 m""",12.00,EUR\n',
        "NW-1 1234.5; NW-2 12",
    ),
    File(
        "stray_start",
        'MPN;Bezeichnung;Preis;Währung\nNW-1;"Rack" 42 HE;1.234,50;EUR\nNW-2;Kabel;12,00;EUR\n',
        "NW-1 1234.5; NW-2 12",
    ),
    File(
        "sections",
        "Muster Distribution AG;;;;\n"
        "Offerte Nr. 4711 vom 12.11.2026;;;;\n"
        "Alle Preise in CHF exkl. MwSt.;;;;\n"
        "\n"
        "Pos.;Artikel-Nr.;Bezeichnung;Menge;Preis;Total\n"
        "1. Server;;;;;\n"
        "1.1;NW-SRV;Server 4 HE;2;41'200.00;82'400.00\n"
        "1.2;NW-ACC;Beschleuniger;16;28'499.00;455'984.00\n"
        ";;Zwischentotal;;;538'384.00\n"
        "Pos.;Artikel-Nr.;Bezeichnung;Menge;Preis;Total\n"
        "2. Netz;;;;;\n"
        "2.1;TK-QSFP;Kabel;8;219.00;1'752.00\n"
        ";;Total exkl. MwSt.;;;540'136.00\n"
        ";;MwSt. 8.1 %;;;43'751.02\n"
        ";;Total inkl. MwSt.;;;583'887.02\n"
        "Seite 1 von 1;;;;;\n"
        "Lieferung frei Haus.;;;;;\n",
        "NW-SRV 41200; NW-ACC 28499; TK-QSFP 219",
    ),
    File(
        "damaged_mpn",
        "MPN;EAN;Bezeichnung;Preis;Währung\n"
        "00123456;4,00638E+12;Karte;12,50;EUR\n"
        "1,23E+11;4006381333931;Kabel;13,50;EUR\n"
        "5E10;;Netzteil;14,50;EUR\n"
        '"=""0004711""";4006381333931.0;X;15,50;EUR\n',
        "00123456 12.5; 1,23E+11 rejected; 5E10 14.5; 0004711 15.5",
    ),
    File(
        "discount",
        "Artikelnummer;Bezeichnung;Listenpreis;Rabatt;Nettopreis;Währung\n"
        "NW-1;Karte;1.000,00;15 %;850,00;EUR\n"
        "NW-2;Kabel;20,00;10,5 %;17,90;EUR\n",
        "NW-1 850; NW-2 17.9",
    ),
    File(
        "discount_only",
        "Artikelnummer;Bezeichnung;Listenpreis;Rabatt %;Währung\n"
        "NW-1;Karte;1.000,00;15;EUR\n"
        "NW-2;Kabel;20,00;10,5;EUR\n",
        "NW-1 850; NW-2 17.9",
    ),
    File(
        "amb_us_file",
        "Part Number,Description,Price\nNW-1,Card,1.234\nNW-2,Card,2.500\n",
        "NW-1 held; NW-2 held",
        asks="number_style",
    ),
    File(
        "amb_other_col_proves",
        "MPN;Bezeichnung;EK;UVP;Währung\nNW-1;Karte;1.234;1.499,90;EUR\nNW-2;Karte;2.500;2.999,90;EUR\n",
        "NW-1 1234; NW-2 2500",
    ),
    File(
        "dutch",
        "Artikelnummer;Fabrikant;Omschrijving;Nettoprijs;Valuta;Levertijd\n"
        "NW-1;Nordwerk;Versneller;€ 1.234,-;EUR;3 weken\n"
        "NW-2;Nordwerk;Kabel;€ 12,50;EUR;op voorraad\n",
        "NW-1 1234; NW-2 12.5",
    ),
    File(
        "french",
        "Référence;Fabricant;Désignation;Prix net;Devise;Délai\n"
        "NW-1;Nordwerk;Accélérateur;1 234,50 €;EUR;3 semaines\n"
        "NW-2;Nordwerk;Câble;12,50 €;EUR;en stock\n",
        "NW-1 1234.5; NW-2 12.5",
    ),
    File(
        "neg",
        "MPN,Description,Price,Currency\n"
        'NW-1,Card,"(1,250.00)",USD\n'
        "NW-2,Card,-5.00,USD\n"
        "NW-3,Card,5.00-,USD\n"
        "NW-4,Card,5.00,USD\n",
        "NW-1 rejected; NW-2 rejected; NW-3 rejected; NW-4 5",
    ),
    File(
        "mixed",
        'MPN;Bezeichnung;Preis;Währung\nNW-1;Karte;1.234,50;EUR\nNW-2;Karte;"1,234.50";EUR\n',
        "NW-1 held; NW-2 held",
        asks="number_style",
    ),
    File(
        "cur_cells",
        "MPN;Bezeichnung;Preis\nNW-1;Karte;€ 1.234,50\nNW-2;Karte;CHF 1.300,00\nNW-3;Karte;$ 1.400,00\n",
        "NW-1 1234.5; NW-2 1300; NW-3 1400",
    ),
    File(
        "cur_conflict",
        "MPN;Bezeichnung;Preis;Währung\nNW-1;Karte;$ 1.234,50;EUR\n",
        "NW-1 rejected",
    ),
    File(
        "ve",
        "MPN;Bezeichnung;VE;Preis je VE;Währung\nTK-1;Kabelbinder;100;12,50;EUR\n",
        "TK-1 0.125",
    ),
    File(
        "per_100_hdr",
        "MPN;Bezeichnung;Preis pro 100 Stk.;Währung\nTK-1;Kabelbinder;12,50;EUR\n",
        "TK-1 0.125",
    ),
    File(
        "per_C",
        "MPN,Description,UOM,Price,Currency\n"
        "TK-1,Cable tie,C,12.50,USD\n"
        "TK-2,Screw,M,3.99,USD\n"
        "TK-3,Card,EA,100.00,USD\n",
        "TK-1 held; TK-2 held; TK-3 100",
    ),
    File(
        "unit_100st",
        "MPN;Bezeichnung;Einheit;Preis;Währung\nTK-1;Kabelbinder;100 St;12,50;EUR\nTK-2;Kabel;Stück;3,00;EUR\n",
        "TK-1 0.125; TK-2 3",
    ),
    File(
        "us_feed_hash",
        "#Customer: 123456\n"
        "#Generated: 2026-11-15\n"
        "SKU\tVendor Part\tVendor\tDescription\tCost USD\tMSRP USD\tQty\tStatus\n"
        "7100001\tNW-1\tNordwerk\tGPU\t28499.00\t33990.00\t6\tA\n"
        "7100002\tNW-2\tNordwerk\tGPU 2\t6890\t7990\t0\tD\n",
        "NW-1 28499; NW-2 6890",
    ),
    File(
        "three_dec_mix",
        "MPN;Description;Price;Currency\nNW-1;Screw;0.125;USD\nNW-2;Cable;12.500;USD\n",
        "NW-1 0.125; NW-2 12.5",
    ),
    File(
        "quote_valid_pre",
        "Quote #Q-2026-1123\n"
        "Prepared for: Example Corp\n"
        "Date: 11/15/2026\n"
        "Valid until: 12/31/2026\n"
        "All prices in USD, excluding sales tax\n"
        "\n"
        "Line,Mfr Part #,Description,Qty,Unit Price,Ext. Price\n"
        '1,NW-1,GPU 80GB,8,"$28,499.00","$227,992.00"\n'
        '2,NW-2,Chassis,1,"$12,500.00","$12,500.00"\n'
        ',,,,Subtotal,"$240,492.00"\n'
        ',,,,Tax (8.25%),"$19,840.59"\n'
        ",,,,Shipping,$0.00\n"
        ',,,,Total,"$260,332.59"\n'
        "Thank you for your business!\n",
        "NW-1 28499; NW-2 12500",
    ),
    File(
        "unquoted_comma_dec",
        "MPN,Bezeichnung,Preis,Währung\nNW-1,Karte,1234,50,EUR\nNW-2,Kabel,12,75,EUR\n",
        "NW-1 rejected; NW-2 rejected",
    ),
    File(
        "extra_delim_in_desc",
        "MPN;Bezeichnung;Preis;Währung\nNW-1;Karte;passiv;1.234,50;EUR\nNW-2;Kabel;12,00;EUR\n",
        "NW-1 rejected; NW-2 12",
    ),
    File(
        "swiss_dash",
        "Art.-Nr.;Bezeichnung;Preis CHF\nNW-1;Karte;26’890.-\nNW-2;Kabel;–.95\nNW-3;Netzteil;1’250.--\n",
        "NW-1 26890; NW-2 0.95; NW-3 1250",
    ),
    File(
        "austria",
        "Art.Nr.;Bezeichnung;Preis/Stk.;Lieferstatus\n"
        "NW-1;Karte;€ 28.499,-;lagernd\n"
        "NW-2;Kabel;€ 0,89;Lieferzeit 3-5 Werktage\n",
        "NW-1 28499; NW-2 0.89",
    ),
    File(
        "slash_price",
        "MPN;Bezeichnung;Preis;Währung\n"
        "NW-1;Karte;12,50/Stk;EUR\n"
        "NW-2;Kabel;12,50 EUR/St.;EUR\n"
        "NW-3;K;ab 99,00;EUR\n"
        "NW-4;K;ca. 99,00;EUR\n"
        "NW-5;K;99,00*;EUR\n"
        "NW-6;K;99,00 netto;EUR\n"
        "NW-7;K;zzgl. 99,00;EUR\n"
        "NW-8;K;99,00 - 120,00;EUR\n"
        "NW-9;K;12,50 / 100 Stk;EUR\n",
        "NW-1 12.5; NW-2 12.5; NW-3 rejected; NW-4 rejected; NW-5 rejected; NW-6 99; NW-7 rejected; NW-8 rejected; "
        "NW-9 rejected",
    ),
    File(
        "old_new_en",
        "MPN,Description,Previous Price,New Price,Effective Date,Currency\nNW-1,Card,120.00,100.00,2026-12-01,USD\n",
        "NW-1 100",
    ),
    File(
        "min_order",
        "MPN;Bezeichnung;Mindestmenge;VPE;Preis;Währung\nTK-1;Kabel;10;5;1.234,50;EUR\nTK-2;Kabel;1.000;100;0,25;EUR\n",
        "TK-1 1234.5; TK-2 0.25",
    ),
    File(
        "stock_amb",
        "MPN,Description,Price,Stock,Currency\n"
        'NW-1,Card,100.50,"1,250",USD\n'
        "NW-2,Card,1.25,12+,USD\n"
        "NW-3,C,1.50,>100,USD\n"
        "NW-4,C,1.75,In Stock,USD\n"
        "NW-5,C,1.95,yes,USD\n"
        "NW-6,C,1.99,0,USD\n",
        "NW-1 100.5; NW-2 1.25; NW-3 1.5; NW-4 1.75; NW-5 1.95; NW-6 1.99",
    ),
    File(
        "tilde_pos",
        "9000001~HDR~20261115~0600~EUR\n"
        "9000001~DTL~NW-1~I~710~A~GPU~NORDWERK~41~1~0~0~28499.5~33990.00~1~N~0\n"
        "9000001~DTL~NW-2~I~711~A~GPU~NORDWERK~41~0~0~0~~7990.00~0~Y~0\n"
        "9000001~DTL~NW-3~I~712~A~GPU 3~NORDWERK~41~0~0~0~TBD~7990.00~0~Y~0\n"
        "9000001~TRL~3\n",
        "NW-1 28499.5; NW-2 held; NW-3 held",
    ),
    File(
        "million",
        "MPN;Bezeichnung;Preis;Währung\nNW-1;Rack;3.250.000;EUR\nNW-2;Rack;1.100;EUR\n",
        "NW-1 3250000; NW-2 1100",
    ),
    File(
        "numbered_pairs",
        "MPN,Manufacturer,Price Break 1,Unit Price 1,Price Break 2,Unit Price 2,Currency\n"
        "NW-1,Nordwerk,1,12.50,10,11.90,USD\nNW-2,Nordwerk,5,219.00,50,199.00,USD\nNW-3,Nordwerk,1,7.10,,,USD\n",
        "NW-1 12.5; NW-2 219; NW-3 7.1",
    ),
    File(
        "credits",
        "Herstellernr;Art;Bezeichnung;Preis EUR\nNW-1;Artikel;Karte;1.234,50\nNW-1;Gutschrift;Karte;100,00\n"
        "NW-2;;Gutschrift Karte;50,00\nNW-3;Fracht;Versand;15,00\nNW-4;;Karte;-20,00\nNW-5;;Karte;20,00-\n",
        "NW-1 1234.5; NW-1 rejected; NW-2 rejected; NW-3 rejected; NW-4 rejected; NW-5 rejected",
    ),
    File(
        "no_currency",
        "MPN;Preis;Währung\nNW-1;1,50;XXX\nNW-2;2,50;ABC\nNW-3;3,50;US$\nNW-4;4,50;DM\nNW-5;5,50;€\n",
        "NW-1 rejected; NW-2 rejected; NW-3 3.5; NW-4 rejected; NW-5 5.5",
    ),
    File(
        "unit_is_a_number",
        "MPN;Preis EUR;ME;Gültig bis\nNW-1;12,50;1000;\nNW-2;12,50;ST;2027/06/07\nNW-3;12,50;100 Stk.;\n",
        "NW-1 held; NW-2 12.5; NW-3 0.125",
    ),
    File(
        "two_styles_in_a_column",
        "MPN;Preis EUR\nNW-1;1.234,50\nNW-2;1,234.50\nNW-3;45.000\n",
        "NW-1 held; NW-2 held; NW-3 held",
        asks="number_style",
    ),
    File(
        "a_style_for_each_column",
        "MPN;EK EUR;Gewicht kg;UVP EUR\nNW-1;1.234,50;12.5;1,999.00\nNW-2;45,90;0.8;59.00\n",
        "NW-1 1234.5; NW-2 45.9",
    ),
)
