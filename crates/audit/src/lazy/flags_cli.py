import json
import os
import runpy
import sys

here = os.path.dirname(os.path.abspath(__file__))
knowledge = json.load(open(os.path.join(here, "lazy_knowledge.json")))
sys.argv[1:] = [word for word in sys.argv[1:] if word.split("=")[0] not in knowledge["flags"]]
sys.path.insert(0, here)
runpy.run_path(os.path.join(here, knowledge["behind"]), run_name="__main__")
