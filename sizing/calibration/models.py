"""The model of each measured family, read from the shipped config files."""

import json
from collections.abc import Mapping
from functools import cache
from pathlib import Path

from sizing.core.model.features import ModelFeatures, model_features
from sizing.core.model.parse import parse_config

CONFIGS = Path(__file__).resolve().parents[2] / "catalog" / "data" / "models" / "configs"

FILES: Mapping[str, str] = {
    "deepseek-r1": "deepseek-ai__DeepSeek-V3.json",
    "gpt-oss-120b": "openai__gpt-oss-120b.json",
    "llama-3.1-70b": "meta-llama__Llama-3.1-70B-Instruct.json",
    "llama-3.1-8b": "meta-llama__Llama-3.1-8B-Instruct.json",
    "minimax-m2.5": "MiniMaxAI__MiniMax-M2.5.json",
    "qwen3-235b-a22b": "Qwen__Qwen3-235B-A22B.json",
    "qwen3.5-397b-a17b": "Qwen__Qwen3.5-397B-A17B.json",
}


@cache
def measured_models() -> Mapping[str, ModelFeatures]:
    """Features by family name of the measured points."""
    return {family: _features(name, family) for family, name in FILES.items()}


def _features(name: str, family: str) -> ModelFeatures:
    config = json.loads((CONFIGS / name).read_text(encoding="utf-8"))
    return model_features(parse_config(config, name=family))
