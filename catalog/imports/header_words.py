"""Header words of price files by the role they name, normalised; an earlier role wins where two claim a word."""

import re

WORDS: dict[str, tuple[str, ...]] = {
    "mpn": (
        "herstellercode", "herstellerteilenummer", "herstellerartnr", "hersteller sku", "hersteller code",
        "typenbezeichnung", "typ nr", "vendor sku", "vendor item", "modellnummer", "model no", "model nr",
        "vpn", "mfr no", "mfr number", "mfg no", "mfg number", "manuf part no", "manuf part number",
        "manufacturer p n", "mfr p n", "oem nr", "oem nummer",
        "mpn", "herstellernr", "herstellernummer", "hersteller nr", "hersteller nummer", "hersteller artikelnummer",
        "hersteller art nr", "herstellerartikelnummer", "hersteller teilenummer", "herst nr", "herst teilenr",
        "herst artnr", "herst art nr", "hst nr", "hst artnr", "hersteller artikelnr", "hersteller artnr",
        "manufacturer part number", "manufacturer part no", "manufacturer part", "mfr part number", "mfr part no",
        "mfr part", "mfr pn", "mfg part number", "mfg part no", "mfg part", "mfg pn", "mfpn", "mpn herstellernummer",
        "vendor part number", "vendor part no", "vendor pn", "manufacturer number", "manufacturers number",
        "oem part number", "oem pn", "model number", "part nr hersteller", "manufacturer sku", "mfr sku",
        "teilenummer hersteller", "part code", "vendor part", "vendor p n", "vendor part num", "vendor part nbr",
        "mfr part num", "manufacturer part num", "mfg part num", "mfr model", "mfg model", "mfr item",
        "reference fabricant", "ref fabricant", "reference constructeur", "ref constructeur", "fabrikantcode",
        "artikelnummer fabrikant", "fabrikant artikelnummer", "codice produttore", "cod produttore",
    ),
    "sku": (
        "unsere art nr", "unsere artnr", "interne artikelnummer", "interne nummer", "artikel id", "dist sku",
        "supplier item", "matnr", "mat nr", "katalognummer", "catalog number", "catalogue number", "cat no",
        "artikelnummer", "artikelnr", "artikel nr", "art nr", "artnr", "artikel no", "artikel", "art no",
        "item number", "item no", "item nr", "item", "sku", "part number", "part no", "part nr", "partnumber", "part",
        "pn", "p n", "product number", "product code", "product no", "teilenummer", "teile nr", "teilenr",
        "bestellnummer", "bestellnr", "bestell nr", "order number", "order code", "order no", "supplier part number",
        "supplier sku", "distributor sku", "lieferantennummer", "lieferanten nr", "lieferanten artikelnummer",
        "lief artnr", "ihre artikelnummer", "unsere artikelnummer", "materialnummer", "material", "material number",
        "produktnummer", "produktcode", "artikelcode", "stock number", "stock code", "id", "internal number",
        "artikel nummer", "reference", "ref", "ref article", "reference article", "code article", "bestelnummer",
        "artikelnr leverancier", "codice", "codice articolo", "articolo",
    ),
    "manufacturer": (
        "herstellerbezeichnung", "herst name", "produzent", "lieferhersteller", "hersteller marke", "marke hersteller",
        "hersteller", "herst", "marke", "brand", "manufacturer", "mfr", "mfg", "maker", "vendor", "oem", "fabrikat",
        "herstellername", "hst", "manufacturer name", "vendor name", "brand name", "fabricant", "marque",
        "constructeur", "fabrikant", "merk", "produttore", "marca",
    ),
    "supplier": (
        "supplier", "lieferant", "distributor", "distri", "haendler", "bezugsquelle", "anbieter", "source",
    ),
    "gtin": (
        "ean", "gtin", "ean code", "upc", "barcode", "ean gtin", "ean nr", "gtin ean", "ean13",
    ),
    "description": (
        "descr", "benennung", "artikelbez", "bez", "bezeichnung 1", "artikelbezeichnung 1", "bezeichnung1",
        "description 1", "beschreibung 1", "produkttext", "kurzbeschreibung", "item name", "item desc", "details",
        "artikeltext 1", "warenbezeichnung",
        "bezeichnung", "beschreibung", "description", "artikelbezeichnung", "produkt", "product",
        "produktbezeichnung", "name", "artikelname", "text", "kurztext", "langtext", "title", "titel", "product name",
        "produktname", "item description", "product description", "artikeltext", "desc", "kurzbezeichnung",
        "long description", "short description", "produktbeschreibung", "model", "modell", "artikelbeschreibung",
        "ware", "designation", "libelle", "omschrijving", "productomschrijving", "artikelomschrijving", "descrizione",
    ),
    "list": (
        "retail", "retail price", "evp", "evp netto", "evp brutto", "uvpe", "listen vk", "listprice", "prix public",
        "prix catalogue", "prix tarif", "adviesprijs", "prezzo di listino", "bruto prijs", "brutoprijs",
        "brutto vk", "endverbraucherpreis", "list price each", "unit list", "list price net", "preisempfehlung",
        "uvp", "listenpreis", "list price", "list", "msrp", "rrp", "uvp netto", "vk", "vk netto", "uvp brutto",
        "katalogpreis", "listpreis", "list price usd", "srp", "brutto listenpreis", "empf vk", "empfohlener vk",
        "endkundenpreis", "bruttopreis", "listenpreis netto", "list unit price", "msrp usd", "verkaufspreis",
        "suggested retail price", "recommended retail price",
    ),
    "ext_price": (
        "pos betrag", "positionsbetrag", "zeilensumme", "gesamtsumme", "line amount", "ext cost", "extended cost",
        "ext amount", "pos preis", "pos netto",
        "gesamtpreis", "gesamt", "ext net", "extended price", "ext price", "extended", "line total", "total price",
        "positionspreis", "summe", "betrag", "total", "amount", "gesamtbetrag", "ext", "gesamt netto", "net total",
        "extended net", "pos summe", "wert",
    ),
    "price": (
        "haendler ek", "haendlereinkaufspreis", "haek", "haendlerpreis", "dealer net", "dealer cost", "net cost",
        "reseller cost", "reseller net", "reseller buy", "buy", "ihr preis", "ihr ek", "ihr nettopreis",
        "ek preis netto", "netto ek", "netto ek preis", "nettoeinkaufspreis", "preis netto", "price net",
        "unit price excl", "nettopreis stueck", "unit buy price", "wholesale", "wholesale price", "invoice price",
        "your cost", "special cost", "bid price", "offer", "angebot", "angebotspreis netto", "einstandspreis",
        "e preis netto", "stueckpreis", "preis st",
        "preis", "ek", "ek netto", "ek preis", "einkaufspreis", "einzelpreis", "price", "unit price", "net price",
        "netto", "nettopreis", "unit net", "cost", "cost price", "your price", "reseller price", "dealer price",
        "haendlerpreis", "he k", "hek", "hek netto", "stueckpreis", "preis netto", "netto preis", "ihr preis",
        "angebotspreis", "unit cost", "net", "e preis", "ep", "contract price", "special price", "net unit price",
        "preis pro stueck", "preis stueck", "price each", "each", "offer price", "projektpreis", "aktionspreis",
        "partner price", "buy price", "purchase price", "einzelpreis netto", "unit price net", "preis eur",
        "price eur", "price usd", "preis chf", "preis je einheit", "preis je stueck", "ek eur", "distributor price",
        "preis ab", "kaufpreis", "preis pro ve", "preis je ve", "price per pack", "neuer preis", "preis neu",
        "neuer ek", "ek neu",
        "new price", "new cost", "current price", "aktueller preis", "prix", "prix net", "prix unitaire", "pu",
        "prix unitaire net", "prix achat", "prix d achat", "prijs", "nettoprijs", "stuksprijs", "inkoopprijs",
        "prijs per stuk", "eenheidsprijs", "prezzo", "prezzo netto", "prezzo unitario",
    ),
    "currency": (
        "whrg", "waehr code", "iso", "curr code", "ccy", "price currency", "preiswaehrung",
        "waehrung", "wahrung", "currency", "curr", "whg", "waehr", "cur", "currency code", "iso currency",
        "waehrungscode", "devise", "monnaie", "valuta", "munteenheid",
    ),
    "vat": (
        "preisbasis", "preisart", "steuerart", "netto brutto", "net gross", "tax basis", "price basis",
        "steuerkennzeichen",
        "mwst satz", "mwst", "ust", "ust satz", "vat", "vat rate", "steuer", "steuersatz", "tax", "tax rate",
        "mehrwertsteuer",
    ),
    "lead_time": (
        "backorder eta", "next delivery", "naechster wareneingang", "wareneingang", "lieferdatum", "delivery date",
        "ship date", "expected date", "expected", "availability date", "lieferzeit ca", "voraussichtliche lieferzeit",
        "std lead time", "standard lead time", "mfr lead time", "lieferzeit ab werk", "restock date",
        "lager lieferzeit",
        "lieferzeit", "lead time", "leadtime", "lead", "lt", "delivery time", "delivery", "wbz",
        "wiederbeschaffungszeit",
        "verfuegbarkeit", "availability", "lieferbar", "lieferstatus", "lead time weeks", "lead time days",
        "lieferzeit wochen", "lieferzeit tage", "eta", "liefertermin", "lead time wks", "avail", "lieferfrist",
        "verfuegbar ab", "lead time aro", "delivery weeks", "lieferzeit in tagen", "lieferzeit in wochen", "lz",
        "lead time in weeks", "delai", "delai de livraison", "delai livraison", "disponibilite", "levertijd",
        "leveringstermijn", "beschikbaarheid", "tempi di consegna", "consegna", "disponibilita",
    ),
    "valid_until": (
        "preisbindung bis", "angebotsende", "offer valid until", "offer expires", "price expiry", "quote expiry",
        "gilt bis", "endet", "end", "gueltig bis einschl",
        "gueltig bis", "gultig bis", "valid until", "valid to", "expires", "expiry", "ablauf", "gueltigkeit",
        "valid thru", "valid through", "expiration", "preis gueltig bis", "price valid until", "expiry date",
        "geldig tot", "valable jusqu au", "valable jusquau", "valido fino al",
        "valid till", "bis", "angebot gueltig bis", "end date", "gueltigkeitsende",
    ),
    "valid_from": (
        "gilt ab", "beginn", "start",
        "gueltig ab", "gultig ab", "valid from", "ab datum", "effective", "effective date", "preis gueltig ab",
        "start date", "von",
    ),
    "price_date": (
        "stand", "preisdatum", "price date", "datum", "date", "preisstand", "as of", "last update", "aktualisiert",
    ),
    "min_qty": (
        "abnahmemenge", "ab stk", "mindestbest", "min best", "mindestbestell menge", "min order", "qty from",
        "menge ab", "staffel ab", "tier qty", "price break qty", "minimum qty",
        "min qty", "mindestmenge", "moq", "min order qty", "minimum quantity", "ab menge", "staffel", "staffelmenge",
        "min menge", "ab stueck", "minimum order", "mindestbestellmenge", "minimum order quantity", "qty break",
        "from qty", "mindestabnahme", "quantity from", "break qty", "mbm",
    ),
    "pack": (
        "ve", "verpackungseinheit", "pack size", "pack", "packaging unit", "vpe", "pack qty", "units per pack",
        "inhalt", "packungsgroesse", "pack quantity",
    ),
    "stock": (
        "qty avail", "avail qty", "qty in stock", "in stock", "freier bestand", "lagermenge", "verf bestand",
        "verfuegbar stk", "verfuegbar stueck", "bestand stk", "lagerbest", "available stock", "stock level",
        "free stock", "qoh", "inventory",
        "bestand", "lagerbestand", "stock", "stock qty", "verfuegbare menge", "qty available", "available qty",
        "on hand", "lager", "available", "qty on hand", "stock quantity", "total quantity", "menge verfuegbar",
        "verfuegbarer bestand",
    ),
    "qty": (
        "aantal", "quantite", "qte", "quantita",
        "menge", "qty", "quantity", "anzahl", "stueck", "stk", "bestellmenge", "angebotsmenge", "pcs",
    ),
    "qty_basis": (
        "qty basis", "quantity basis", "mengenbasis", "menge je", "basis",
    ),
    "price_unit": (
        "preis per", "pe", "preiseinheit", "preis einheit",
        "price unit", "preis je", "price per", "preis pro", "preis fuer",
        "price qty", "price quantity", "preismenge", "preisbezugsmenge", "price base qty",
    ),
    "unit": (
        "mengen einheit", "vke", "verkaufseinheit", "selling unit",
        "einheit", "unit", "uom", "me", "mengeneinheit", "unit of measure", "per", "pro",
    ),
    "pos": (
        "pos", "position", "line", "line no", "lfd nr", "nr", "no", "pos nr", "posnr", "lfdnr", "line number",
        "zeile", "line item", "clin", "rang",
    ),
    "parent": (
        "parent", "uebergeordnet", "parent line", "gehoert zu", "zu pos", "vater",
    ),
    "type": (
        "type", "typ", "line type", "positionsart", "art", "positionstyp", "item type",
    ),
    "status": (
        "status", "lifecycle", "produktstatus", "artikelstatus", "zustand status",
    ),
    "condition": (
        "condition", "zustand",
    ),
    "category": (
        "kategorie", "category", "warengruppe", "produktgruppe", "group", "gruppe", "product group",
        "produktkategorie", "wgr",
    ),
    "discount": (
        "remise", "korting", "sconto", "rabatt", "discount", "nachlass", "disc", "rabatt prozent", "discount pct",
    ),
    "origin": (
        "ursprung", "ursprungsland", "origin", "country of origin", "coo", "herkunft", "herkunftsland",
    ),
    "eccn": (
        "eccn",
    ),
    "hts": (
        "hts", "zolltarifnummer", "zolltarif", "tarif", "hs code", "hts code", "commodity code", "warennummer",
        "taric", "statistische warennummer",
    ),
    "remark": (
        "bemerkung", "remark", "remarks", "notes", "note", "kommentar", "comment", "hinweis", "anmerkung",
    ),
}  # fmt: skip

# What a header names that is none of the words: the first pattern that is found in it decides.
PATTERNS = tuple(
    (role, re.compile(pattern))
    for role, pattern in (
        ("description", r"\b(?:\w*bezeichnung|\w*beschreibung|descr\w*)\b"),
        ("mpn", r"\b(?:herst\w*|mfr|mfg|manuf\w*|oem) (?:\w+ )?(?:nr|nummer|no|number|part|code|pn)\b"),
        ("mpn", r"\bvendor part\b"),
        ("valid_until", r"\b(?:gueltig|valid|preisbindung)\b.*\b(?:bis|until|till|to|thru|through)\b"),
        ("lead_time", r"\b(?:lieferzeit|lead ?time|lieferfrist|liefertermin|delivery time)\b"),
        ("ext_price", r"\b(?:gesamt\w*|positions?|ext\w*|line|total)\b.*"
                      r"\b(?:preis|price|betrag|amount|netto|net|cost)\b"),
        ("list", r"\b(?:uvp|msrp|rrp|srp|retail|listen\w*|list|katalog\w*|empf\w*|evp)\b.*"
                 r"\b(?:preis|price|vk|netto|brutto)\b"),
        ("list", r"\b(?:uvp|msrp|rrp|srp|evp)\b"),
        ("price", r"\b(?:ek|haendler\w*|einkaufs\w*|dealer|reseller|partner|netto|net|einzel\w*|unit|your|ihr)\b.*"
                  r"\b(?:preis|price|ek|cost)\b"),
    )
)  # fmt: skip
