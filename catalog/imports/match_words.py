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
_GOODS = r"(?:graphics|grafik\w*|gpu|vga|cards?|karten?|accelerators?|beschleuniger|edition|options?)"
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
    r"|bundle|kombi|combo|set|paket|notebooks?|laptops?|gpu ?servers?|systeme?(?! on)|mini ?pc|nuc"
    rf"|(?<!for )(?<!für )servers?(?! {_GOODS})|workstations?(?! {_GOODS})|desktops?(?! {_GOODS})"
    r"|egpu|geh(?:ä|ae)use|chassis|enclosure|dock|barebone|mainboard|motherboard|baseboard"
    r"|nvswitch|appliance|cluster|dgx"
    r"|(?<!for )(?<!für )(?<!fuer )(?<!hpe )(?:thinkstation|thinkpad|thinkcentre|thinkagile|zbook|elitebook|precision"
    r"|latitude|optiplex|proliant|poweredge|primergy(?! py)|celsius|esprimo|legion|superserver|raider|razer"
    r"|rog zephyrus|thinksystem s[a-z]\d+\w*|z[2468] (?:g\d+|mini|fury|tower|sff)|nas)"
    r"|tower|verpackung|leerkarton|packaging|vergleich|compared|thermal (?:option )?kit|option kit"
    r"|netzteil\w*|power supply|psu|transceiver"
    r"|(?<!computing )(?<!graphics )(?<!gpu )processor"
    r"|cpu|(?<!computing )prozessor|ram|rdimm|dimm|memory kit|ssd|hdd|nvme"
    r"|switch|training|schulung|consulting|demo|evaluation|leasing|miete|rental|hour|stunde|month"
    r"|(?:dev|developer|starter|entwickler) ?kit|carrier|poster|mousepad|mauspad|t ?shirt|handbuch|manual"
    r"|fan (?:kit|module)|raspberry|ai hat|cav[io]|cables?|staff[ae]|licenz[ae]|xeon|epyc|threadripper|ryzen"
    r"|beistellung|kundeneigentum|anzahlung|deposit|leih\w*|loan|trade ?in|inzahlungnahme|rma|rabatt|rebate|gutschrift"
    r"|r(?:ü|ue)cknahme|\w*geb(?:ü|ue)hr|datenblatt|data ?sheet|\w*st(?:ü|ue)tze|st(?:ä|ae)nder|anti ?sag"
    r"|w(?:ä|ae)rmeleit\w*|thermal (?:pad|paste|grizzly)|seminar|ersatz\w+"
    r"|l(?:ü|ue)fter(?!los)\w*|(?<!graphics )(?<!video )adapter\w*|screws?|schrauben|label|sticker|case|bag"
    r"|(?:power|pwr|strom) ?\w*kit|kit (?:for|f(?:ü|ue)r)"
    r"|(?:express )?swap|versand\w*|transport\w*|\w*versicherung|teststellung|poc|einbau\w*|\w*pauschale|supt"
    r"|plenum|verkabelung|verl(?:ä|ae)ngerung|cord|maintenance|renewal|upg|upgrades?|konfiguration|config(?:uration)?"
    r"|mietkauf|ausbau|reparatur|repair|entsorgung|pro ?care|luftf(?:ü|ue)hrung|\w*rahmen"
    r"|(?:gaming|breakaway|expansion|gpu|graphics|docking) box"
    r"|(?<!triple )(?<!dual )(?<!single )(?<!blower )(?<!\d )fans?"
    r"|(?:halte)?winkel|(?:gaming|rack|komplett|business) ?pc|(?:aktivierungs|activation) ?(?:kit|satz)"
    r"|cbls?|brkts?|bkts?|brdg|hsk|htsk|lics?|liz|subs?|subscr|nvaie\w*|omniverse|run ai|baffle|retainer|\w*blech"
    r"|(?:gpu|water|fc|vga) block|gpu wb|eisblock|spare fan|fan ass(?:y|embly)|einbau|devkits?|quadro sync"
    r"|(?:wty|wrty|war|warr) ?ext\w*|ext\w* (?:\d+ ?y\w* )?(?:wty|wrty|war|warr)|garantieerw\w*|gar(?:antie)? ?erw"
    r"|(?<![a-z])ddr[345]\w*|(?:win(?:dows)? ?1[01]|w1[01])(?:p|pro|h|home)?|i[3579] ?\d{0,5}k?f?|u[579] \d{3}\w*)\b"
    r"|(?<![\d.,])\d{1,2} ?tb\b(?! s\b)"
    r"|^(?:\d+ ?(?:y\w*|jahre?n?|years?|monate?|months?|m|j) )?(?:\w+ )?(?:warranty|garantie|support|wartung)\b"
)
_ACCESSORY = (
    r"(?:\S*brackets?|b(?:r)?kts?|\S*blenden?|montage\S*|\S*halter\S*|\S*kabel|\S*cables?|\S*adapters?"
    r"|schrauben|screws)"
)
_INCLUDED = r"(?:included|inklusive|inkl|beiliegend|vormontiert|enthalten|installed|im lieferumfang)"
WITH_ACCESSORY = re.compile(
    rf"\b(?:incl|inkl|including|inklusive|with|mit|w|both)\b(?: [a-z0-9äöü]+){{0,6}}? {_ACCESSORY}\b.*$"
    rf"|\b(?:\w+ )?{_ACCESSORY} {_INCLUDED}\b.*$"
)
FOR_A_SYSTEM = re.compile(
    r"\b(?:for|für|fuer|from|aus|ex)\b(?: \S+){0,4}? (?:servers?|workstations?|poweredge|proliant|primergy|thinksystem"
    r"|thinkstation|precision|superserver|dgx\S*|chassis|nas)\b"
)
OR_ANOTHER = re.compile(
    r"\b(?:oder|or|ou) (?:vergleichbar\w*|gleichwertig\w*|(?:ä|ae)hnlich\w*|equivalent\w*|similar)\b"
)
# Words of data sheets and price lists that say nothing about which product a line is.
SPEC_WORDS = frozenset({
    "abverkauf", "acc", "accel", "accelerateur", "acceleration", "acceleratore", "active", "actively", "adapter",
    "adptr", "aipu", "air", "aktion", "aktiv", "aktive", "aktiver", "aktivkühlung", "allocation", "also", "and",
    "angebot", "anschluss", "anschlüsse", "apu", "architecture", "architektur", "art", "artificial", "artikel", "ato",
    "atx", "ausgänge", "auslauf", "auslaufartikel", "ausstellungsstück", "avec", "axial", "bare", "based", "basic",
    "bauform", "bauhöhe", "bauweise", "beiliegend", "beiliegende", "belegt", "bit", "blackwell", "blende", "blower",
    "boost", "both", "boxed", "bracket", "brackets", "breit", "breite", "breitem", "bring", "brown", "bto", "bulk",
    "bulkware", "bundle", "bus", "calcul", "capacity", "carte", "cec", "center", "certified", "clock", "clocked",
    "cloud", "cmpt", "commercial", "comp", "compact", "compatible", "compliant", "computational", "compute",
    "computing", "connect", "consumer", "consumption", "cooled", "cooler", "cooling", "core", "cores", "corporation",
    "cto", "cudacores", "cudakerne", "cus", "cusinstall", "cuskit", "customer", "dach", "data", "datacenter",
    "datencenter", "datenzentrum", "dbl", "dblwide", "dcg", "deep", "demoware", "dff", "dgpu", "dgx", "dimension",
    "displayport", "displayports", "dlss", "doppelbreit", "doppelbreite", "doppelslot", "doppelt", "doppelte",
    "double", "doublewide", "dport", "dpu", "dpus", "dual", "dualslot", "dvi", "ean", "ecc", "edge", "edition", "eek",
    "einfachbreit", "einzeln", "embedded", "emea", "end", "energieeffizient", "energy", "entry", "eol", "essential",
    "eta", "express", "extended", "fach", "factor", "factory", "fan", "fanless", "fans", "fhdw", "fhfl", "fhhl",
    "fhsw", "fio", "fluid", "flüssigkeitsgekühlt", "flüssigkühlung", "for", "form", "founders", "fpga", "from", "fru",
    "fts", "ftsv", "fuer", "fujitsu", "full", "fullheight", "fulllength", "funktionsfähig", "fusionserver", "für",
    "gaming", "ganze", "garantia", "garantie", "garanzia", "gddr", "gebraucht", "gebrauchtware", "gekuehlt", "gekühlt",
    "gen", "gen4", "gen5", "genai", "generalueberholt", "generalüberholt", "generation", "geprueft", "geprüft",
    "getestet", "gewaehrleistung", "gewährleistung", "gfx", "ghs", "ghz", "gpgpu", "gpus", "grade", "grafica",
    "grafikbeschleuniger", "grafikkarte", "grafische", "graka", "graphique", "grfx", "halbe", "half", "halfheight",
    "halflength", "hbm", "hdcp", "hdmi", "height", "hersteller", "herstellergarantie", "hhhl", "hhsw", "high",
    "hitachi", "hoehe", "hopper", "hpc", "huawei", "höhe", "ibm", "incl", "including", "inference", "inferenz",
    "ingram", "inkl", "inspur", "install", "intelligence", "intelligenz", "iov", "iss", "jahr", "jahre", "kaart",
    "kaltgerät", "kapazität", "karton", "kerne", "kernen", "key", "kit", "kleinbox", "kommerziell", "kompakt",
    "kompatibel", "kuehlung", "kurz", "kühler", "kühlung", "künstliche", "lager", "lagerabverkauf", "lagerware",
    "lang", "learning", "led", "leistung", "leistungsaufnahme", "len", "length", "lfgpu", "lhr", "lieferbar", "life",
    "liquid", "lite", "lovelace", "low", "lowprofile", "lpddr", "lpsw", "lueftenlos", "lueftertlos", "luftgekühlt",
    "lüfterlos", "machine", "marke", "max", "maxq", "mdp", "mem", "memoire", "memoria", "memory", "mezzanine", "mhz",
    "mig", "min", "mini", "minidp", "mit", "module", "modules", "mon", "monat", "monate", "montagematerial", "months",
    "mpn", "mwst", "ncnr", "neu", "neuheit", "neuware", "neuwertig", "new", "nib", "nob", "non", "nonccec", "noncec",
    "nur", "nvd", "nvdec", "nvenc", "nvidia", "nvl", "nvlink", "oem", "ohne", "only", "open", "option", "original",
    "originalverpackt", "output", "outputs", "ovp", "package", "pas", "pass", "passiv", "passiva", "passive",
    "passively", "passivem", "passivement", "passiver", "passives", "passivkühlung", "pasv", "pca", "pci", "pcie",
    "pcle", "pcs", "peg", "piece", "pin", "pins", "plan", "plancp", "port", "ports", "poweredge", "primergy", "pro",
    "processeur", "processor", "production", "professional", "profi", "profil", "profile", "projektpreis", "proliant",
    "promo", "psv", "pull", "pulled", "pulls", "qty", "quad", "quantity", "rate", "reach", "ready", "recertified",
    "rechenprozessor", "rechenzentrum", "refurb", "refurbished", "reman", "remanufactured", "remarketed", "render",
    "rendering", "renew", "renewed", "restposten", "retail", "retailbox", "rezertifiziert", "rfb", "rgb", "rmkt",
    "rohs", "rtl", "rtx", "sale", "scheda", "schede", "sealed", "serie", "series", "server", "serveredition", "sgl",
    "sgpu", "shader", "single", "singleslot", "singlewide", "sku", "slot", "slots", "small", "smallbox", "smc", "smci",
    "soc", "socket", "sodimm", "sofort", "som", "sonderposten", "sonderpreis", "spare", "spec", "specs", "speicher",
    "speicherkapazität", "sps", "stk", "stock", "streamprozessoren", "stromverbrauch", "stueck", "stück", "sugon",
    "superchip", "supermicro", "sxm", "sys", "system", "systempull", "taa", "takt", "taktfrequenz", "tarjeta", "tbp",
    "tdp", "tech", "technologies", "temp", "temperature", "tensor", "tensorkerne", "tested", "tflops", "tgp", "top",
    "tops", "training", "tray", "triple", "turbo", "typ", "type", "typec", "ubb", "ucs", "ucsc", "ucsx", "unbenutzt",
    "unboxed", "und", "ungeöffnet", "usb", "used", "verbrauch", "verfügbar", "verpackt", "version", "vesa", "video",
    "videokaart", "videokarten", "virtualisierung", "virtualization", "volle", "voller", "vormontiert", "vram", "ware",
    "warranty", "wassergekühlt", "watt", "watts", "white", "wide", "width", "with", "working", "works", "workstation",
    "workstationedition", "wrty", "wty", "xenon", "xfusion", "year", "years", "yrs", "zzgl",
})  # fmt: skip
# Board makers and the names that they give their cards of one chip.
BOARD_SERIES = frozenset({
    "accord", "acer", "advanced", "aero", "aerox", "afox", "airo", "amp", "aorus", "argb", "astral", "battleax",
    "bifrost", "biostar", "black", "btf", "challenger", "click", "colorful", "creator", "devil", "duke", "eagle",
    "elf", "elite", "elsa", "emtek", "epic", "eva", "evga", "evo", "expert", "extreme", "fighter", "frostbite", "galax",
    "gallardo", "gamer", "gamerock", "gamingpro", "ghost", "gunnir", "heatstorm", "hellhound", "hellstone", "hof",
    "holo", "hurricane", "ice", "ichill", "icraft", "igame", "infinity", "innod", "inspire", "jetstream", "kfa",
    "kudan", "legend", "lightning", "loki", "magic", "manli", "master", "matrix", "matrox", "maxsun", "merc",
    "mercury", "milestone", "nebula", "neptune", "nitro", "noctua", "omniblack", "onda", "onix", "orc", "overclocked",
    "panther", "pegasus", "phantom", "phoenix", "platinum", "polar", "predator", "prime", "proart", "pulse", "pure",
    "python", "qick", "quicksilver", "reaper", "red", "revel", "roc", "rog", "schwarz", "serious", "shadow", "slim",
    "solid", "sparkle", "spatium", "speedster", "starlight", "stealth", "steel", "stellar", "stormx", "strix",
    "supreme", "suprim", "swift", "taichi", "terminator", "titan", "trinity", "trio", "tuf", "twin", "uprising",
    "vanguard", "vastarmor", "ventus", "verto", "vision", "vulcan", "waterforce", "weiß", "windforce", "winfast",
    "xtreme", "yeston",
})  # fmt: skip
