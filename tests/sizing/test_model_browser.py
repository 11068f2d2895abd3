"""The model page in a browser: of large files only the headers leave it."""

import json
from pathlib import Path

import gguf
import numpy as np
import pytest
from playwright.sync_api import Page, expect

from catalog.seed.load import load_seed
from tests.sizing.core.model.cases import config
from tests.sizing.test_model_page import LLAMA, safetensors_bytes

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]
EXACT = 16_060_522_496
TENSORS = {
    "token_embd.weight": (32_000, 4096),
    "blk.0.ffn_up.weight": (14336, 4096),
    "blk.0.ffn_gate.weight": (14336, 4096),
    "blk.0.ffn_down.weight": (4096, 14336),
    "blk.0.attn_q.weight": (4096, 4096),
    "blk.0.attn_output.weight": (4096, 4096),
}


def sparse(path: Path, head: bytes, size: int) -> Path:
    """A file of `size` bytes that takes hardly any room."""
    path.write_bytes(head)
    with path.open("r+b") as stream:
        stream.truncate(size)
    return path


def gguf_header(path: Path) -> Path:
    """A GGUF file of 900 MB with a vocabulary and tensors as a header states them."""
    writer = gguf.GGUFWriter(path, "llama")
    for name, value in {"block_count": 1, "embedding_length": 4096, "context_length": 4096, "head_count": 32,
                        "head_count_kv": 8, "feed_forward_length": 14336}.items():  # fmt: skip
        getattr(writer, f"add_{name}")(value)
    writer.add_token_list([f"token number {number}" for number in range(32_000)])
    writer.add_file_type(gguf.LlamaFileType.MOSTLY_F16)
    for name, sides in TENSORS.items():
        writer.add_tensor_info(name, sides, np.dtype(np.float16), 2 * sides[0] * sides[1])
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_ti_data_to_file()
    writer.close()
    return sparse(path, path.read_bytes(), 900_000_000)


def test_headers_of_large_files_are_sent_and_read(page: Page, live_kvote: str, tmp_path: Path) -> None:
    load_seed()
    (tmp_path / "config.json").write_text(json.dumps(config(LLAMA)))
    whole = sparse(tmp_path / "model.safetensors", safetensors_bytes(EXACT), EXACT + 1000)
    for files, size in (([tmp_path / "config.json", whole], "16.06"), ([gguf_header(tmp_path / "x.gguf")], "0.68")):
        page.goto(f"{live_kvote}/model/")
        page.set_input_files("#id_model_files", files)
        page.locator("#model-form button[type=submit]").click()
        row = page.locator("dt", has_text="Weights, exact from the files").locator("+ dd")
        expect(row).to_contain_text(size)
