"""Names of serving software as their makers write them."""

ENGINE_NAMES = {
    "vllm": "vLLM",
    "sglang": "SGLang",
    "tensorrt-llm": "TensorRT-LLM",
    "triton": "Triton",
    "tensorrt": "TensorRT",
    "onnxruntime": "ONNX Runtime",
    "llama-cpp": "llama.cpp",
    "openvino": "OpenVINO",
    "tgi": "TGI",
    "lmdeploy": "LMDeploy",
    "nim": "NIM",
    "dynamo": "Dynamo",
}


def engine_name(slug: object) -> str:
    """The maker's own spelling; an unknown slug comes back as it is."""
    return ENGINE_NAMES.get(str(slug or ""), str(slug or ""))
