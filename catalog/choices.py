"""Choice lists of the catalogue. Values are what files, API and database carry."""

from django.db import models
from django.utils.translation import gettext_lazy as _


class Lifecycle(models.TextChoices):
    SHIPPING = "shipping", _("shipping")
    CURRENT = "current", _("current")
    ANNOUNCED = "announced", _("announced")
    LEGACY = "legacy", _("legacy")
    EOL = "eol", _("end of life")
    WITHDRAWN = "withdrawn", _("withdrawn")
    END_OF_SALE_VARIANTS = "end_of_sale_variants", _("some variants at end of sale")
    UNKNOWN = "unknown", _("unknown")


class RuleEffect(models.TextChoices):
    """What a rule of the configurator does where it is not kept."""

    ERROR = "error", _("refuses the configuration")
    WARNING = "warning", _("warns")
    VALUE = "value", _("planning figure")


class DeviceKind(models.TextChoices):
    GPU = "gpu", _("GPU")
    ASIC = "asic", _("accelerator chip")
    EDGE = "edge", _("edge module")


class ServerBasis(models.TextChoices):
    """Where the row of a server comes from."""

    CATALOGUE = "catalogue", _("vendor document or listing")
    FILING = "filing", _("seen in published benchmark filings")


class FitBasis(models.TextChoices):
    """Who says that an accelerator goes into a server."""

    LISTED = "listed", _("in the vendor's list")
    FILED = "filed", _("built and filed by a benchmark submitter")


class ComponentCategory(models.TextChoices):
    CPU = "cpu", _("processor")
    RAM = "ram", _("memory module")
    STORAGE = "storage", _("drive")
    NIC = "nic", _("network adapter")
    SWITCH = "switch", _("switch")
    TRANSCEIVER = "transceiver", _("transceiver")
    PSU = "psu", _("power supply")
    POWER_CORD = "power_cord", _("power cord")
    NVLINK_BRIDGE = "nvlink_bridge", _("NVLink bridge")
    GPU_ORDER_CODE = "gpu_order_code", _("order code of an accelerator")
    SOFTWARE = "software", _("software licence")


class PartKind(models.TextChoices):
    ACCELERATOR = "accelerator", _("accelerator")
    BASEBOARD = "baseboard", _("baseboard with several accelerators")
    PROCESSOR = "processor", _("processor")
    SERVER = "server", _("server or system")
    RAM = "ram", _("memory module")
    STORAGE = "storage", _("drive")
    NIC = "nic", _("network adapter")
    SWITCH = "switch", _("switch")
    TRANSCEIVER = "transceiver", _("transceiver")
    CABLE = "cable", _("cable")
    PSU = "psu", _("power supply")
    ACCESSORY = "accessory", _("accessory")
    SOFTWARE = "software", _("software licence")
    SERVICE = "service", _("service")
    OTHER = "other", _("other")


class Confidence(models.TextChoices):
    """How good a source is; D never decides anything."""

    A = "A", _("A: vendor document or supplier offer opened")
    B = "B", _("B: review, filing or shop page")
    C = "C", _("C: secondary or press source only")
    D = "D", _("D: weak or unverified")


class DateKind(models.TextChoices):
    PUBLISHED = "published", _("published")
    UPDATED = "updated", _("updated")
    OBSERVED = "observed", _("observed")
    RETRIEVED = "retrieved", _("retrieved; the source is undated")


class PriceKind(models.TextChoices):
    OWN = "own", _("own price list")
    CONTRACT = "contract", _("agreed price")
    OFFER = "offer", _("supplier's offer")
    STREET = "street", _("shop price")
    LIST = "list", _("list price")
    GOVERNMENT_LIST = "government_list", _("public-sector list price")
    MSRP = "msrp", _("maker's suggested price")
    ESTIMATE_PRESS = "estimate_press", _("press estimate")


class TaxBasis(models.TextChoices):
    EXCL_VAT = "excl_vat", _("without VAT")
    INCL_VAT = "incl_vat", _("with VAT")
    EXCL_SALES_TAX = "excl_sales_tax", _("without sales tax")
    UNSTATED = "unstated", _("tax not stated")


class Condition(models.TextChoices):
    NEW = "new", _("new")
    REFURBISHED = "refurbished", _("refurbished")
    USED = "used", _("used")
    UNKNOWN = "unknown", _("not stated")


class StockState(models.TextChoices):
    IN_STOCK = "in_stock", _("in stock")
    LEAD_TIME = "lead_time", _("made or bought to order")
    BACK_ORDERED = "back_ordered", _("back-ordered")
    ALLOCATION = "allocation", _("on allocation")
    DISCONTINUED = "discontinued", _("discontinued")
    UNKNOWN = "unknown", _("unknown")


class EvidenceType(models.TextChoices):
    """What an origin claim rests on; the grade follows from it."""

    CBP_RULING = "cbp_ruling", _("customs ruling or final determination")
    MANUFACTURER_LETTER = "manufacturer_letter", _("maker's letter naming the part")
    DISTRIBUTOR_FEED = "distributor_feed", _("distributor's feed")
    DATASHEET = "datasheet", _("data sheet or web page")
    UNKNOWN = "unknown", _("none or unknown")


class EvidenceGrade(models.TextChoices):
    A = "A", "A"
    B = "B", "B"
    C = "C", "C"
    D = "D", "D"


GRADE_OF_EVIDENCE = {
    EvidenceType.CBP_RULING: EvidenceGrade.A,
    EvidenceType.MANUFACTURER_LETTER: EvidenceGrade.A,
    EvidenceType.DISTRIBUTOR_FEED: EvidenceGrade.B,
    EvidenceType.DATASHEET: EvidenceGrade.C,
    EvidenceType.UNKNOWN: EvidenceGrade.D,
}


class RateKind(models.TextChoices):
    GPU_HOUR = "gpu_hour", _("accelerator by the hour")
    API_TOKEN = "api_token", _("API by the token")


class PricingModel(models.TextChoices):
    ON_DEMAND = "on_demand", _("on demand")
    SPOT = "spot", _("spot")
    RESERVED = "reserved", _("reserved")
    MARKETPLACE = "marketplace", _("marketplace")
    MARKET_RANGE = "market_range", _("range over the market")
    UNSPECIFIED = "unspecified", _("not stated")


class CompatibilityStatus(models.TextChoices):
    NATIVE = "native", _("native")
    WEIGHT_ONLY = "weight_only", _("weights only, computed in 16 bits")
    EMULATED = "emulated", _("emulated")
    UNSUPPORTED = "unsupported", _("unsupported")
    UNKNOWN = "unknown", _("unknown")


class ImportState(models.TextChoices):
    QUEUED = "queued", _("queued")
    RUNNING = "running", _("running")
    CANCELLING = "cancelling", _("cancelling")
    DONE = "done", _("done")
    FAILED = "failed", _("failed")
    CANCELLED = "cancelled", _("cancelled")
