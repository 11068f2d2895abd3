"""Words that decide what a supplier's description is about, in German and English."""

import re

VENDOR_WORDS = frozenset({
    "nvidia", "pny", "amd", "intel", "tesla", "quadro", "geforce", "instinct", "radeon", "habana", "gaudi", "hpe",
    "dell", "lenovo", "thinksystem", "cisco", "supermicro", "leadtek", "asus", "gigabyte", "msi", "zotac", "palit",
    "gainward", "inno3d", "asrock", "sapphire", "powercolor", "xfx", "qualcomm", "hailo", "axelera", "jetson",
    "arc",
})  # fmt: skip
GPU_WORDS = frozenset({
    "gpu", "grafikkarte", "grafikkarten", "graphics", "grafik", "accelerator", "beschleuniger", "tensor",
    "tensorcore", "vga", "rechenbeschleuniger", "computing", "card", "karte", "tesla", "videocard", "hbm2", "hbm2e",
    "hbm3", "hbm3e", "gddr6", "gddr6x", "gddr7", "cuda", "modul", "module", "grafikprozessor", "rechenkarte",
    "videokarte", "oam",
})  # fmt: skip
ARCHITECTURES = frozenset({"hopper", "ada", "ampere", "blackwell", "turing", "volta", "cdna3", "cdna4", "cdna2"})
QUALIFIERS = frozenset({"nvl", "sff", "ultra", "cpx", "nano", "nx", "agx", "thor"})
TRAILING_WORDS = frozenset({"nvl", "sff", "ultra", "cpx"})  # may stand apart from the model
MODEL_STOP_WORDS = frozenset({"geforce", "instinct", "data", "center", "gpu", "cloud", "jetson", "radeon", "aipu"})
# A word behind a model that makes it another product: RTX 4090 D, A100 X, RTX 4070 Ti.
OTHER_PRODUCT_ENDINGS = frozenset(
    {"d", "ti", "super", "laptop", "mobile", "notebook", "x", "cnx", "dd", "v2", "g", "us"}
)
_GOODS = r"(?:graphics|grafik\w*|gpu|vga|cards?|karten?|accelerators?|beschleuniger|edition)"
NOT_A_CARD = re.compile(
    r"\b(?:kabel\w*|cables?|\w*kabel(?:satz)?|cord|bridge|br(?:ü|ue)cke|\w*bracket\w*|halterung|halter|\w+halter|riser\w*"
    r"|heatsinks?|k(?:ü|ue)hlk(?:ö|oe)rper|(?<!passiver )(?<!passivem )(?<!aktiver )k(?:ü|ue)hler|(?<!passive )coolers?"
    r"|wasserk(?:ü|ue)hl\w*|water ?block|cold ?plate|backplate"
    r"|lizenz\w*|licen[cs]es?|licen[cs]ing|subscription|abonnement|abo|software|ai enterprise|vgpu|vpc|vws|vapps|vcs"
    r"|support\w*|care ?pack|foundation care|tech care|wartung\w*|service\w*|nbd|next business day|montage\w*"
    r"|(?:extended|extension|upgrade) (?:warranty|garantie)"
    r"|(?:warranty|garantie) ?(?:extension|upgrade|erweiterung|verl(?:ä|ae)ngerung)"
    r"|garantie(?:verl(?:ä|ae)ngerung|erweiterung)"
    r"|enablement|installation|einbausatz|mounting|luftleitblech|air ?duct|shroud|blende|blank|filler|dummy|tray|cage"
    r"|bundle|kombi|combo|set|paket|notebooks?|laptops?|gpu ?servers?|systeme?|mini ?pc|nuc"
    rf"|(?<!for )(?<!für )servers?(?! {_GOODS})|workstations?(?! {_GOODS})|desktops?(?! {_GOODS})"
    r"|egpu|geh(?:ä|ae)use|chassis|enclosure|dock|barebone|mainboard|motherboard|baseboard"
    r"|nvswitch|appliance|cluster|dgx"
    r"|(?<!for )(?<!für )(?<!fuer )(?<!hpe )(?:thinkstation|thinkpad|thinkcentre|thinkagile|zbook|elitebook|precision"
    r"|latitude|optiplex|proliant|poweredge|primergy(?! py)|celsius|esprimo|legion|superserver|raider|razer"
    r"|rog zephyrus|thinksystem s[a-z]\d+\w*|z[2468] (?:g\d+|mini|fury|tower|sff)|nas)"
    r"|tower|verpackung|leerkarton|packaging|vergleich|compared|thermal (?:option )?kit|option kit"
    r"|netzteil\w*|power supply|psu|transceiver"
    r"|(?<!computing )(?<!graphics )(?<!gpu )processor"
    r"|cpu|prozessor|ram|rdimm|dimm|memory kit|ssd|hdd|nvme"
    r"|switch|training|schulung|consulting|demo|evaluation|leasing|miete|rental|hour|stunde|month"
    r"|(?:dev|developer|starter|entwickler) ?kit|carrier|poster|mousepad|mauspad|t ?shirt|handbuch|manual"
    r"|fan (?:kit|module)|raspberry|ai hat|cav[io]|c(?:â|a)bles?|staff[ae]|licenz[ae]|xeon|epyc|threadripper|ryzen"
    r"|beistellung|kundeneigentum|anzahlung|deposit|leih\w*|loan|trade ?in|inzahlungnahme|rma|rabatt|rebate|gutschrift"
    r"|r(?:ü|ue)cknahme|\w*geb(?:ü|ue)hr|datenblatt|data ?sheet|\w*st(?:ü|ue)tze|st(?:ä|ae)nder|anti ?sag"
    r"|w(?:ä|ae)rmeleit\w*|thermal (?:pad|paste|grizzly)|seminar|ersatz\w+"
    r"|l(?:ü|ue)fter(?!los)\w*|(?<!graphics )(?<!video )adapter\w*|screws?|schrauben|label|sticker|case|bag"
    r"|(?:power|strom) ?\w*kit|kit (?:for|f(?:ü|ue)r))\b"
    r"|^(?:\d+ ?(?:y\w*|jahre?n?|years?|monate?|months?|m|j) )?(?:\w+ )?(?:warranty|garantie|support|wartung)\b"
)
_ACCESSORY = r"(?:\S*brackets?|\S*blenden?|montage\S*|\S*halter\S*|\S*kabel|\S*cables?|\S*adapters?|schrauben|screws)"
WITH_ACCESSORY = re.compile(
    rf"\b(?:incl|inkl|including|inklusive|with|mit|w|both)\b(?: [a-z0-9äöü]+){{0,6}}? {_ACCESSORY}\b.*$"
)
FOR_A_SYSTEM = re.compile(
    r"\b(?:for|für|fuer|from|aus|ex)\b(?: \S+){0,4}? (?:servers?|workstations?|poweredge|proliant|primergy|thinksystem"
    r"|thinkstation|precision|superserver|dgx\S*|chassis|nas)\b"
)
OR_ANOTHER = re.compile(
    r"\b(?:oder|or|ou) (?:vergleichbar\w*|gleichwertig\w*|(?:ä|ae)hnlich\w*|equivalent\w*|similar)\b"
)
# Words of data sheets that say nothing about which product a line is.
SPEC_WORDS = frozenset({
    "acceleration", "active", "aktiv", "blackwell", "blower", "brown", "bulk", "bundle", "carte", "cec", "center",
    "computational", "cooled", "cooling", "core", "cores", "corporation", "cusinstall", "cuskit", "customer",
    "datacenter", "displayport", "double", "dpus", "dual", "ecc", "edition", "express", "factor", "fanless", "fhfl",
    "fluid", "form", "founders", "full", "gaming", "gebraucht", "gen4", "gen5", "generation", "getestet", "grade",
    "grafica", "grafikkarte", "graphique", "half", "hdmi", "height", "hhhl", "hopper", "incl", "including",
    "inference", "inkl", "install", "length", "liquid", "low", "maxq", "memory", "mini", "montagematerial", "neuware",
    "new", "nonccec", "noncec", "nvidia", "oem", "package", "passiv", "passive", "passiver", "passives", "pcie",
    "port", "ports", "profile", "pulled", "quad", "refurb", "refurbished", "retail", "rtx", "scheda", "server",
    "serveredition", "single", "slot", "slots", "smallbox", "socket", "speicher", "superchip", "tdp", "technologies",
    "tensor", "tested", "tray", "triple", "turbo", "used", "video", "videokaart", "watt", "watts", "white", "wide",
    "width", "with", "workstation", "workstationedition",
})  # fmt: skip
