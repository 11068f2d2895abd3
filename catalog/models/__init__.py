from catalog.models.accelerator import Accelerator, DeviceMemory
from catalog.models.ai_model import AiModel, NonLlmWorkload
from catalog.models.bom_rule import BomRule
from catalog.models.claim import OriginClaim
from catalog.models.cloud_rate import CloudRate
from catalog.models.component import Component, Interconnect
from catalog.models.imports import ImportBatch, SupplierProfile
from catalog.models.lead_time import LeadTimeObservation
from catalog.models.margin import MarginRule
from catalog.models.part import Part, PartAlias
from catalog.models.price import EnergyTariff, ExchangeRate, PriceObservation
from catalog.models.processor import Processor
from catalog.models.server import CatalogNote, Server, ServerAccelerator
from catalog.models.software import ServingSoftware, SoftwareCompatibility, StorageFormat
from catalog.models.supplier import Supplier
from catalog.models.version import CatalogVersion

__all__ = [
    "Accelerator",
    "AiModel",
    "BomRule",
    "CatalogNote",
    "CatalogVersion",
    "CloudRate",
    "Component",
    "DeviceMemory",
    "EnergyTariff",
    "ExchangeRate",
    "ImportBatch",
    "Interconnect",
    "LeadTimeObservation",
    "MarginRule",
    "NonLlmWorkload",
    "OriginClaim",
    "Part",
    "PartAlias",
    "PriceObservation",
    "Processor",
    "Server",
    "ServerAccelerator",
    "ServingSoftware",
    "SoftwareCompatibility",
    "StorageFormat",
    "Supplier",
    "SupplierProfile",
]
