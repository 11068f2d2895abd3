"""Header words of price files by the role they name, normalised; an earlier role wins where two claim a word."""

WORDS: dict[str, tuple[str, ...]] = {
    "mpn": (
        "mpn", "herstellernr", "herstellernummer", "hersteller nr", "hersteller nummer", "hersteller artikelnummer",
        "hersteller art nr", "herstellerartikelnummer", "hersteller teilenummer", "herst nr", "herst teilenr",
        "herst artnr", "herst art nr", "hst nr", "hst artnr", "hersteller artikelnr", "hersteller artnr",
        "manufacturer part number", "manufacturer part no", "manufacturer part", "mfr part number", "mfr part no",
        "mfr part", "mfr pn", "mfg part number", "mfg part no", "mfg part", "mfg pn", "mfpn", "mpn herstellernummer",
        "vendor part number", "vendor part no", "vendor pn", "manufacturer number", "manufacturers number",
        "oem part number", "oem pn", "model number", "part nr hersteller", "manufacturer sku", "mfr sku",
        "teilenummer hersteller", "part code",
    ),
    "sku": (
        "artikelnummer", "artikelnr", "artikel nr", "art nr", "artnr", "artikel no", "artikel", "art no",
        "item number", "item no", "item nr", "item", "sku", "part number", "part no", "part nr", "partnumber", "part",
        "pn", "p n", "product number", "product code", "product no", "teilenummer", "teile nr", "teilenr",
        "bestellnummer", "bestellnr", "bestell nr", "order number", "order code", "order no", "supplier part number",
        "supplier sku", "distributor sku", "lieferantennummer", "lieferanten nr", "lieferanten artikelnummer",
        "lief artnr", "ihre artikelnummer", "unsere artikelnummer", "materialnummer", "material", "material number",
        "produktnummer", "produktcode", "artikelcode", "stock number", "stock code", "id", "internal number",
    ),
    "manufacturer": (
        "hersteller", "herst", "marke", "brand", "manufacturer", "mfr", "mfg", "maker", "vendor", "oem", "fabrikat",
        "herstellername", "hst", "manufacturer name", "vendor name", "brand name",
    ),
    "supplier": (
        "supplier", "lieferant", "distributor", "distri", "haendler", "bezugsquelle", "anbieter", "source",
    ),
    "gtin": (
        "ean", "gtin", "ean code", "upc", "barcode", "ean gtin", "ean nr", "gtin ean", "ean13",
    ),
    "description": (
        "bezeichnung", "beschreibung", "description", "artikelbezeichnung", "produkt", "product",
        "produktbezeichnung", "name", "artikelname", "text", "kurztext", "langtext", "title", "titel", "product name",
        "produktname", "item description", "product description", "artikeltext", "desc", "kurzbezeichnung",
        "long description", "short description", "produktbeschreibung", "model", "modell", "artikelbeschreibung",
        "ware",
    ),
    "list": (
        "uvp", "listenpreis", "list price", "list", "msrp", "rrp", "uvp netto", "vk", "vk netto", "uvp brutto",
        "katalogpreis", "listpreis", "list price usd", "srp", "brutto listenpreis", "empf vk", "empfohlener vk",
        "endkundenpreis", "bruttopreis", "listenpreis netto", "list unit price", "msrp usd", "verkaufspreis",
        "suggested retail price", "recommended retail price",
    ),
    "ext_price": (
        "gesamtpreis", "gesamt", "ext net", "extended price", "ext price", "extended", "line total", "total price",
        "positionspreis", "summe", "betrag", "total", "amount", "gesamtbetrag", "ext", "gesamt netto", "net total",
        "extended net", "pos summe", "wert",
    ),
    "price": (
        "preis", "ek", "ek netto", "ek preis", "einkaufspreis", "einzelpreis", "price", "unit price", "net price",
        "netto", "nettopreis", "unit net", "cost", "cost price", "your price", "reseller price", "dealer price",
        "haendlerpreis", "he k", "hek", "hek netto", "stueckpreis", "preis netto", "netto preis", "ihr preis",
        "angebotspreis", "unit cost", "net", "e preis", "ep", "contract price", "special price", "net unit price",
        "preis pro stueck", "preis stueck", "price each", "each", "offer price", "projektpreis", "aktionspreis",
        "partner price", "buy price", "purchase price", "einzelpreis netto", "unit price net", "preis eur",
        "price eur", "price usd", "preis chf", "preis je einheit", "preis je stueck", "ek eur", "distributor price",
        "preis ab",
    ),
    "currency": (
        "waehrung", "wahrung", "currency", "curr", "whg", "waehr", "cur", "currency code", "iso currency",
        "waehrungscode",
    ),
    "vat": (
        "mwst satz", "mwst", "ust", "ust satz", "vat", "vat rate", "steuer", "steuersatz", "tax", "tax rate",
        "mehrwertsteuer",
    ),
    "lead_time": (
        "lieferzeit", "lead time", "leadtime", "lt", "delivery time", "delivery", "wiederbeschaffungszeit", "wbz",
        "verfuegbarkeit", "availability", "lieferbar", "lieferstatus", "lead time weeks", "lead time days",
        "lieferzeit wochen", "lieferzeit tage", "eta", "liefertermin", "lead time wks", "avail", "lieferfrist",
        "verfuegbar ab", "lead time aro", "delivery weeks", "lieferzeit in tagen", "lieferzeit in wochen", "lz",
        "lead time in weeks",
    ),
    "valid_until": (
        "gueltig bis", "gultig bis", "valid until", "valid to", "expires", "expiry", "ablauf", "gueltigkeit",
        "valid thru", "valid through", "expiration", "preis gueltig bis", "price valid until", "expiry date",
        "valid till", "bis", "angebot gueltig bis", "end date", "gueltigkeitsende",
    ),
    "valid_from": (
        "gueltig ab", "gultig ab", "valid from", "ab datum", "effective", "effective date", "preis gueltig ab",
        "start date", "von",
    ),
    "price_date": (
        "stand", "preisdatum", "price date", "datum", "date", "preisstand", "as of", "last update", "aktualisiert",
    ),
    "min_qty": (
        "min qty", "mindestmenge", "moq", "min order qty", "minimum quantity", "ab menge", "staffel", "staffelmenge",
        "min menge", "ab stueck", "minimum order", "mindestbestellmenge", "minimum order quantity", "qty break",
        "from qty", "mindestabnahme", "quantity from", "break qty", "mbm",
    ),
    "pack": (
        "ve", "verpackungseinheit", "pack size", "pack", "packaging unit", "vpe", "pack qty", "units per pack",
        "inhalt", "packungsgroesse", "pack quantity",
    ),
    "stock": (
        "bestand", "lagerbestand", "stock", "stock qty", "verfuegbare menge", "qty available", "available qty",
        "on hand", "lager", "available", "qty on hand", "stock quantity", "total quantity", "menge verfuegbar",
        "verfuegbarer bestand",
    ),
    "qty": (
        "menge", "qty", "quantity", "anzahl", "stueck", "stk", "bestellmenge", "angebotsmenge", "pcs",
    ),
    "qty_basis": (
        "qty basis", "quantity basis", "mengenbasis", "menge je", "basis",
    ),
    "unit": (
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
        "rabatt", "discount", "nachlass", "disc", "rabatt prozent", "discount pct",
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
