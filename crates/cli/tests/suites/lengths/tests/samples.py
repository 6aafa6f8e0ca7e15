from pathlib import Path

import yaml


def samples():
    text = (Path(__file__).parent / "data" / "samples.yaml").read_text()
    return yaml.safe_load(text)
